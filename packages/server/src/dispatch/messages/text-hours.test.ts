import { afterEach, beforeEach, expect, it } from "vitest";
import { readMessageStory } from "../../domain/recipients/story.ts";
import { setTextHours } from "../../domain/tenancy/rows.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import type { Dispatcher } from "./dispatcher.ts";

const PHONE = "+12125550100";
/** 23:00 in New York; 08:00 is nine hours later. */
const NIGHT_MS = Date.parse("2025-06-03T03:00:00Z");

let world: World<ScriptedProvider>;
let dispatcher: Dispatcher;

async function open(provider: ScriptedProvider): Promise<void> {
  world = await createWorld({ openStore: ({ now }) => openTestStore({ now }), openProvider: () => provider });
  await world.setConsent(PHONE, "OPT_IN");
  await world.store.write((tx) => setTextHours(tx, world.tenantId, "08:00-20:00 +1"));
  dispatcher = world.dispatcher();
  await dispatcher.start();
  await world.clock.advanceBy(NIGHT_MS - world.clock.now());
}

beforeEach(() => open(new ScriptedProvider()));
afterEach(() => world.close());

async function send(message: Parameters<typeof world.accept>[1] = { type: "MARKETING" }, to = PHONE): Promise<string> {
  const messageId = await world.accept(to, message);
  dispatcher.notify();
  await world.clock.settle();
  return messageId;
}

const statusOf = async (messageId: string) => (await world.message(messageId)).status;
const holdOf = async (messageId: string) => {
  const { tenantId, clock, store } = world;
  const scope = { tenantId, merchantId: null };
  return (await store.read((tx) => readMessageStory(tx, scope, { messageId, now: clock.now() }))).hold;
};

it("a marketing text stays QUEUED until the hours begin, and says why; other texts leave", async () => {
  const held = await send();
  const other = await send({ type: "OTP" });
  expect([await statusOf(held), await statusOf(other)]).toEqual(["QUEUED", "SENT"]);
  const until = NIGHT_MS + 9 * hourMs;
  expect(await holdOf(held)).toEqual({ until, timezone: "America/New_York", hours: "08:00-20:00" });
  expect(await holdOf(other)).toBeNull();
  expect(await world.usage()).toMatchObject({ used: 1, reserved: 1 });
  await world.clock.advanceBy(9 * hourMs - 1);
  expect(await statusOf(held)).toBe("QUEUED");
  await world.clock.advanceBy(1);
  expect([await statusOf(held), await holdOf(held)]).toEqual(["SENT", null]);
  expect(world.provider.submissions).toHaveLength(2);
});

it("a text that waits in its carrier's queue until the night is held, too", async () => {
  await world.close();
  const provider = new ScriptedProvider();
  let capacity = 0;
  provider.capacity = () => capacity;
  await open(provider);
  const atNight = await send();
  await world.clock.advanceBy(9 * hourMs);
  expect(await statusOf(atNight)).toBe("QUEUED");
  const byDay = await send();
  await world.clock.advanceBy(12 * hourMs);
  capacity = 10;
  provider.noteReach();
  await world.clock.settle();
  expect([await statusOf(atNight), await statusOf(byDay)]).toEqual(["QUEUED", "QUEUED"]);
  await world.clock.advanceBy(12 * hourMs);
  expect([await statusOf(atNight), await statusOf(byDay)]).toEqual(["SENT", "SENT"]);
});

it("consent is checked again when a held text leaves: a STOP in between ends it, uncharged", async () => {
  const messageId = await send();
  await world.clock.advanceBy(hourMs);
  await world.setConsent(PHONE, "OPT_OUT");
  await world.clock.advanceBy(9 * hourMs);
  expect(await world.message(messageId)).toMatchObject({
    ...{ status: "FAILED", deliveryReason: "OPTED_OUT", charge: "RELEASED" },
  });
  expect(world.provider.submissions).toEqual([]);
});

it.each([undefined, () => 10])(
  "a held text that is too old when the hours begin expires at its time",
  async (capacity) => {
    await world.close();
    const provider = new ScriptedProvider();
    if (capacity !== undefined) provider.capacity = capacity;
    await open(provider);
    provider.onSubmit = async () => ({ outcome: "deferred", retryAfterMs: hourMs, detail: "later" });
    // from 07:30 to 07:30 of the fourth day; the hours begin at 08:00
    await world.clock.advanceBy(8.5 * hourMs);
    const messageId = await send();
    await world.clock.advanceBy(71.9 * hourMs);
    expect(await statusOf(messageId)).toBe("QUEUED");
    await world.clock.advanceBy(0.1 * hourMs);
    expect(await world.message(messageId)).toMatchObject({ status: "EXPIRED", charge: "RELEASED" });
  },
);

it("a tenant without hours sends at any time", async () => {
  await world.store.write((tx) => setTextHours(tx, world.tenantId, null));
  expect(await statusOf(await send())).toBe("SENT");
});
