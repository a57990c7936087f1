import { expect, it } from "vitest";
import { groupAlike } from "./batching.ts";

it("groups items with equal values, in the order of the groups' first items", () => {
  const items = [
    { id: 1, status: "SENT", reason: null },
    { id: 2, status: "SENT", reason: "null" },
    { id: 3, status: "SENT", reason: null },
  ];
  const groups = groupAlike(items, ({ status, reason }) => [status, reason] as const);
  expect(groups.map(({ shared, items: members }) => [shared, members.map(({ id }) => id)])).toEqual([
    [
      ["SENT", null],
      [1, 3],
    ],
    [["SENT", "null"], [2]],
  ]);
});
