// Commits whose answer is lost, while the process that asked for them lives.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { carryBy } from "../../carriers/carriers.ts";
import { CommitInDoubt, type Store } from "../../store/store.ts";
import { createWorld, type World } from "../../testing/dispatch-world.ts";
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

/** The writes without an answer, how many more, and whether they are done. */
interface Losing {
  priority: "claim" | "together";
  left: number;
  isDone: boolean;
}

function withoutAnswers(store: Store, losing: Losing): Store {
  return {
    ...store,
    async write(work, priority) {
      const isLost = priority === losing.priority && losing.left > 0;
      if (!isLost) return store.write(work, priority);
      losing.left -= 1;
      if (losing.isDone) await store.write(work, priority);
      throw new CommitInDoubt("the connection was lost during a commit");
    },
  };
}

async function start(losing: Losing, capacity: number | undefined) {
  delete provider.find;
  if (capacity !== undefined) provider.capacity = () => capacity;
  const store = withoutAnswers(world.store, losing);
  const dispatcher = world.dispatcher({ store, carriers: carryBy([provider], () => provider) });
  await dispatcher.start();
  await world.clock.settle();
  return dispatcher;
}

const ways = [
  { capacity: undefined, isDone: true },
  { capacity: undefined, isDone: false },
  { capacity: 8, isDone: true },
  { capacity: 8, isDone: false },
];

describe.each(ways)(
  "without an answer, with a capacity of $capacity, if it was done: $isDone",
  ({ capacity, isDone }) => {
    it.each([1, 2, 3])("%i claims: the message goes out within seconds, once", async (left) => {
      const losing: Losing = { priority: "claim", left: 0, isDone };
      const dispatcher = await start(losing, capacity);
      const messageId = await world.accept("+12025550100");
      losing.left = left;
      dispatcher.notify();
      await world.clock.advanceBy(5_000);
      expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
      expect(provider.submissions).toHaveLength(1);
      expect(await world.usage()).toMatchObject({ used: 1, reserved: 0 });
    });

    it.each([1, 2])("%i hand-overs: the message leaves within seconds, once", async (left) => {
      const losing: Losing = { priority: "together", left: 0, isDone };
      const dispatcher = await start(losing, capacity);
      let leaving = 0;
      provider.onSubmit = async (_submission, { handOver }) => {
        losing.left = left;
        await handOver();
        leaving += 1;
        return { outcome: "taken", providerMessageId: "p-1" };
      };
      const messageId = await world.accept("+12025550100");
      dispatcher.notify();
      // a commit in doubt is looked up by elapsed time
      await expect.poll(() => leaving).toBe(1);
      await world.clock.settle();
      expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
    });
  },
);

it("a hand-over that stays in doubt is known to have failed: the message is retried, not UNKNOWN", async () => {
  const losing: Losing = { priority: "together", left: 0, isDone: true };
  const dispatcher = await start(losing, 8);
  let leaving = 0;
  provider.onSubmit = async (_submission, { handOver }) => {
    losing.left = leaving === 0 ? 6 : 0;
    leaving += 1;
    await handOver();
    return { outcome: "taken", providerMessageId: "p-1" };
  };
  const messageId = await world.accept("+12025550100");
  dispatcher.notify();
  await expect.poll(async () => [leaving, (await world.outbox())[0]?.state]).toEqual([1, "ready"]);
  await world.clock.advanceBy(60_000);
  expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 2 });
  expect(leaving).toBe(2);
});

it("a receipt of a part counts if it comes before its answer, whose commit was in doubt, is recorded again", async () => {
  const losing: Losing = { priority: "together", left: 0, isDone: true };
  const dispatcher = await start(losing, 8);
  provider.onSubmit = async (_submission, { handOver }) => {
    await handOver();
    losing.left = 1;
    return { outcome: "taken", providerMessageId: "p-1", parts: ["p-1", "p-2"] };
  };
  const tell = (part: string) =>
    provider.tell({ kind: "part-receipt", eventId: part, part, status: "DELIVERED", reason: null });
  const messageId = await world.accept("+12025550100");
  dispatcher.notify();
  await expect.poll(async () => (await world.message(messageId)).status).toBe("SENT");
  await tell("p-1");
  await world.clock.advanceBy(2_000);
  await tell("p-2");
  expect((await world.message(messageId)).status).toBe("DELIVERED");
});
