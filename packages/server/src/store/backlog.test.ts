import { afterEach, beforeEach, expect, it } from "vitest";
import { createWorld, hourMs, startMs, type World } from "../testing/dispatch-world.ts";
import { ScriptedProvider } from "../testing/scripted-provider.ts";
import { openTestStore } from "../testing/test-store.ts";
import { readBacklog } from "./backlog.ts";
import { QueueFloors } from "./queue-floors.ts";

let world: World<ScriptedProvider>;
beforeEach(async () => {
  world = await createWorld({
    openStore: ({ now }) => openTestStore({ now }),
    openProvider: () => new ScriptedProvider(),
  });
});
afterEach(() => world.close());

it("counts what waits, and since when the oldest does", async () => {
  const floors = new QueueFloors();
  const read = () => world.store.read((tx) => readBacklog(tx, world.clock.now(), floors.beginLook()));
  const nothing = { waiting: 0, oldestDueAt: null, inDoubt: 0, unknown: 0, jobsDue: 0, callbacksPending: 0 };
  expect(await read()).toEqual(nothing);
  await world.accept("+12025550100");
  await world.clock.advanceBy(hourMs);
  await world.accept("+12025550101");
  expect(await read()).toEqual({ ...nothing, waiting: 2, oldestDueAt: startMs });
  await world.dispatcher().start();
  await world.clock.settle();
  expect(await read()).toEqual(nothing);
});
