// Commits whose acknowledgement is lost while the process that requested them lives.

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

/** The kind of write whose acknowledgement is lost, how many more losses follow, and whether these writes are committed. */
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
  "if acknowledgements are lost (carrier's capacity: $capacity, writes committed: $isDone)",
  ({ capacity, isDone }) => {
    it.each([1, 2, 3])("for %i claims, the message is sent once, within seconds", async (left) => {
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

    it.each([1, 2])("for %i hand-overs, the message leaves once, within seconds", async (left) => {
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
      // the pauses between look-ups of a commit in doubt are in elapsed time
      await expect.poll(() => leaving).toBe(1);
      await world.clock.settle();
      expect(await world.message(messageId)).toMatchObject({ status: "SENT", attempts: 1 });
    });
  },
);

it("a hand-over that stays in doubt counts as failed: the message is retried, not UNKNOWN", async () => {
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

it("a receipt of a part counts if it arrives between two tries to record the message's answer", async () => {
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
