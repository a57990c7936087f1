// What a step makes of data from before it: its tables are put back as they were, filled, and taken through it again.

import BetterSqlite3 from "better-sqlite3";
import { expect, it } from "vitest";
import type { Migration } from "../dialect.ts";
import { SqliteConnection } from "../sqlite/connection.ts";
import { campaignReferences } from "./0017-campaign-references.ts";
import { tenantModes } from "./0018-tenant-modes.ts";
import { acceptanceReservations } from "./0024-acceptance-reservations.ts";
import { migrate } from "./migrate.ts";

async function openBefore(undo: readonly string[], fill: readonly string[]): Promise<SqliteConnection> {
  const connection = new SqliteConnection(new BetterSqlite3(":memory:"));
  await migrate(connection, 0);
  for (const sql of [...undo, ...fill]) connection.database.exec(sql);
  return connection;
}

async function apply(connection: SqliteConnection, { statements }: Migration): Promise<void> {
  for (const statement of statements(connection.dialect)) await connection.run(statement);
}

it("a tenant is test where all of its keys were, live where one was or where it had none", async () => {
  const connection = await openBefore(
    ["ALTER TABLE tenants DROP COLUMN mode"],
    [
      ...["none", "test", "live", "both"].map(
        (name) => `INSERT INTO tenants (name, timezone, created_at) VALUES ('${name}', 'UTC', 0)`,
      ),
      `INSERT INTO credentials (api_key, tenant_id, created_at) VALUES ('mkt_test_a', 2, 0), ('mkm_test_b', 2, 0),
         ('mkt_live_c', 3, 0), ('mkt_test_live_', 4, 0), ('mkm_live_d', 4, 0)`,
    ],
  );
  await apply(connection, tenantModes);
  expect(await connection.all("SELECT name, mode FROM tenants ORDER BY tenant_id")).toEqual([
    { name: "none", mode: "live" },
    { name: "test", mode: "test" },
    { name: "live", mode: "live" },
    { name: "both", mode: "live" },
  ]);
});

it("a campaign keeps its reference, which another merchant may now have too", async () => {
  const campaign = (merchantId: string, column: string) =>
    `INSERT INTO campaigns (tenant_id, merchant_id, brand_id, provider, ${column}, use_case, sub_use_cases, description,
       message_flow, sample_messages, opt_in_keywords, opt_out_keywords, help_keywords, opt_in_message, opt_out_message,
       help_message, status, review_status, created_at, updated_at)
     VALUES (1, '${merchantId}', 1, 'p', 'c', '', '', '', '', '', '', '', '', '', '', '', '', '', 0, 0)`;
  const connection = await openBefore(
    [
      "DROP INDEX campaigns_reference",
      "ALTER TABLE campaigns DROP COLUMN merchant_reference",
      "PRAGMA foreign_keys = OFF",
    ],
    [campaign("one", "campaign_reference")],
  );
  await apply(connection, campaignReferences);
  await connection.run(campaign("two", "merchant_reference"));
  await expect(connection.run(campaign("one", "merchant_reference"))).rejects.toThrow(/UNIQUE/);
  expect(
    await connection.all(`SELECT merchant_id AS "merchantId", merchant_reference AS reference FROM campaigns`),
  ).toEqual([
    { merchantId: "one", reference: "c" },
    { merchantId: "two", reference: "c" },
  ]);
});

it("a batch that is being accepted, or removed because it never was, holds what its calls still do", async () => {
  const connection = await openBefore(
    ["period", "units", "credit_units"].map((column) => `ALTER TABLE call_acceptances DROP COLUMN ${column}`),
    [],
  );
  // what must be given is of no interest beside the values
  const insert = async (table: string, values: Readonly<Record<string, string | number>>) => {
    const needed = await connection.all<{ name: string }>(
      `SELECT name FROM pragma_table_info('${table}') WHERE "notnull" = 1 AND dflt_value IS NULL`,
    );
    const row = { ...Object.fromEntries(needed.map(({ name }) => [name, 0])), ...values };
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    await connection.run(
      `INSERT INTO ${table} (${Object.keys(row).join()}) VALUES (${places.join()})`,
      ...Object.values(row),
    );
  };
  for (const [batch_id, is_accepted] of [
    [1, 1],
    [2, 0],
    [3, 0],
  ] as const) {
    await insert("tts_batches", { batch_id, is_accepted });
    await insert("jobs", { job_id: batch_id + 10, kind: "calls.remove", subject: String(batch_id) });
    for (const credit_units of [0, 1]) {
      const request_id = batch_id * 10 + credit_units;
      await insert("tts_calls", { request_id, batch_id, period: "2026-01-01", reserved_units: batch_id, credit_units });
    }
  }
  await insert("call_acceptances", { batch_id: 2, job_id: 12 });
  await apply(connection, acceptanceReservations);
  const sql = `SELECT batch_id AS "batchId", job_id AS "jobId", period, units, credit_units AS "creditUnits"
                 FROM call_acceptances ORDER BY batch_id`;
  expect(await connection.all(sql)).toEqual([
    { batchId: 2, jobId: 12, period: "2026-01-01", units: 4, creditUnits: 1 },
    { batchId: 3, jobId: 13, period: "2026-01-01", units: 6, creditUnits: 1 },
  ]);
});
