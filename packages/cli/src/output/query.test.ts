import { describe, expect, it } from "vitest";
import { compileQuery, requireQuery } from "./query.ts";

const long = 9007199254740993n;
const parcels = [
  { id: long, litres: 2, pin: null },
  { id: 7, litres: 5, pin: "********" },
];

describe("a query", () => {
  it.each([
    ["[].id", [long, 7]],
    ["[?litres > `3`].id | [0]", 7],
    ["[0].{id: id}", { id: long }],
    ["max([].id)", long],
    ["sort_by(@, &id)[].id", [7, long]],
    ["[?id > `7`].litres", [2]],
    ["length(@)", 2],
    ["[0].pin", null],
    ["nothing", null],
  ])("%s", async (expression, result) => {
    expect((await requireQuery(expression))(parcels)).toEqual(result);
  });

  it("keeps integers exact that are one double, and so cannot be compared", async () => {
    const twins = [{ id: long }, { id: long - 1n }];
    expect((await requireQuery("[].id"))(twins)).toEqual([long, long - 1n]);
  });

  it("takes an answer without a body for null", async () => {
    expect((await requireQuery("@"))(undefined)).toBeNull();
  });

  it("says that the command was done when it fails on the answer", async () => {
    const query = await requireQuery("length(@)");
    expect(() => query(7)).toThrow("the service answered, but --query failed");
  });
});

it.each([["["], ["[?a"], [""], ["lenth(@)"], ["length(@, @)"], ["[].{n: map(&foo(@), labels)}"]])(
  "refuses %j before there is an answer",
  async (expression) => {
    const expected = expect.stringMatching(/^a JMESPath expression/);
    expect(await compileQuery(expression)).toEqual({ ok: false, expected });
    await expect(requireQuery(expression)).rejects.toThrow(`--query: received ${JSON.stringify(expression)}; expected`);
  },
);
