import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import { hideLimits, SqliteConnection } from "./connection.ts";

it("hideLimits hides the value of a LIMIT parameter from the planner, and no other value", () => {
  expect(hideLimits("SELECT a FROM t WHERE b = ? ORDER BY a LIMIT ?")).toBe(
    "SELECT a FROM t WHERE b = ? ORDER BY a LIMIT 0 + ?",
  );
  expect(hideLimits("SELECT a FROM t LIMIT 1")).toBe("SELECT a FROM t LIMIT 1");
});

it("a query with a LIMIT parameter returns that many rows", async () => {
  const connection = new SqliteConnection(new BetterSqlite3(":memory:"));
  const numbers =
    "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9) SELECT i FROM n LIMIT $1";
  expect(await connection.all(numbers, 2)).toEqual([{ i: 1 }, { i: 2 }]);
  expect(await connection.all(numbers, 0)).toEqual([]);
});
