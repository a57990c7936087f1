import { describe, expect, it } from "vitest";
import type { Channel } from "../contacts.ts";
import { decideConsent, type MessageType } from "./rules.ts";

const types: MessageType[] = ["MARKETING", "REMINDER", "TRANSACTIONAL", "OTP"];
const channels: Channel[] = ["SMS", "VOICE", "EMAIL"];

/** By channel, in the order of `channels`: the result without a record, then that after an OPT_OUT. */
const table: Record<MessageType, string[]> = {
  MARKETING: ["required/refused", "required/refused", "required/refused"],
  REMINDER: ["required/refused", "required/refused", "allowed/refused"],
  TRANSACTIONAL: ["allowed/refused", "required/refused", "allowed/allowed"],
  OTP: ["allowed/refused", "allowed/refused", "allowed/allowed"],
};

const cells = types.flatMap((type) =>
  channels.map((channel, index) => {
    const [withoutRecord = "", optedOut = ""] = (table[type][index] ?? "").split("/");
    return { type, channel, withoutRecord, optedOut };
  }),
);

describe("decideConsent", () => {
  it.each(cells)(
    "returns for $type by $channel: $withoutRecord without a record, $optedOut after an opt-out",
    (cell) => {
      const question = { policy: "strict", channel: cell.channel, type: cell.type } as const;
      const withoutRecord = cell.withoutRecord === "required" ? "consent_required" : "allowed";
      const optedOut = cell.optedOut === "refused" ? "consent_opted_out" : "allowed";
      expect(decideConsent({ ...question, status: undefined })).toBe(withoutRecord);
      expect(decideConsent({ ...question, status: "OPT_OUT" })).toBe(optedOut);
      expect(decideConsent({ ...question, status: "OPT_IN" })).toBe("allowed");
    },
  );

  it.each(cells)("requires no opt-in under opt_out_only: $type by $channel", ({ type, channel, optedOut }) => {
    const question = { policy: "opt_out_only", channel, type } as const;
    expect(decideConsent({ ...question, status: undefined })).toBe("allowed");
    expect(decideConsent({ ...question, status: "OPT_OUT" })).toBe(
      optedOut === "refused" ? "consent_opted_out" : "allowed",
    );
  });
});
