// A PostgreSQL that is on another timeline than instances agreed on: one that was promoted, or recovered to an earlier time.

import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorld, type World } from "../../testing/dispatch-world.ts";
import { ScriptedProvider } from "../../testing/scripted-provider.ts";
import { openTestStore } from "../../testing/test-store.ts";
import { COMPARING_MS } from "./history-watch.ts";

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

it("nothing is sent before each instance had time to compare; then all goes on", async () => {
  const dispatchers = [world.dispatcher(), world.dispatcher()];
  for (const dispatcher of dispatchers) await dispatcher.start();
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
