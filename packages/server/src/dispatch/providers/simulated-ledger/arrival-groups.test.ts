import { expect, it } from "vitest";
import { ArrivalGroups } from "./arrival-groups.ts";

interface Item {
  readonly reference: string;
}

/** Writes into `written`; each group is under way until it is ended. */
function open(limit = 10) {
  const written: string[][] = [];
  const ends: { resolve: () => void; reject: (reason: Error) => void }[] = [];
  const groups = new ArrivalGroups<Item, string>((group) => {
    written.push(group.map(({ reference }) => reference));
    return new Promise((resolve, reject) => {
      ends.push({ resolve: () => resolve(group.map(({ reference }) => `${reference} written`)), reject });
    });
  }, limit);
  const add = (...references: string[]) => references.map((reference) => groups.add({ reference }));
  return { written, ends, add };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("writes what came in one turn at once, and what comes meanwhile after it", async () => {
  const { written, ends, add } = open();
  const first = add("a", "b");
  await turn();
  const second = [...add("c"), ...add("d")];
  await turn();
  expect(written).toEqual([["a", "b"]]);
  ends[0]?.resolve();
  expect(await Promise.all(first)).toEqual(["a written", "b written"]);
  await turn();
  ends[1]?.resolve();
  expect(await Promise.all(second)).toEqual(["c written", "d written"]);
  expect(written).toEqual([
    ["a", "b"],
    ["c", "d"],
  ]);
});

it("writes no reference twice in a group, and no group beyond its limit", async () => {
  const { written, ends, add } = open(2);
  add("a", "a", "b", "c");
  for (let group = 0; group < 2; group += 1) {
    await turn();
    ends[group]?.resolve();
  }
  await turn();
  expect(written).toEqual([
    ["a", "b"],
    ["a", "c"],
  ]);
});

it("fails with its group alone", async () => {
  const { ends, add } = open();
  const [first] = add("a");
  await turn();
  const [second] = add("b");
  ends[0]?.reject(new Error("the connection was lost"));
  await expect(first).rejects.toThrow("lost");
  await turn();
  ends[1]?.resolve();
  expect(await second).toBe("b written");
});
