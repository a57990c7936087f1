import { describe, expect, expectTypeOf, it } from "vitest";
import {
  canMove,
  canReach,
  IllegalTransitionError,
  type Machine,
  type MessageStatus,
  move,
  reach,
} from "./transitions.ts";

const statuses: MessageStatus[] = [
  "QUEUED",
  "SENDING",
  "SENT",
  "DELIVERED",
  "UNDELIVERED",
  "FAILED",
  "EXPIRED",
  "CANCELED",
  "UNKNOWN",
];

const allowed = [
  "QUEUED→SENDING",
  "QUEUED→FAILED",
  "QUEUED→EXPIRED",
  "QUEUED→CANCELED",
  "SENDING→QUEUED",
  "SENDING→SENT",
  "SENDING→FAILED",
  "SENDING→UNKNOWN",
  "SENT→DELIVERED",
  "SENT→UNDELIVERED",
  "SENT→EXPIRED",
  "SENT→UNKNOWN",
  "UNKNOWN→DELIVERED",
  "UNKNOWN→UNDELIVERED",
  "UNKNOWN→EXPIRED",
  "UNKNOWN→FAILED",
];

describe("the message machine", () => {
  it("has exactly these moves", () => {
    const moves = statuses.flatMap((from) =>
      statuses.filter((to) => canMove("message", from, to)).map((to) => `${from}→${to}`),
    );
    expect(moves.toSorted()).toEqual(allowed.toSorted());
  });

  it("goes back only from SENDING to QUEUED, if a carrier did not accept the message", () => {
    const returns = statuses.flatMap((from) =>
      statuses
        .filter((to) => canMove("message", from, to) && canReach("message", to, from))
        .map((to) => `${from}→${to}`),
    );
    expect(returns).toEqual(["QUEUED→SENDING", "SENDING→QUEUED"]);
  });

  it("has no moves from DELIVERED, UNDELIVERED, FAILED, EXPIRED or CANCELED", () => {
    const isFinal = (from: MessageStatus) => !statuses.some((to) => canMove("message", from, to));
    expect(statuses.filter(isFinal)).toEqual(["DELIVERED", "UNDELIVERED", "FAILED", "EXPIRED", "CANCELED"]);
  });
});

describe("a state machine", () => {
  it.each([
    ["ttsCall", "SCHEDULED", "QUEUED", true],
    ["ttsCall", "SCHEDULED", "DIALING", false],
    ["ttsCall", "SYNTHESIZING", "DIALING", true],
    ["ttsCall", "COMPLETED", "QUEUED", false],
    ["call", "RINGING", "NO_ANSWER", true],
    ["call", "IN_PROGRESS", "BUSY", false],
    ["final", "SCHEDULED", "PENDING", true],
    ["final", "SCHEDULED", "SUCCESS", false],
    ["final", "PENDING", "PARTIAL", true],
    ["final", "PARTIAL", "SUCCESS", false],
    ["billing", "PROVISIONAL", "FINALIZED", true],
    ["billing", "FINALIZED", "PROVISIONAL", false],
    ["speechCache", "PENDING", "HIT", true],
    ["speechCache", "MISS", "HIT", false],
    ["payment", "PENDING", "SUCCEEDED", true],
    ["payment", "SUCCEEDED", "FAILED", false],
    ["agent", "OFFLINE", "AVAILABLE", true],
    ["agent", "OFFLINE", "ON_BREAK", false],
    ["brand", "PENDING", "IN_REVIEW", true],
    ["brand", "IN_REVIEW", "APPROVED", true],
    ["brand", "APPROVED", "IN_REVIEW", false],
    ["brandVerification", "UNVERIFIED", "VERIFIED", true],
    ["brandVerification", "UNVERIFIED", "VETTED_VERIFIED", false],
    ["campaign", "PENDING", "ACTIVE", true],
    ["campaign", "ACTIVE", "PENDING", false],
    ["campaign", "FAILED", "PENDING", true],
    ["campaign", "FAILED", "ACTIVE", false],
    ["campaignReview", "TCR_PENDING", "TCR_ACCEPTED", true],
    ["campaignReview", "TCR_PENDING", "MNO_PROVISIONED", false],
    ["campaignReview", "MNO_ACCEPTED", "MNO_PROVISIONED", true],
    ["campaignReview", "MNO_PROVISIONED", "MNO_PENDING", false],
    ["number", "SUSPENDED", "ACTIVE", true],
    ["number", "RELEASED", "ACTIVE", false],
    ["numberAssignment", "UNASSIGNED", "PENDING_ASSIGNMENT", true],
    ["numberAssignment", "UNASSIGNED", "ASSIGNED", false],
    ["numberAssignment", "ASSIGNED", "PENDING_ASSIGNMENT", false],
  ] as const)("of type %s answers whether it can move from %s to %s: %s", (machine, from, to, expected) => {
    expect(canMove<Exclude<Machine, "message" | "playback" | "speech">>(machine, from, to)).toBe(expected);
  });

  it.each([
    ["campaign", "EXPIRED"],
    ["campaignReview", "TCR_EXPIRED"],
    ["number", "RELEASED"],
  ] as const)("of type %s cannot leave its final state %s", (machine, state) => {
    expect(() => move<"campaign" | "campaignReview" | "number", never>(machine, state, "ANY" as never)).toThrow(
      "is final",
    );
  });

  it("of type campaignReview can move from a refusal only to TCR_PENDING", () => {
    const refusals = ["TCR_FAILED", "PROVIDER_FAILED", "MNO_REJECTED", "MNO_PROVISIONING_FAILED"] as const;
    for (const refusal of refusals) {
      expect(move("campaignReview", refusal, "TCR_PENDING")).toBe("TCR_PENDING");
      expect(canMove("campaignReview", refusal, "MNO_PROVISIONED")).toBe(false);
    }
  });
});

describe("move", () => {
  it("returns the new state with its literal type", () => {
    const sent = move("message", "SENDING", "SENT");
    expect(sent).toBe("SENT");
    expectTypeOf(sent).toEqualTypeOf<"SENT">();
  });

  it("throws for a move that is not in the table, and lists the allowed moves", () => {
    expect(() => move("message", "SENT", "QUEUED")).toThrow(
      "A message cannot move from SENT to QUEUED: from SENT it can move to DELIVERED, UNDELIVERED, EXPIRED, UNKNOWN.",
    );
    expect(() => move("payment", "FAILED", "SUCCEEDED")).toThrow("FAILED is final");
    expect(() => move("message", "SENT", "SENT")).toThrow(IllegalTransitionError);
  });
});

describe("reach and canReach", () => {
  it.each([
    ["DIALING", "COMPLETED", true],
    ["SCHEDULED", "DIALING", true],
    ["IN_PROGRESS", "DIALING", false],
    ["COMPLETED", "COMPLETED", false],
    ["FAILED", "COMPLETED", false],
  ] as const)(
    "answer whether a ttsCall can get from %s to %s, possibly through other states: %s",
    (from, to, expected) => {
      expect(canReach("ttsCall", from, to)).toBe(expected);
      if (expected) expect(reach("ttsCall", from, to)).toBe(to);
      else expect(() => reach("ttsCall", from, to)).toThrow(IllegalTransitionError);
    },
  );
});
