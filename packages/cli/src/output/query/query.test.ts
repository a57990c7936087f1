import { describe, expect, it } from "vitest";
import { compileQuery, requireQuery } from "./query.ts";

const long = 9007199254740993n;
const parcels = [
  { id: long, litres: 2, pin: null, status: "SENT" },
  { id: 7, litres: 5, pin: "********", status: "FAILED" },
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
    ["[?status==`FAILED`].id", [7]],
    ['[?status==`"FAILED"`].id', [7]],
    ["[?status=='FAILED'].id", [7]],
    ["[?status!=`SENT`&&litres==`5`].id | [0]", 7],
    ["contains(`a b`, ' b')", true],
    ["`2026-01-31`", "2026-01-31"],
    ["`a\\`b`", "a`b"],
    ["`[1, 2]`", [1, 2]],
  ])("selects its result: %s", async (expression, result) => {
    expect((await requireQuery(expression))(parcels)).toEqual(result);
  });

  it("keeps integers exact even if they have the same double, but cannot compare them", async () => {
    const twins = [{ id: long }, { id: long - 1n }];
    expect((await requireQuery("[].id"))(twins)).toEqual([long, long - 1n]);
  });

  it("treats an answer without a body as null", async () => {
    expect((await requireQuery("@"))(undefined)).toBeNull();
  });

  it("says that the request succeeded if the query fails on the answer", async () => {
    const query = await requireQuery("length(@)");
    expect(() => query(7)).toThrow("the request succeeded, but --query failed");
  });
});

it.each([["["], ['[]."\\x"'], ["[?a"], [""], ["lenth(@)"], ["length(@, @)"], ["[].{n: map(&foo(@), labels)}"]])(
  "the invalid query %j is refused when it is compiled",
  async (expression) => {
    const expected = expect.stringMatching(/^a JMESPath expression/);
    expect(await compileQuery(expression)).toEqual({ ok: false, expected });
    await expect(requireQuery(expression)).rejects.toThrow(`--query: received ${JSON.stringify(expression)}; expected`);
  },
);

it.each([
  ["[?litres > ]", 'at character 12, "]"'],
  ["[].{id: id", "at its end"],
  ["[?status = `x`]", 'at character 10, "="'],
  ["[0].id #", 'at character 8, "#"'],
  ["sort_by(@, &id)) | [0]", 'at character 16, ")"'],
  ["[].id foo", 'at character 7, "foo"'],
  ["[?a == `x", "at character 8: the quote ` is not closed"],
  ["'it", "at character 1: the quote ' is not closed"],
  ['[]."a b', 'at character 4: the quote " is not closed'],
  ["[?status == FAILED && lenth(id)]", 'at character 23, "lenth"'],
  ["length(@, @)", 'at character 1, "length"'],
])("an error names its position in the query %s", async (expression, place) => {
  expect(await compileQuery(expression)).toEqual({ ok: false, expected: expect.stringContaining(place) });
});

it("an expression of any length is compiled within the time limit of the test", async () => {
  const long = `[${"a.".repeat(20_000)}`;
  expect((await compileQuery(long)).ok).toBe(false);
});
