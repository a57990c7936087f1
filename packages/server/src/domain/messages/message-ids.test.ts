import { monotonicFactory } from "ulid";
import { describe, expect, it } from "vitest";
import { callMessageId, confirmationId, readCallMessageId } from "./rules.ts";

const createdAt = Date.UTC(2026, 0, 15, 12);

describe("the message id of a confirmation", () => {
  const messageOf = (time: number) => `msg_${monotonicFactory(() => 0.99)(time)}`;
  const reply = { provider: "simulated", eventId: "sim_1.1", repliedTo: messageOf(createdAt) };

  it("is the same for the same event, and different for every other event", () => {
    expect(confirmationId(reply)).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(confirmationId({ ...reply })).toBe(confirmationId(reply));
    const others = [
      { ...reply, eventId: "sim_1.2" },
      { ...reply, provider: "simulated2" },
      { ...reply, provider: "simulateds", eventId: "im_1.1" },
      { ...reply, repliedTo: messageOf(createdAt + 1) },
    ];
    expect(new Set([reply, ...others].map(confirmationId)).size).toBe(1 + others.length);
  });

  it("sorts between the message that was replied to and later ones", () => {
    const [before, after] = [createdAt, createdAt + 2].map(messageOf);
    const id = confirmationId(reply);
    expect([id, after, before].toSorted()).toEqual([before, id, after]);
  });

  it("takes its time from the message that was replied to, so it is the same when it is made again later", () => {
    const second = { ...reply, eventId: "sim_1.2", repliedTo: confirmationId(reply) };
    const id = confirmationId(second);
    expect([id, messageOf(createdAt + 3), second.repliedTo].toSorted()).toEqual([
      second.repliedTo,
      id,
      messageOf(createdAt + 3),
    ]);
  });
});

describe("the message id of a call", () => {
  it.each([1, 31, 32, 1_000_000, Number.MAX_SAFE_INTEGER])("made from request %i can be read back", (requestId) => {
    const messageId = callMessageId({ requestId, createdAt });
    expect(messageId).toMatch(/^msg_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(readCallMessageId(messageId)).toBe(requestId);
  });

  it("sorts by time of acceptance, then by request id", () => {
    const ids = [
      callMessageId({ requestId: 90, createdAt }),
      callMessageId({ requestId: 100, createdAt }),
      callMessageId({ requestId: 1_100, createdAt }),
      callMessageId({ requestId: 2, createdAt: createdAt + 1 }),
    ];
    expect(ids.toSorted()).toEqual(ids);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    ["a text", `msg_${monotonicFactory(() => 0.9)(createdAt)}`],
    ["a number that is too large", `msg_${"0".repeat(15)}${"Z".repeat(11)}`],
    ["letters that no id contains", `msg_${"0".repeat(25)}U`],
    ["nothing", ""],
  ])("cannot have %s", (_what, messageId) => {
    expect(readCallMessageId(messageId)).toBeUndefined();
  });
});
