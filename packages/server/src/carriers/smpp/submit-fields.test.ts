import { describe, expect, it } from "vitest";
import { submissionOf } from "../../testing/scripted-smsc.ts";
import type { Submission } from "../provider.ts";
import { completeSmppSettings, type SmppSettings } from "./settings.ts";
import { toSubmitFields } from "./submit-parts.ts";

const now = Date.parse("2026-03-01T12:00:00Z");
const hourMs = 3_600_000;

function fieldsOf(
  longTexts: SmppSettings["longTexts"],
  others: Partial<Submission> = {},
  more: Partial<SmppSettings> = {},
): (Record<string, unknown> & { short_message?: Buffer })[] {
  const settings = completeSmppSettings({ sender: "Acme", longTexts, ...more });
  const submission = submissionOf({ giveUpAt: now + 72 * hourMs, textNumber: 0x5_1234, ...others });
  return toSubmitFields(submission, settings, now) as Record<string, unknown>[];
}

describe("a short text", () => {
  it.each(["udh", "sar", "payload"] as const)("is one short message, even if long texts use %s", (longTexts) => {
    expect(fieldsOf(longTexts)).toEqual([
      {
        service_type: "",
        source_addr_ton: 5,
        source_addr_npi: 0,
        source_addr: "Acme",
        dest_addr_ton: 1,
        dest_addr_npi: 1,
        destination_addr: "12025550100",
        validity_period: "000002000000000R",
        registered_delivery: 1,
        data_coding: 0,
        short_message: Buffer.from("Hello"),
      },
    ]);
  });

  it.each([
    ["at most two days", 72 * hourMs, "000002000000000R"],
    ["the remaining time", 26 * hourMs + 61_999, "000001020101000R"],
    ["at least a minute", -hourMs, "000000000100000R"],
  ])("has a validity period of %s", (_what, leftMs, validity) => {
    expect(fieldsOf("udh", { giveUpAt: now + leftMs })[0]).toMatchObject({ validity_period: validity });
  });
});

describe("the settings of the account", () => {
  const numbers = { senderTon: 0, senderNpi: 1, recipientTon: 2, recipientNpi: 8 };

  it("give the types and plans of the sender and the recipient, and the service type", () => {
    expect(fieldsOf("udh", {}, { sender: "40404", serviceType: "CMT", ...numbers })[0]).toMatchObject({
      service_type: "CMT",
      source_addr_ton: 0,
      source_addr_npi: 1,
      source_addr: "40404",
      dest_addr_ton: 2,
      dest_addr_npi: 8,
      destination_addr: "12025550100",
    });
  });

  it.each([
    ["+12025550199", { source_addr_ton: 0, source_addr_npi: 1 }],
    ["40404", { source_addr_ton: 1, source_addr_npi: 1 }],
  ])("apply beside the sender %s to a merchant's number only if it has the same form", (sender, source) => {
    expect(fieldsOf("udh", { sender: "+12025550123" }, { sender, ...numbers })[0]).toMatchObject(source);
  });

  it("give one of type and plan alone", () => {
    expect(fieldsOf("udh", {}, { sender: "40404", senderNpi: 1 })[0]).toMatchObject({
      source_addr_ton: 3,
      source_addr_npi: 1,
    });
  });
});

describe("a long text", () => {
  const content = `${"a".repeat(153)}${"b".repeat(153)}c`;

  it("has headers that number its parts", () => {
    const parts = fieldsOf("udh", { content });
    expect(parts.map(({ esm_class }) => esm_class)).toEqual([0x40, 0x40, 0x40]);
    expect(parts.map(({ short_message }) => short_message?.subarray(0, 3).toString("hex"))).toEqual(
      Array(3).fill("050003"),
    );
    expect(parts.map(({ short_message }) => [...(short_message?.subarray(4, 6) ?? [])])).toEqual([
      [3, 1],
      [3, 2],
      [3, 3],
    ]);
    expect(parts.map(({ short_message }) => short_message?.subarray(6).toString()).join("")).toBe(content);
  });

  it("has parameters that number its parts", () => {
    const parts = fieldsOf("sar", { content });
    expect(parts.map((part) => [part.sar_total_segments, part.sar_segment_seqnum, part.esm_class])).toEqual([
      [3, 1, undefined],
      [3, 2, undefined],
      [3, 3, undefined],
    ]);
    expect(parts.map(({ short_message }) => short_message?.toString()).join("")).toBe(content);
  });

  it("is sent whole in message_payload", () => {
    const [whole, ...rest] = fieldsOf("payload", { content });
    expect(rest).toEqual([]);
    expect(whole).toMatchObject({ message_payload: Buffer.from(content) });
    expect(whole).not.toHaveProperty("short_message");
  });

  it.each([
    ["udh", 0x34],
    ["sar", 0x1234],
  ] as const)("has its number as the reference in each part, in as many bits as %s has", (longTexts, reference) => {
    const parts = fieldsOf(longTexts, { content });
    expect(parts.map((part) => part.sar_msg_ref_num ?? part.short_message?.[3])).toEqual(Array(3).fill(reference));
  });
});
