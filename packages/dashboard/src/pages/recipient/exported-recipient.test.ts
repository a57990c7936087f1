import { afterEach, expect, it, vi } from "vitest";
import { exportRecipient, toJsonParts } from "./exported-recipient.ts";

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const story = {
  contact: "+12025550100",
  consents: [],
  changes: [],
  hasMore: false,
  stops: [],
  suppression: null,
  keptOptOuts: [],
  erasures: [],
};
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

it.each([[[]], [["One"]], [["One", 'Two "lines"\nand \u2028']]])(
  "toJsonParts() returns valid JSON with one line per message: %j",
  (texts: string[]) => {
    const messages = texts.map(message);
    const text = toJsonParts({ story, messages, isWhole: true, isComplete: true }, "2026-01-16T12:00:00.000Z").join("");
    expect(JSON.parse(text)).toEqual({ ...story, exportedAt: "2026-01-16T12:00:00.000Z", messages });
    expect(text.trimEnd().split("\n")).toHaveLength(texts.length + 2);
  },
);

it("an export is complete if all of its pages are complete, and whole if no page is left", async () => {
  vi.stubGlobal("navigator", {});
  const pages = [
    { messages: [message("Two")], isComplete: false, next: "c1" },
    { messages: [message("One")], isComplete: true, next: null },
  ];
  const asked = vi.spyOn(globalThis, "fetch");
  for (const body of [story, ...pages]) asked.mockResolvedValueOnce(Response.json(body));
  const counts: number[] = [];
  const { signal } = new AbortController();
  const exported = await exportRecipient(story.contact, { signal, told: (count) => counts.push(count) });
  expect(exported).toEqual({
    story,
    messages: [message("Two"), message("One")],
    isWhole: true,
    isComplete: false,
  });
  expect(counts).toEqual([1, 2]);
  expect(String(asked.mock.calls[2]?.[0])).toContain("cursor=c1");
});
