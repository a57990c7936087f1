// Results that are recorded in one batch count as if each had been recorded separately.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createWorld, startMs, type World } from "../../testing/dispatch-world.ts";
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
});

afterEach(() => world.close());

async function acceptSeveral(count: number, units = 1): Promise<string[]> {
  const messageIds: string[] = [];
  while (messageIds.length < count) messageIds.push(await world.accept("+12025550100", { units }));
  return messageIds;
}

/** Answers `count` submissions at once, after `meanwhile` has run. */
async function dispatch(count: number, meanwhile: () => Promise<unknown> = async () => {}): Promise<void> {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  provider.onSubmit = async ({ clientReference }) => {
    await opened;
    return { outcome: "taken", providerMessageId: `p-${clientReference}` };
  };
  await world.dispatcher().start();
  await expect.poll(() => provider.submissions.length).toBe(count);
  await meanwhile();
  open();
  await world.clock.settle();
}

function findAlerts(): Promise<{ message: string }[]> {
  return world.store.read((tx) => tx.all<{ message: string }>("SELECT message FROM alerts ORDER BY alert_id"));
}

const wayTo94 = [
  "SMS usage has reached 50 % of the monthly limit: 50 of 100.",
  "SMS usage has reached 80 % of the monthly limit: 80 of 100.",
  "SMS usage has reached 90 % of the monthly limit: 90 of 100.",
];

describe("submissions that are answered at the same time", () => {
  it("are all SENT, and charged to quota and day", async () => {
    const messageIds = await acceptSeveral(20, 2);
    await dispatch(20);
    for (const messageId of messageIds) {
      expect(await world.message(messageId)).toEqual({
        status: "SENT",
        deliveryReason: null,
        charge: "SETTLED",
        costMicros: 15_800,
        markupMicros: 3_160,
        attempts: 1,
        providerMessageId: `p-${messageId}`,
      });
    }
    expect(await world.usage()).toMatchObject({ used: 40, reserved: 0 });
    const days = await world.store.read((tx) =>
      tx.all(
        `SELECT day, units, provider_cost_micros AS "costMicros", markup_micros AS "markupMicros" FROM daily_totals`,
      ),
    );
    const day = new Date(startMs).toISOString().slice(0, 10);
    expect(days).toEqual([{ day, units: 40, costMicros: 316_000, markupMicros: 63_200 }]);
    const health = await world.store.read((tx) => tx.get("SELECT recent FROM provider_health"));
    expect(health).toEqual({ recent: "0".repeat(20) });
  });

  it("raise an alert for every threshold they cross, each with the usage that reached it", async () => {
    await acceptSeveral(47, 2);
    await dispatch(47);
    expect((await findAlerts()).map(({ message }) => message)).toEqual(wayTo94);
  });

  it("are recorded, except the one whose lease was lost", async () => {
    const [lost = "", ...others] = await acceptSeveral(5);
    await dispatch(5, () =>
      world.store.write((tx) => {
        const table = tx.dialect.engine === "postgres" ? "outbox" : "dispatches";
        return tx.run(`UPDATE ${table} SET lease_token = 'of another' WHERE message_id = $1`, lost);
      }),
    );
    expect(await world.message(lost)).toMatchObject({ status: "SENDING", charge: "RESERVED", providerMessageId: null });
    const statuses = await world.statuses();
    expect(others.map((messageId) => statuses[messageId])).toEqual(["SENT", "SENT", "SENT", "SENT"]);
    expect(await world.usage()).toMatchObject({ used: 4, reserved: 1 });
    expect(world.logged).toContain("failed to record a batch; recording its items one by one");
  });
});

describe("receipts that arrive at the same time", () => {
  it("end each message once, whatever they report", async () => {
    const [first = "", second = "", third = "", fourth = ""] = await acceptSeveral(4);
    await dispatch(4);
    const receipt = (messageId: string, eventId: string) =>
      ({ kind: "receipt", eventId, clientReference: messageId, providerMessageId: `p-${messageId}` }) as const;
    await Promise.all([
      provider.tell({ ...receipt(first, "e1"), status: "DELIVERED", reason: null }),
      provider.tell({ ...receipt(first, "e2"), status: "UNDELIVERED", reason: "BLOCKED" }),
      provider.tell({ ...receipt(second, "e3"), status: "UNDELIVERED", reason: "UNREACHABLE" }),
      provider.tell({ ...receipt(third, "e4"), status: "UNDELIVERED", reason: "BLOCKED", detail: "not wanted" }),
      provider.tell({ ...receipt(fourth, "e5"), status: "SENT", reason: null }),
      provider.tell({ ...receipt("msg_of_nobody", "e6"), status: "DELIVERED", reason: null }),
    ]);
    expect(await world.message(first)).toMatchObject({ status: "DELIVERED", deliveryReason: null });
    expect(await world.message(second)).toMatchObject({ status: "UNDELIVERED", deliveryReason: "UNREACHABLE" });
    expect(await world.message(third)).toMatchObject({ status: "UNDELIVERED", deliveryReason: "BLOCKED" });
    expect(await world.message(fourth)).toMatchObject({ status: "SENT" });
    expect(await world.outbox()).toEqual([{ messageId: fourth, state: "awaiting" }]);
    expect(world.logged).toContain("a provider reported an unknown message");
    const words = await world.store.read((tx) => tx.all("SELECT words FROM carrier_words"));
    expect(words).toEqual([{ words: "not wanted" }]);
  });

  it("prove that messages without an answer were accepted", async () => {
    const [messageId = "", other = ""] = await acceptSeveral(2);
    const receipt = { kind: "receipt", status: "DELIVERED", reason: null } as const;
    await dispatch(2, () =>
      Promise.all(
        [messageId, other].map((id) =>
          provider.tell({ ...receipt, eventId: id, clientReference: id, providerMessageId: `p-${id}` }),
        ),
      ),
    );
    expect(Object.values(await world.statuses())).toEqual(["DELIVERED", "DELIVERED"]);
    expect(await world.usage()).toMatchObject({ used: 2, reserved: 0 });
  });

  it("raise an alert for every threshold that the proved messages cross", async () => {
    const messageIds = await acceptSeveral(47, 2);
    const receipt = { kind: "receipt", status: "DELIVERED", reason: null } as const;
    await dispatch(47, () =>
      Promise.all(
        messageIds.map((id) =>
          provider.tell({ ...receipt, eventId: id, clientReference: id, providerMessageId: `p-${id}` }),
        ),
      ),
    );
    expect((await findAlerts()).map(({ message }) => message)).toEqual(wayTo94);
  });
});
