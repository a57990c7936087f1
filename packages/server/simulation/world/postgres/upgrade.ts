// The tables of the next build: the changes that a newer server makes to a database that older servers still use.

import type { SessionPort } from "../../../src/platform/postgres/sessions.ts";
import { migrations, newestVersion } from "../../../src/store/migrate.ts";
import type { Migration } from "../../../src/store/statement.ts";

const INDEXES = [
  { name: "messages_of_next_version", on: "messages (tenant_id, created_at)" },
  { name: "dispatches_of_next_version", on: "dispatches (accepted_at)" },
] as const;

/** A new table, a change that blocks writers, and indexes that are built concurrently. */
const nextStep: Migration = {
  version: newestVersion + 1,
  name: "of the next version",
  statements: () => [
    "CREATE TABLE of_next_version (message_id text PRIMARY KEY)",
    // adds no column: a dropped column leaves a trace in the table, which the next world reuses
    "ALTER TABLE messages ALTER COLUMN subject SET DEFAULT NULL",
    "ALTER TABLE dispatches ALTER COLUMN carrier SET DEFAULT NULL",
  ],
  indexes: INDEXES,
};

export const nextSteps: readonly Migration[] = [...migrations, nextStep];

/** Lists the changes that a finished upgrade lacks or has made twice. */
export async function listUpgradeFaults(direct: SessionPort): Promise<string[]> {
  const steps = await direct.ask<{ count: string }>(
    "SELECT COUNT(*) AS count FROM migrations WHERE version = $1::int",
    [nextStep.version],
  );
  const indexes = await direct.ask<{ name: string; isValid: boolean }>(
    `SELECT relname AS name, indisvalid AND indisready AS "isValid" FROM pg_class JOIN pg_index ON indexrelid = pg_class.oid
      WHERE relnamespace = current_schema()::regnamespace AND relname LIKE '%of_next_version%'`,
  );
  const valid = new Set(indexes.rows.filter(({ isValid }) => isValid).map(({ name }) => name));
  return [
    ...(Number(steps.rows[0]?.count) === 1
      ? []
      : [`the upgrade's migration is on record ${steps.rows[0]?.count} times`]),
    ...INDEXES.filter(({ name }) => !valid.has(name)).map(({ name }) => `${name} is missing or half built`),
  ];
}

/** Restores the tables of this build. */
export async function undoUpgrade(direct: SessionPort): Promise<void> {
  for (const { name } of INDEXES) await direct.ask(`DROP INDEX IF EXISTS ${name}`);
  await direct.ask("DROP TABLE IF EXISTS of_next_version");
  for (const column of ["messages ALTER COLUMN subject", "dispatches ALTER COLUMN carrier"]) {
    await direct.ask(`ALTER TABLE ${column} DROP DEFAULT`);
  }
  await direct.ask("DELETE FROM migrations WHERE version = $1::int", [nextStep.version]);
}
