// Carriers that cannot look up messages: a message that left is never sent again, while one that did not leave is
// retried.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { SubmitCall } from "../../carriers/provider.ts";
import { expireLeases } from "../../domain/messages/outbox-rows.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider, silence } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;
/** Ids of the messages that left for the carrier. */
let left: string[];

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
  delete provider.find;
  left = [];
});

afterEach(() => world.close());

/** Returns an `onSubmit` that hands the message over, and then runs `then`. */
function leave(then: () => Promise<never> = silence) {
  return async ({ clientReference }: { clientReference: string }, { handOver }: SubmitCall) => {
    await handOver();
    left.push(clientReference);
    return then();
  };
}

const breakOff = () => Promise.reject(new Error("connection reset"));

/** Accepts a message, and lets the dispatcher work until all further work waits for the clock. */
async function accept(onSubmit: ScriptedProvider["onSubmit"]): Promise<string> {
  const messageId = await world.accept("+12025550100");
  provider.onSubmit = onSubmit;
  await world.dispatcher().start();
  await world.clock.settle();
  return messageId;
}

describe("a message", () => {
  it("is sent once if it is accepted after it left", async () => {
    const messageId = await accept(async ({ clientReference }, { handOver }) => {
      await handOver();
      return { outcome: "taken", providerMessageId: `p-${clientReference}` };
    });
    expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
    expect(await world.outbox()).toEqual([{ messageId, state: "awaiting" }]);
  });

  it("fails uncharged if it is refused after it left", async () => {
    const messageId = await accept(async (_submission, { handOver }) => {
      await handOver();
      return { outcome: "refused", reason: "CARRIER_FILTERED", isOptOut: false };
    });
    expect(await world.message(messageId)).toMatchObject({ status: "FAILED", deliveryReason: "CARRIER_FILTERED" });
    expect(await world.outbox()).toEqual([]);
  });

  it("is retried after doubling pauses if its submission is interrupted before it leaves", async () => {
    const messageId = await accept(breakOff);
    const tried: number[] = [];
    for (let seconds = 1; seconds <= 16; seconds += 1) {
      const before = provider.submissions.length;
      await world.clock.advanceBy(1_000);
      if (provider.submissions.length > before) tried.push(seconds);
    }
    expect(tried).toEqual([1, 3, 7, 15]);
    provider.onSubmit = async () => ({ outcome: "taken", providerMessageId: "p-1" });
    await world.clock.advanceBy(hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 6 });
  });

  it("is never sent again if its submission is interrupted after it left, and ends UNKNOWN", async () => {
    const messageId = await accept(leave(breakOff));
    await world.clock.advanceBy(71 * hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "SENDING", attempts: 1 });
    await world.clock.advanceBy(2 * hourMs);
    expect(left).toEqual([messageId]);
    expect(await world.message(messageId)).toMatchObject({ status: "UNKNOWN", charge: "SETTLED", attempts: 1 });
  });

  it("may no longer leave after a timeout, and is retried", async () => {
    let release: () => void = () => {};
    const messageId = await accept(async ({ clientReference }, { handOver }) => {
      await new Promise<void>((resolve) => {
        release = resolve;
      });
      await handOver();
      left.push(clientReference);
      return { outcome: "taken", providerMessageId: "p-late" };
    });
    await world.clock.advanceBy(10_000);
    provider.onSubmit = leave(breakOff);
    release();
    await world.clock.settle();
    expect(left).toEqual([]);
    await world.clock.advanceBy(5_000);
    expect(left).toEqual([messageId]);
  });

  it("may be answered at any time within the carrier's own timeout", async () => {
    Object.assign(provider, { callTimeoutMs: 120_000 });
    let answer: () => void = () => {};
    const messageId = await accept(async (_submission, { handOver }) => {
      await handOver();
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { outcome: "taken", providerMessageId: "p-1" };
    });
    await world.clock.advanceBy(119_000);
    answer();
    await world.clock.settle();
    expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
  });
});

it("the dispatcher retries recording an answer that the carrier gives only once", async () => {
  let failures = 0;
  const messageId = await world.accept("+12025550100");
  const { write } = world.store;
  provider.onSubmit = async (_submission, { handOver }) => {
    await handOver();
    Object.assign(world.store, {
      write: (...given: Parameters<typeof write>) => {
        failures += 1;
        if (failures > 3) Object.assign(world.store, { write });
        return failures > 3 ? write(...given) : Promise.reject(new Error("no disk"));
      },
    });
    return { outcome: "taken", providerMessageId: "p-1" };
  };
  await world.dispatcher().start();
  await world.clock.advanceBy(10_000);
  expect(await world.message(messageId)).toMatchObject({ status: "SENT", providerMessageId: "p-1", attempts: 1 });
});

it("the dispatcher retries a deferred message immediately if its pause passed before the deferral was recorded", async () => {
  const { write } = world.store;
  const deferral = { outcome: "deferred", retryAfterMs: 1_000, detail: "later" } as const;
  const messageId = await world.accept("+12025550100");
  provider.onSubmit = async (_submission, { handOver }) => {
    await handOver();
    Object.assign(world.store, { write: () => Promise.reject(new Error("no disk")) });
    return deferral;
  };
  const dispatcher = world.dispatcher();
  await dispatcher.start();
  await world.clock.advanceBy(15_000);
  provider.onSubmit = leave(breakOff);
  Object.assign(world.store, { write });
  const other = await world.accept("+12025550101");
  dispatcher.notify();
  await world.clock.settle();
  expect(left).toEqual([other]);
  await world.clock.advanceBy(3_000);
  expect(left).toEqual([other, messageId]);
});

it("the dispatcher waits for an answer after the hand-over exactly as long as the carrier allows", async () => {
  Object.assign(provider, { callTimeoutMs: 5_000, answerTimeoutMs: hourMs });
  const answers: (() => void)[] = [];
  provider.onSubmit = async ({ clientReference }, { handOver }) => {
    await handOver();
    left.push(clientReference);
    await new Promise<void>((resolve) => answers.push(resolve));
    return { outcome: "taken", providerMessageId: `p-${clientReference}` };
  };
  const first = await world.accept("+12025550100");
  await world.dispatcher().start();
  await world.clock.advanceBy(hourMs - 1_000);
  const second = await world.accept("+12025550101");
  answers[0]?.();
  await world.clock.settle();
  expect(await world.message(first)).toMatchObject({ status: "SENT", attempts: 1 });
  await world.dispatcher().start();
  await world.clock.advanceBy(hourMs + 1_000);
  answers[1]?.();
  await world.clock.advanceBy(hourMs);
  expect(await world.message(second)).toMatchObject({ status: "SENDING", attempts: 1 });
  expect(left).toEqual([first, second]);
});

it("the dispatcher does not let a message leave if it has lost the message's lease", async () => {
  let handOver: SubmitCall["handOver"] | undefined;
  const slow = world.dispatcher({ callTimeoutMs: 10 * hourMs, leaseMs: 11 * hourMs });
  const messageId = await world.accept("+12025550100");
  provider.onSubmit = (_submission, call) => {
    handOver = call.handOver;
    return silence();
  };
  await slow.start();
  await world.clock.settle();
  // takes the lease away, as if this dispatcher had stalled
  await world.store.write((tx) => expireLeases(tx, world.clock.now()));
  provider.onSubmit = leave(breakOff);
  await world.dispatcher().start();
  await world.clock.advanceBy(60_000);
  expect(left).toEqual([messageId]);
  await expect(handOver?.()).rejects.toThrow("this process has lost the lease of the message");
});
