import { describe, expect, it } from "vitest";
import type { SqlValue } from "../store.ts";
import type { SetForm } from "./set-form.ts";
import { listSetForms } from "./set-forms.ts";
import { toArrays } from "./shared-transaction.ts";

const named = listSetForms().map(([single, form]) => ({ name: single.trim().slice(0, 60), single, form }));

/** The highest number of a parameter. */
function countParameters(sql: string): number {
  return Math.max(...Array.from(sql.matchAll(/\$(\d+)/g), ([, number]) => Number(number)));
}

/** Table and columns of an INSERT; undefined for another statement. */
function insertedInto(sql: string): { table: string | undefined; columns: string[] } | undefined {
  const found = /INSERT INTO (\w+) \(([^)]*)\)/.exec(sql);
  return found === null
    ? undefined
    : { table: found[1], columns: (found[2] ?? "").split(",").map((name) => name.trim()) };
}

describe.each(named)("the form of $name", ({ single, form }) => {
  it("has the parameters of the single statement", () => {
    expect(form.types).toHaveLength(countParameters(single));
    expect(countParameters(form.sql)).toBe(form.types.length);
  });

  it("adds rows to the same columns", () => {
    expect(insertedInto(form.sql)).toEqual(insertedInto(single));
  });
});

describe("values of a form", () => {
  const form: SetForm = { sql: "SELECT $1, $2", types: ["text", "bigint"], kind: "reads", rank: 0 };
  const arrays = (...rows: SqlValue[][]) =>
    toArrays(
      form,
      rows.map((values) => ({ values })),
    );

  it("are an array for each parameter", () => {
    expect(arrays(["a", 1], ["b", null])).toEqual([
      ["a", "b"],
      [1, null],
    ]);
  });

  it.each([[["a", 1, "a new column"]], [["a"]]])("are as many as its parameters: %j", (values) => {
    expect(() => arrays(["a", 1], values)).toThrow(`${values.length} values were given to a form of 2 parameters`);
  });
});
