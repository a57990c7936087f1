import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { nameLateAnswer, type SubmitOutcome } from "../../carriers/provider.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
  delete provider.find;
});

afterEach(() => world.close());

/** Sends a message whose submission is not answered in time. */
async function sendIntoDoubt(answered?: Promise<never>): Promise<string> {
  provider.onSubmit = async (_submission, { handOver }) => {
    await handOver();
    return answered ?? Promise.reject(new Error("no answer to submit_sm within 60000 ms"));
  };
  const messageId = await world.accept("+12025550100");
  await world.dispatcher().start();
  await world.clock.settle();
  expect(await statusOf(messageId)).toBe("SENDING");
  return messageId;
}

const statusOf = async (messageId: string) => (await world.message(messageId)).status;

const answerLate = (clientReference: string, answer: SubmitOutcome, attempt = 1) =>
  provider.tell({
    kind: "late-answer",
    eventId: nameLateAnswer(clientReference, attempt),
    clientReference,
    answer,
    attempt,
  });

const tellPart = (part: string) =>
  provider.tell({ kind: "part-receipt", eventId: `${part} end`, part, status: "DELIVERED", reason: null });

const taken = { outcome: "taken", providerMessageId: "a1", parts: ["a1", "a2"] } as const;
const refused = { outcome: "refused", reason: "UNKNOWN_HANDSET", isOptOut: false, detail: "no such phone" } as const;
const failed = { outcome: "failed", detail: "ESME_RSUBMITFAIL (69)" } as const;
const deferred = { outcome: "deferred", retryAfterMs: 10_000, detail: "ESME_RMSGQFUL (20)" } as const;

describe("a late answer", () => {
  it("that accepts the message makes it SENT and charges it once, and receipts of its parts count", async () => {
    const messageId = await sendIntoDoubt();
    for (let times = 0; times < 2; times += 1) await answerLate(messageId, taken);
    expect(await world.message(messageId)).toMatchObject({
      status: "SENT",
      providerMessageId: "a1",
      charge: "SETTLED",
    });
    expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
    for (const part of ["a1", "a2"]) await tellPart(part);
    expect(await statusOf(messageId)).toBe("DELIVERED");
    expect(await world.outbox()).toEqual([]);
  });

  it("applies the receipts that arrived before it", async () => {
    const messageId = await sendIntoDoubt();
    for (const part of ["a1", "a2"]) await tellPart(part);
    await answerLate(messageId, taken);
    expect(await statusOf(messageId)).toBe("DELIVERED");
  });

  it.each([
    [refused, "UNKNOWN_HANDSET"],
    [failed, "CARRIER_UNKNOWN"],
  ] as const)("of $outcome makes the message FAILED, uncharged", async (answer, deliveryReason) => {
    const messageId = await sendIntoDoubt();
    for (let times = 0; times < 2; times += 1) await answerLate(messageId, answer);
    expect(await world.message(messageId)).toMatchObject({ status: "FAILED", deliveryReason, charge: "RELEASED" });
    expect(await world.usage()).toMatchObject({ used: 0, reserved: 0 });
    expect(await world.outbox()).toEqual([]);
  });

  it("that defers the message causes one more submission, even if the answer is reported repeatedly", async () => {
    const messageId = await sendIntoDoubt();
    let answer = () => {};
    provider.onSubmit = async (_submission, { handOver }) => {
      await handOver();
      return new Promise((resolve) => {
        answer = () => resolve(taken);
      });
    };
    await answerLate(messageId, deferred);
    await world.clock.advanceBy(9_999);
    expect(provider.submissions).toHaveLength(1);
    expect(await statusOf(messageId)).toBe("QUEUED");
    await world.clock.advanceBy(1);
    expect(provider.submissions).toHaveLength(2);
    await answerLate(messageId, deferred);
    answer();
    await world.clock.advanceBy(hourMs);
    expect(provider.submissions).toHaveLength(2);
    expect(await statusOf(messageId)).toBe("SENT");
  });

  it.each([
    [taken, "SENT"],
    [refused, "FAILED"],
  ] as const)("of $outcome counts if it arrives before the timeout is recorded", async (answer, status) => {
    let timeOut = (_error: Error) => {};
    const answered = new Promise<never>((_resolve, reject) => {
      timeOut = reject;
    });
    const messageId = await sendIntoDoubt(answered);
    await answerLate(messageId, answer);
    timeOut(new Error("no answer"));
    await world.clock.advanceBy(hourMs);
    expect(await statusOf(messageId)).toBe(status);
    expect(provider.submissions).toHaveLength(1);
  });

  it("does not change a message whose acceptance a receipt has proved", async () => {
    const messageId = await sendIntoDoubt();
    await provider.tellReceipt(messageId, "DELIVERED");
    await answerLate(messageId, refused);
    expect(await world.message(messageId)).toMatchObject({ status: "DELIVERED", charge: "SETTLED" });
  });

  it("does not settle a message that was given up, but receipts of its parts then do", async () => {
    const messageId = await sendIntoDoubt();
    await world.clock.advanceBy(73 * hourMs);
    await answerLate(messageId, taken);
    expect(await statusOf(messageId)).toBe("UNKNOWN");
    for (const part of ["a1", "a2"]) await tellPart(part);
    expect(await world.message(messageId)).toMatchObject({ status: "DELIVERED", charge: "SETTLED" });
    expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
  });

  it("to an earlier submission does not apply to a later one", async () => {
    const messageId = await sendIntoDoubt();
    await answerLate(messageId, refused, 2);
    expect(await statusOf(messageId)).toBe("SENDING");
  });

  it("is logged if its message is unknown", async () => {
    await world.dispatcher().start();
    await answerLate("msg_nobody", taken);
    expect(world.logged).toContain("a provider reported an unknown message");
  });
});

describe("an answer after the lease has expired", () => {
  /** Lets the message's lease expire before `answer` runs. */
  async function answerAfterLease(answer: () => Promise<SubmitOutcome>, attempts = 1): Promise<string> {
    // without this, the clock could reach the call's timeout while the database writes
    let isWriting = false;
    world.clock.watch(() => isWriting);
    provider.onSubmit = async (_submission, { handOver }) => {
      if (provider.submissions.length > 1) return taken;
      await handOver();
      const change = "UPDATE dispatches SET state = 'reconciling', lease_token = NULL";
      isWriting = true;
      await world.store.write(async (tx) => {
        await tx.run(change);
        await tx.run("UPDATE messages SET attempts = $1", attempts);
      });
      isWriting = false;
      return answer();
    };
    const messageId = await world.accept("+12025550100");
    await world.dispatcher().start();
    await world.clock.advanceBy(hourMs);
    return messageId;
  }

  it.each([
    [taken, "SENT"],
    [refused, "FAILED"],
    [failed, "FAILED"],
  ] as const)("of $outcome still counts", async (answer, status) => {
    expect(await statusOf(await answerAfterLease(async () => answer))).toBe(status);
  });

  it("makes the dispatcher send the message again if it is a deferral", async () => {
    expect(await statusOf(await answerAfterLease(async () => deferred))).toBe("SENT");
    expect(provider.submissions).toHaveLength(2);
  });

  it("that accepts the message starts the 72-hour wait for a receipt", async () => {
    // the call outlasts the claim's lease, so the submit lane finds a message that is already queued for look-up
    Object.assign(provider, { answerTimeoutMs: hourMs / 2 });
    const { clock } = world;
    const answer = () =>
      new Promise<SubmitOutcome>((resolve) => void clock.at(clock.now() + hourMs / 4, () => resolve(taken)));
    const messageId = await answerAfterLease(answer);
    expect(await statusOf(messageId)).toBe("SENT");
    await clock.advanceBy(72 * hourMs);
    expect(await statusOf(messageId)).toBe("UNKNOWN");
    expect(await world.outbox()).toEqual([]);
  });

  it("is ignored if another process has submitted the message again", async () => {
    expect(await statusOf(await answerAfterLease(async () => refused, 2))).toBe("SENDING");
  });
});
