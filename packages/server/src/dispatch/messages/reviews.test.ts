// Reviews: a carrier that can be asked what became of a message is asked if no final receipt comes.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { AcceptedSubmission } from "../../carriers/provider.ts";
import { createWorld, hourMs, startMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";

const minuteMs = 60_000;

let world: World<ScriptedProvider>;
let provider: ScriptedProvider;
let reviews: { readonly atMs: number; readonly of: AcceptedSubmission }[];
/** Answers a review. */
let onReview: (of: AcceptedSubmission) => Promise<void>;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
  provider = world.provider;
  delete provider.find;
  reviews = [];
  onReview = async () => {};
  provider.review = async (of) => {
    reviews.push({ atMs: world.clock.now() - startMs, of });
    await onReview(of);
  };
});

afterEach(() => world.close());

const statusOf = async (messageId: string) => (await world.message(messageId)).status;

async function send(): Promise<string> {
  const messageId = await world.accept("+12025550100");
  await world.dispatcher().start();
  await world.clock.settle();
  return messageId;
}

const hours = () => reviews.map(({ atMs }) => atMs / hourMs);

describe("a message without a final receipt", () => {
  it("is reviewed after a quarter of an hour, and ends as its carrier says", async () => {
    const messageId = await send();
    onReview = ({ clientReference }) => provider.tellReceipt(clientReference, "DELIVERED");
    await world.clock.advanceBy(15 * minuteMs - 1);
    expect(reviews).toEqual([]);
    await world.clock.advanceBy(1);
    const of = { clientReference: messageId, providerMessageId: `p-${messageId}`, channel: "SMS" };
    expect(reviews).toEqual([{ atMs: 15 * minuteMs, of }]);
    expect(await statusOf(messageId)).toBe("DELIVERED");
    expect(await world.outbox()).toEqual([]);
    await world.clock.advanceBy(80 * hourMs);
    expect(reviews).toHaveLength(1);
  });

  it("is reviewed again at longer and longer intervals, and is UNKNOWN if its carrier never knows the end", async () => {
    const messageId = await send();
    await world.clock.advanceBy(71.9 * hourMs);
    expect(hours()).toEqual([0.25, 1.25, 5.25, 21.25, 45.25, 69.25]);
    expect(await statusOf(messageId)).toBe("SENT");
    await world.clock.advanceBy(hourMs);
    expect(await statusOf(messageId)).toBe("UNKNOWN");
    expect(reviews).toHaveLength(6);
  });

  it("is reviewed although a report of its carrier came before the answer", async () => {
    provider.onSubmit = async ({ clientReference }) => {
      await provider.tellReceipt(clientReference, "SENT");
      return { outcome: "taken", providerMessageId: `p-${clientReference}` };
    };
    await send();
    await world.clock.advanceBy(15 * minuteMs);
    expect(hours()).toEqual([0.25]);
  });

  it("is reviewed again soon if the carrier gives no answer", async () => {
    const messageId = await send();
    let isDown = true;
    onReview = async ({ clientReference }) => {
      if (isDown) throw new Error("no answer");
      await provider.tellReceipt(clientReference, "UNDELIVERED");
    };
    await world.clock.advanceBy(2 * hourMs);
    expect(reviews.length).toBeGreaterThan(3);
    isDown = false;
    await world.clock.advanceBy(2 * hourMs);
    expect(await statusOf(messageId)).toBe("UNDELIVERED");
  });

  it("is reviewed before it is given up if no process ran in the meantime", async () => {
    const messageId = await world.accept("+12025550100");
    const first = world.dispatcher();
    await first.start();
    await world.clock.settle();
    await first.stop();
    await world.clock.advanceBy(100 * hourMs);
    onReview = ({ clientReference }) => provider.tellReceipt(clientReference, "DELIVERED");
    await world.dispatcher().start();
    await world.clock.settle();
    expect(await statusOf(messageId)).toBe("DELIVERED");
  });
});
