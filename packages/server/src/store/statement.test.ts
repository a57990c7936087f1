import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type BatchStatement, batchOf, batchStatement, textOf, valuesOf } from "./statement.ts";

describe("a batch statement", () => {
  const insert = batchStatement({
    params: { messageId: "text", tenantId: "bigint" },
    one: "INSERT INTO t (message_id, tenant_id) VALUES ($1, $2)",
    batch: {
      kind: "writes",
      order: "messages",
      sql: (wanted) => `INSERT INTO t (message_id, tenant_id) SELECT message_id, tenant_id FROM ${wanted}`,
    },
  });

  it("gives the values in the order of its parameters, whatever theirs is, and those alone", () => {
    const message = { tenantId: 2, merchantId: "m", messageId: "msg_1" };
    const call = insert(message);
    expect(valuesOf(call, [])).toEqual(["msg_1", 2]);
    expect(textOf(call, "sqlite")).toBe(insert.one);
  });

  it("has the parameters as columns of arrays", () => {
    expect(batchOf(insert({ messageId: "m", tenantId: 1 }))?.sql).toBe(
      "INSERT INTO t (message_id, tenant_id) SELECT message_id, tenant_id FROM unnest($1::text[], $2::bigint[]) AS w (message_id, tenant_id)",
    );
  });

  it.each([
    [
      "its single text has another parameter",
      "UPDATE t SET a = $2, b = $3 WHERE c = $1",
      "UPDATE t SET a = w.tenant_id FROM ",
    ],
    ["its batch leaves one out", "UPDATE t SET a = $2 WHERE c = $1", "UPDATE t SET a = 1 WHERE c = ANY($1)"],
  ])("is refused if %s", (_what, one, batch) => {
    const describeIt = () =>
      batchStatement({
        params: { messageId: "text", tenantId: "bigint" },
        one,
        batch: {
          kind: "writes",
          order: "messages",
          sql: (wanted) => (batch.endsWith("FROM ") ? batch + wanted : batch),
        },
      });
    expect(describeIt).toThrow("2 parameters are named");
  });
});

/** Table and columns of an INSERT; undefined for another statement. */
function insertedInto(sql: string): { table: string | undefined; columns: string[] } | undefined {
  const found = /INSERT INTO (\w+) (?:AS \w+ )?\(([^)]*)\)/.exec(sql);
  if (found === null) return undefined;
  return { table: found[1], columns: (found[2] ?? "").split(",").map((name) => name.trim()) };
}

const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" });
const sources = files.filter((name) => /^(?:queue\/)?[\w-]+(?<!\.test)\.ts$/.test(name));
const exported = await Promise.all(sources.map((name) => import(join(import.meta.dirname, name))));
const inserts = exported
  .flatMap((module) => Object.entries<BatchStatement>(module))
  .filter(
    ([, value]) => typeof value === "function" && "batch" in value && insertedInto(textOf(value.one, "postgres")),
  );

it("finds the statements that insert", () => {
  expect(inserts.map(([name]) => name).sort()).toEqual([
    "insertEntryStatement",
    "insertLongContentStatement",
    "insertMessageStatement",
    "keepIdempotencyStatement",
    "saveDispatchStatement",
  ]);
});

it.each(inserts)("%s adds rows to the same columns, one by one and as a batch", (_name, { one, batch }) => {
  expect(insertedInto(batch.sql)).toEqual(insertedInto(textOf(one, "postgres")));
});
