import { describe, expect, it } from "vitest";
import { listBatchStatements } from "../testing/batch-statements.ts";
import { batchOf, batchStatement, textOf, valuesOf } from "./statement.ts";

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

  it("returns only the values of its parameters, in their order", () => {
    const message = { tenantId: 2, merchantId: "m", messageId: "msg_1" };
    const call = insert(message);
    expect(valuesOf(call, [])).toEqual(["msg_1", 2]);
    expect(textOf(call, "sqlite")).toBe(insert.one);
  });

  it("turns each parameter into an array", () => {
    expect(batchOf(insert({ messageId: "m", tenantId: 1 }))?.sql).toBe(
      "INSERT INTO t (message_id, tenant_id) SELECT message_id, tenant_id FROM unnest($1::text[], $2::bigint[]) AS w (message_id, tenant_id)",
    );
  });

  it.each([
    [
      "its single text has a further parameter",
      "UPDATE t SET a = $2, b = $3 WHERE c = $1",
      "UPDATE t SET a = w.tenant_id FROM ",
    ],
    ["its batch omits a parameter", "UPDATE t SET a = $2 WHERE c = $1", "UPDATE t SET a = 1 WHERE c = ANY($1)"],
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
    expect(describeIt).toThrow("params names 2 parameters");
  });
});

/** Returns the table and columns of an INSERT; undefined for other statements. */
function insertedInto(sql: string): { table: string | undefined; columns: string[] } | undefined {
  const found = /INSERT INTO (\w+) (?:AS \w+ )?\(([^)]*)\)/.exec(sql);
  if (found === null) return undefined;
  return { table: found[1], columns: (found[2] ?? "").split(",").map((name) => name.trim()) };
}

const inserts = (await listBatchStatements()).filter(([, { one }]) => insertedInto(textOf(one, "postgres")));

it.each(inserts)("%s inserts into the same columns, one by one and as a batch", (_name, { one, batch }) => {
  expect(insertedInto(batch.sql)).toEqual(insertedInto(textOf(one, "postgres")));
});
