import { afterEach, beforeEach, expect, it } from "vitest";
import type { DeliveryReport } from "../../carriers/provider.ts";
import { noteTextContacts } from "../../domain/messages/text-rows.ts";
import type { Occurrence } from "../../store/store.ts";
import { createWorld, hourMs, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import type { Dispatcher } from "./dispatcher.ts";

const dayMs = 24 * hourMs;
const PHONE = "+12025550100";
const ADDRESS = "Ada@example.com";

let world: World<ScriptedProvider>;
let dispatcher: Dispatcher;
let occurrences: Occurrence[];

async function open(name: string): Promise<void> {
  occurrences = [];
  world = await createWorld({
    openStore: ({ now }) =>
      openTestStore({ now, noteCommit: (_writes, _ms, noted) => void occurrences.push(...noted) }),
    openProvider: () => new ScriptedProvider(name),
    limit: 1_000,
  });
  dispatcher = world.dispatcher();
  await dispatcher.start();
}

beforeEach(() => open("scripted"));
afterEach(() => world.close());

async function send(to = PHONE): Promise<string> {
  const messageId = await world.accept(to);
  dispatcher.notify();
  await world.clock.settle();
  return messageId;
}

async function tell(messageId: string, report: DeliveryReport): Promise<void> {
  const providerMessageId = `p-${messageId}`;
  const eventId = `${report.status} ${messageId}`;
  await world.provider.tell({ kind: "receipt", clientReference: messageId, providerMessageId, eventId, ...report });
}

const unknownHandset = { status: "UNDELIVERED", reason: "UNKNOWN_HANDSET" } as const;
const hardBounce = { status: "UNDELIVERED", reason: "UNREACHABLE", isPermanent: true } as const;

async function sendAndTell(to: string, report: DeliveryReport): Promise<string> {
  const messageId = await send(to);
  await tell(messageId, report);
  return messageId;
}

const listSuppressed = () =>
  world.store.read((tx) =>
    tx.all<{ channel: string; contact: string }>(
      "SELECT channel, contact FROM suppressions WHERE suppressed_at IS NOT NULL ORDER BY channel, contact",
    ),
  );
const countWatched = async () => (await world.store.read((tx) => tx.all("SELECT contact FROM suppressions"))).length;
const listAlerts = () =>
  world.store.read((tx) => tx.all<{ type: string; message: string }>(`SELECT alert_type AS type, message FROM alerts`));

it("a message to a suppressed address ends FAILED with the reason, uncharged, without reaching the carrier", async () => {
  await sendAndTell(ADDRESS, hardBounce);
  const suppressedAt = new Date(world.clock.now()).toISOString();
  expect(await listSuppressed()).toEqual([{ channel: "EMAIL", contact: "ada@example.com" }]);
  await world.clock.advanceBy(hourMs);
  const submitted = world.provider.submissions.length;
  const messageId = await send("ada@EXAMPLE.com");
  expect(world.provider.submissions).toHaveLength(submitted);
  expect(await world.message(messageId)).toMatchObject({
    ...{ status: "FAILED", deliveryReason: "UNREACHABLE", charge: "RELEASED", costMicros: 0, attempts: 0 },
  });
  expect(await world.usage("EMAIL")).toMatchObject({ used: 1, reserved: 0 });
  const words = await world.store.read((tx) =>
    tx.all<{ words: string }>("SELECT words FROM carrier_words WHERE message_id = $1", messageId),
  );
  expect(words).toEqual([{ words: expect.stringContaining(`suppressed since ${suppressedAt}, because the address`) }]);
  expect(occurrences.filter(({ kind }) => kind === "suppressed")).toEqual([{ kind: "suppressed", channel: "EMAIL" }]);
});

it("refusals of the carrier suppress, and suppressed messages say nothing about its health", async () => {
  const refusal = { outcome: "refused", reason: "UNREACHABLE", isOptOut: false, detail: "550 5.1.1" } as const;
  world.provider.onSubmit = async () => ({ ...refusal, isPermanent: true });
  await send(ADDRESS);
  expect(await listSuppressed()).toHaveLength(1);
  for (let index = 0; index < 10; index += 1) await send(ADDRESS);
  expect(world.provider.submissions).toHaveLength(1);
  expect(await listAlerts()).toEqual([]);
});

it("a temporary bounce suppresses nothing", async () => {
  for (let day = 0; day < 3; day += 1) {
    await sendAndTell(ADDRESS, { status: "UNDELIVERED", reason: "UNREACHABLE" });
    await world.clock.advanceBy(dayMs);
  }
  expect(await countWatched()).toBe(0);
});

it("a number is suppressed when it is unknown on a second day", async () => {
  await sendAndTell(PHONE, unknownHandset);
  await world.clock.advanceBy(hourMs);
  await sendAndTell(PHONE, unknownHandset);
  expect(await listSuppressed()).toEqual([]);
  await world.clock.advanceBy(dayMs);
  await sendAndTell(PHONE, unknownHandset);
  expect(await listSuppressed()).toEqual([{ channel: "SMS", contact: PHONE }]);
  expect(await world.message(await send())).toMatchObject({ status: "FAILED", deliveryReason: "UNKNOWN_HANDSET" });
  expect((await world.message(await send("+12025550101"))).status).toBe("SENT");
});

it.each([
  ["a receipt", undefined],
  ["a receipt with words", "delivered"],
])("a delivery between two days of an unknown number counts: %s", async (_name, detail) => {
  await sendAndTell(PHONE, unknownHandset);
  await world.clock.advanceBy(dayMs);
  await sendAndTell(PHONE, { status: "DELIVERED", reason: null, ...(detail === undefined ? {} : { detail }) });
  expect(await countWatched()).toBe(0);
  await sendAndTell(PHONE, unknownHandset);
  await world.clock.advanceBy(hourMs);
  expect((await world.message(await send())).status).toBe("SENT");
});

it("a suppression ends after 90 days, or when a message that left earlier is delivered", async () => {
  await sendAndTell(ADDRESS, hardBounce);
  await world.clock.advanceBy(90 * dayMs - 1);
  expect((await world.message(await send(ADDRESS))).status).toBe("FAILED");
  await world.clock.advanceBy(1);
  const [slow, bounced] = [await send(ADDRESS), await send(ADDRESS)];
  await tell(bounced, hardBounce);
  expect((await world.message(await send(ADDRESS))).status).toBe("FAILED");
  await tell(slow, { status: "DELIVERED", reason: null });
  expect((await world.message(await send(ADDRESS))).status).toBe("SENT");
});

it("a text from the phone lifts its suppression, for the tenants that it may answer", async () => {
  const sender = "+12025550199";
  await sendAndTell(PHONE, unknownHandset);
  await world.clock.advanceBy(dayMs);
  const messageId = await sendAndTell(PHONE, unknownHandset);
  expect((await world.message(await send())).status).toBe("FAILED");
  const contact = { sender, phone: PHONE, tenantId: world.tenantId, merchantId: "shop", messageId };
  await world.store.write((tx) => noteTextContacts(tx, [contact], world.clock.now()));
  await world.provider.tell({ kind: "inbound", eventId: "1", from: PHONE, to: sender, text: "Hello?" });
  expect((await world.message(await send())).status).toBe("SENT");
});

it("nothing is suppressed while more than a fifth of the carrier's last 100 messages bounced: an alert is raised", async () => {
  for (let index = 0; index < 90; index += 1) await send(`ok${index}@example.com`);
  const addresses = Array.from({ length: 30 }, (_, index) => `gone${index}@example.com`);
  for (const address of addresses) await sendAndTell(address, hardBounce);
  expect(await listSuppressed()).toHaveLength(20);
  expect(await listAlerts()).toEqual([
    {
      type: "PROVIDER_FAILURE",
      message:
        "The email provider returned 21 of its last 100 messages as undeliverable, so their recipients are not suppressed.",
    },
  ]);
  // the bounced messages leave the window
  for (let index = 0; index < 90; index += 1) await send(`ok${index}@example.com`);
  await sendAndTell("late@example.com", hardBounce);
  expect(await listSuppressed()).toHaveLength(21);
});

it("a list whose last mail bounces first is not suppressed either", async () => {
  const sent: string[] = [];
  for (let index = 0; index < 40; index += 1) sent.push(await send(`gone${index}@example.com`));
  for (const messageId of sent.toReversed()) await tell(messageId, hardBounce);
  expect(await listSuppressed()).toHaveLength(20);
  expect(await listAlerts()).toHaveLength(1);
});

it("the simulated carrier suppresses nobody", async () => {
  await world.close();
  await open("simulated");
  await sendAndTell(ADDRESS, hardBounce);
  for (let day = 0; day < 3; day += 1) {
    await sendAndTell(PHONE, unknownHandset);
    await world.clock.advanceBy(dayMs);
  }
  expect(await countWatched()).toBe(0);
});
