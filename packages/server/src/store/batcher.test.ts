import { beforeEach, expect, it } from "vitest";
import { Batcher } from "./batcher.ts";
import type { Transaction, Work } from "./store.ts";

const tx = {} as Transaction;
/** The groups recorded as a whole, and the items recorded one by one. */
let groups: string[][];
let alone: string[];
let splits: unknown[];
/** Starts the transactions that have not begun. */
let waiting: (() => void)[];

function write<T>(work: Work<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    waiting.push(() => work(tx).then(resolve, reject));
  });
}

function begin(): void {
  for (const run of waiting.splice(0)) run();
}

function openBatcher(): Batcher<string, string> {
  return new Batcher({
    write,
    keyOf: (item) => item.slice(0, 2),
    async recordAll(_tx, items) {
      if (items.includes("bad")) throw new Error("one of them is bad");
      groups.push([...items]);
      return items.map((item) => `all ${item}`);
    },
    async recordOne(item) {
      if (item === "bad") throw new Error("it is bad");
      alone.push(item);
      return `one ${item}`;
    },
    onSplit: (error) => splits.push(error),
  });
}

beforeEach(() => {
  groups = [];
  alone = [];
  splits = [];
  waiting = [];
});

it("the batcher records in one group all items that arrive before the transaction begins", async () => {
  const batcher = openBatcher();
  const first = [batcher.record("a1"), batcher.record("b1")];
  begin();
  const second = batcher.record("c1");
  begin();
  expect(await Promise.all([...first, second])).toEqual(["all a1", "all b1", "all c1"]);
  expect(groups).toEqual([["a1", "b1"], ["c1"]]);
});

it("the batcher records an item in another group if the first group has one with the same key", async () => {
  const batcher = openBatcher();
  const recorded = [batcher.record("a1"), batcher.record("a1 again"), batcher.record("b1")];
  begin();
  await Promise.all(recorded);
  expect(groups).toEqual([["a1"], ["a1 again", "b1"]]);
});

it("the batcher limits a group to the items that one turn of the event loop has time for", async () => {
  const batcher = openBatcher();
  const recorded = Array.from({ length: 70 }, (_, index) => batcher.record(String(index + 10)));
  begin();
  await Promise.all(recorded);
  expect(groups.map(({ length }) => length)).toEqual([64, 6]);
});

it("the batcher records the items of a failed group one by one, and rejects those that fail again", async () => {
  const batcher = openBatcher();
  const recorded = ["a1", "bad", "c1"].map((item) => batcher.record(item));
  begin();
  const ends = await Promise.allSettled(recorded);
  expect(ends.map((end) => (end.status === "fulfilled" ? end.value : String(end.reason)))).toEqual([
    "one a1",
    "Error: it is bad",
    "one c1",
  ]);
  expect([groups, alone, splits.map(String)]).toEqual([[], ["a1", "c1"], ["Error: one of them is bad"]]);
});

it("the batcher continues with a new group after a transaction that never began", async () => {
  const batcher = openBatcher();
  const refused = new Batcher({
    write: () => Promise.reject(new Error("the store is closed")),
    keyOf: (item: string) => item,
    recordAll: async () => [],
    recordOne: async (item) => item,
    onSplit: (error) => splits.push(error),
  });
  expect(await refused.record("a1")).toBe("a1");
  expect(await refused.record("a1")).toBe("a1");
  expect(splits).toHaveLength(2);
  const recorded = batcher.record("a1");
  begin();
  expect(await recorded).toBe("all a1");
});
