import { describe, expect, it } from "vitest";
import type { MessageEvent } from "../../src/carriers/provider.ts";
import type { Taken } from "../world/carrier.ts";
import type { Database } from "../world/database.ts";
import type { Request, Surroundings } from "../world/instance.ts";
import { checkCalls, checkGiven, checkOptOuts, checkPatience, checkReceipts, checkRemovals } from "./carrier-checks.ts";
import { Violation } from "./violation.ts";

const HOUR_MS = 3_600_000;
const to = "+12025550100";
const text = { merchantId: "m0", channel: "SMS", to, type: "OTP", subject: null, content: "Hello" };

const databaseOf = (...rows: object[]) => ({ all: async () => rows }) as unknown as Database;
const statusOf = (status: string) => new Map([["msg_1", { status }]]);

/** A carrier that took the message msg_1, and whose reports on it were acknowledged in step 5. */
function carry(submission: { channel: string }, told: Partial<MessageEvent>[] = []): Surroundings {
  const events = told.map((event) => ({ event, acknowledgedAt: 5 }));
  const carrier = { taken: new Map([["msg_1", { submission, events } as unknown as Taken]]) };
  const idle = { taken: new Map() };
  return {
    carriers: { SMS: idle, EMAIL: idle, VOICE: idle, [submission.channel]: carrier },
  } as unknown as Surroundings;
}

describe("checkGiven", () => {
  const body = { merchantId: "m0", to, message: "Hello", type: "OTP" };
  const asked = [{ request: { operationId: "sendSms", body } as unknown as Request, id: "msg_1", at: 1, begunAt: 1 }];

  it("accepts the requested message", () => expect(() => checkGiven(asked, carry(text))).not.toThrow());

  it.each([{ to: "+12025550101" }, { content: "Bye" }, { merchantId: "m2" }, { type: "MARKETING" }])(
    "reports a submission with %o",
    (wrong) => expect(() => checkGiven(asked, carry({ ...text, ...wrong }))).toThrow(Violation),
  );
});

describe("checkRemovals", () => {
  const asked = [{ request: { operationId: "sendSms" } as Request, id: "msg_1", at: 1, begunAt: 10 }];
  const check = (absence: { channel: string; from: number; to: number }, ...given: number[]) =>
    checkRemovals(asked, { removals: { absences: [absence], given: new Map([["msg_1", given]]) } } as never);

  it.each([
    ["requested before the removal", { channel: "SMS", from: 10, to: 30 }],
    ["sent by another channel", { channel: "EMAIL", from: 5, to: 30 }],
    ["submitted after a carrier was set again", { channel: "SMS", from: 5, to: 20 }],
  ])("accepts a message that was %s", (_what, absence) => expect(() => check(absence, 20)).not.toThrow());
  it("accepts a message that was never submitted", () =>
    expect(() => check({ channel: "SMS", from: 5, to: 30 })).not.toThrow());
  it("reports a message that was requested and submitted while there was no carrier", () =>
    expect(() => check({ channel: "SMS", from: 5, to: 30 }, 20)).toThrow(Violation));
});

describe("checkReceipts", () => {
  const told = carry(text, [
    { kind: "receipt", status: "SENT" },
    { kind: "receipt", status: "DELIVERED" },
  ]);
  const check = (status: string, restoredAt?: number) => () => checkReceipts(statusOf(status), told, restoredAt);

  it("accepts the reported end", () => expect(check("DELIVERED")).not.toThrow());
  it("reports an end other than the reported one", () => expect(check("UNKNOWN")).toThrow(Violation));
  it("reports an end other than the reported one if the backup was restored before the report", () =>
    expect(check("UNKNOWN", 4)).toThrow(Violation));
  it("ignores a report from before the backup was restored", () => expect(check("UNKNOWN", 6)).not.toThrow());
});

describe("checkCalls", () => {
  const call = { tenantId: 1, merchantId: "m0", to, content: "Hello" };
  const row = { messageId: "msg_1", ...call, durationSeconds: 61, minutes: 2, reason: null };
  const report = { stage: "ENDED", outcome: "HEARD", durationSeconds: 61 } as const;
  const told = carry({ ...call, channel: "VOICE" }, [{ kind: "call", report }]);
  const check = (change: object) => checkCalls(databaseOf({ ...row, ...change }), told, undefined);

  it("accepts a call with the reported duration", () => check({}));
  it("accepts a call whose end was reported too late", () =>
    check({ durationSeconds: 0, minutes: 0, reason: "CARRIER_UNKNOWN" }));

  it.each([{ durationSeconds: 60 }, { minutes: 1 }, { to: "+12025550101" }, { tenantId: 2 }])(
    "reports a call with %o",
    (wrong) => expect(check(wrong)).rejects.toThrow(Violation),
  );
});

describe("checkPatience", () => {
  const check = (hours: number) => checkPatience(databaseOf({ messageId: "msg_1", ms: hours * HOUR_MS }));

  it("accepts a message given up after 72 hours", () => check(72));
  it("reports a message given up after 60 hours", () => expect(check(60)).rejects.toThrow(Violation));
});

describe("checkOptOuts", () => {
  const kept = { merchantId: "m0", channel: "SMS", contact: to };

  describe.each<Partial<MessageEvent>>([
    { kind: "opt-out", cause: "COMPLAINT" },
    { kind: "reply", text: "STOP" },
  ])("after %o", (event) => {
    const check = (...rows: object[]) =>
      checkOptOuts(databaseOf(...rows), statusOf("DELIVERED"), carry(text, [event]), undefined);

    it("accepts an opt-out that is on record", () => check(kept));
    it.each([[], [{ ...kept, merchantId: "m1" }], [{ ...kept, channel: "VOICE" }]])(
      "reports an opt-out that is not on record: %o",
      (...rows) => expect(check(...rows)).rejects.toThrow(Violation),
    );
  });
});
