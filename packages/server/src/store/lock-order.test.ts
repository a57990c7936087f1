import { describe, expect, it } from "vitest";
import { inLockOrder } from "./lock-order.ts";
import { postgresDialect } from "./postgres/connection.ts";
import { sqliteDialect } from "./sqlite/connection.ts";

const keys = [
  [2, "a", "SMS"],
  [1, "b", "SMS"],
  [1, "a", "SMS"],
  [10, "a", "EMAIL"],
  [1, "a", "EMAIL"],
] as const;

describe("the order in which rows are locked", () => {
  it("is that of their keys, number by number and text by text", () => {
    expect(inLockOrder({ dialect: postgresDialect }, keys, (key) => key)).toEqual([
      [1, "a", "EMAIL"],
      [1, "a", "SMS"],
      [1, "b", "SMS"],
      [2, "a", "SMS"],
      [10, "a", "EMAIL"],
    ]);
  });

  it("leaves what has one key as it came", () => {
    const items = ["first", "second"];
    expect(inLockOrder({ dialect: postgresDialect }, items, () => [1])).toEqual(items);
  });

  it("is any where one process has the database", () => {
    expect(inLockOrder({ dialect: sqliteDialect }, keys, (key) => key)).toBe(keys);
  });
});
