import { expect, it } from "vitest";
import { toJsonParts } from "./exported-recipient.ts";

const story = { contact: "+12025550100", consents: [], changes: [], hasMore: false, keptOptOuts: [], erasures: [] };
const message = (content: string) => ({
  ...{
    messageId: "msg_1",
    createdAt: "2026-01-15T12:00:00.000Z",
    merchantId: "m1",
    channel: "SMS" as const,
    type: "OTP",
  },
  ...{ status: "DELIVERED" as const, reason: null, to: story.contact, project: null, subject: null, content },
});

it.each([[[]], [["One"]], [["One", 'Two "lines"\nand \u2028']]])("is JSON, with %j", (texts: string[]) => {
  const messages = texts.map(message);
  const text = toJsonParts({ story, messages, isWhole: true, isComplete: true }, "2026-01-16T12:00:00.000Z").join("");
  expect(JSON.parse(text)).toEqual({ ...story, exportedAt: "2026-01-16T12:00:00.000Z", messages });
  expect(text.trimEnd().split("\n")).toHaveLength(texts.length + 2);
});
