// A PostgreSQL on a different timeline than the instances agreed on: it was promoted, or recovered to an earlier time.

import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/dispatch-world.ts";
import { takeUnusedDatabase } from "../../testing/engine.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openStoreAt, openTestStore } from "../../testing/test-store.ts";
import { COMPARING_MS } from "./restoration.ts";

let world: World<ScriptedProvider>;

beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});
afterEach(() => world.close());

const agreeOn = (timeline: string) =>
  world.store.write((tx) => tx.run("UPDATE lineage SET timeline = $1 WHERE lineage_id = 1", timeline));
const agreed = () =>
  world.store.read((tx) => tx.get<{ timeline: string }>("SELECT timeline FROM lineage WHERE lineage_id = 1"));

it("instances send nothing until each has had time to compare its hand-overs, then continue", async () => {
  const dispatchers = [world.dispatcher(), world.dispatcher()];
  for (const dispatcher of dispatchers) await dispatcher.start();
  // wait for the claims of the start: they have already read the timeline, and could still claim the message
  await world.clock.settle();
  expect(await agreed()).toEqual({ timeline: "00000001" });
  await agreeOn("0000000A");
  const messageId = await world.accept("+12025550100");
  for (const dispatcher of dispatchers) dispatcher.notify();
  await world.clock.advanceBy(COMPARING_MS - 1_000);
  expect(world.provider.submissions).toEqual([]);
  expect(new Set(world.logged)).toContainEqual(expect.stringContaining("the database is on another timeline"));
  await world.clock.advanceBy(3_000);
  expect(world.provider.submissions.map(({ clientReference }) => clientReference)).toEqual([messageId]);
  expect(await agreed()).toEqual({ timeline: "00000001" });
});

it("an instance hands over no claimed message, and records no answer, before it has compared hand-overs", async () => {
  const { provider } = world;
  delete provider.find;
  const held = new Map<string, () => void>();
  const wait = (reference: string) =>
    held.has(reference) ? undefined : new Promise<void>((resolve) => held.set(reference, resolve));
  const left: string[] = [];
  const [unanswered, claimed] = [await world.accept("+12025550100"), await world.accept("+12025550101")];
  provider.onSubmit = async ({ clientReference }, { handOver }) => {
    if (clientReference === claimed) await wait(clientReference);
    await handOver();
    left.push(clientReference);
    if (clientReference === unanswered) await wait(clientReference);
    return { outcome: "taken", providerMessageId: `p-${clientReference}` };
  };
  await world.dispatcher().start();
  await expect.poll(() => left).toEqual([unanswered]);
  await agreeOn("0000000A");
  for (const goOn of held.values()) goOn();
  await world.clock.advanceBy(COMPARING_MS - 1_000);
  expect(left).toEqual([unanswered]);
  expect(await world.message(unanswered)).toMatchObject({ status: "SENDING" });
  await world.clock.advanceBy(5_000);
  expect(left).toEqual([unanswered, claimed]);
  expect(await world.statuses()).toEqual({ [unanswered]: "SENT", [claimed]: "SENT" });
});

it.each(["42883", "42501", "0A000"])(
  "an instance logs once if PostgreSQL does not show its timeline (%s), and sends everything",
  async (code) => {
    const { location, release } = await takeUnusedDatabase();
    const silent = await createWorld({
      async openStore({ now }) {
        const first = await openStoreAt(location, { now });
        await first.write(async (tx) => {
          await tx.run("INSERT INTO lineage (lineage_id, timeline) VALUES (1, '0000000A')");
          // connections opened from now on find this function before the one in pg_catalog
          await tx.run(`CREATE FUNCTION pg_current_wal_lsn() RETURNS pg_lsn LANGUAGE plpgsql AS ${raise(code)}`);
          const path = "SET search_path = public, pg_catalog";
          await tx.run(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I ${path}', current_database()); END $$`);
        });
        await first.close();
        return openStoreAt(location, { now });
      },
      openProvider: () => new ScriptedProvider(),
    });
    try {
      const dispatcher = silent.dispatcher();
      await dispatcher.start();
      const sent = [await silent.accept("+12025550100"), await silent.accept("+12025550101")];
      dispatcher.notify();
      await silent.clock.settle();
      expect(silent.provider.submissions.map(({ clientReference }) => clientReference)).toEqual(sent);
      expect(silent.logged).toEqual([expect.stringContaining("does not show its timeline")]);
    } finally {
      await silent.close();
      await release();
    }
  },
);

const raise = (code: string) => `'BEGIN RAISE EXCEPTION ''not here'' USING ERRCODE = ''${code}''; END'`;
