import type { Dialect, Migration } from "../dialect.ts";
import type { Transaction } from "../store.ts";
import { firstTables } from "./0001-first-tables.ts";
import { jobs } from "./0002-jobs.ts";
import { calls } from "./0003-calls.ts";
import { callbacks } from "./0004-callbacks.ts";
import { registration } from "./0005-registration.ts";
import { provisioning } from "./0006-provisioning.ts";
import { billing } from "./0007-billing.ts";
import { keys } from "./0008-keys.ts";
import { writeChecks } from "./0009-write-checks.ts";
import { pruning } from "./0010-pruning.ts";
import { callbackOrder } from "./0011-callback-order.ts";
import { writeCheckSize } from "./0012-write-check-size.ts";
import { grantedCredits } from "./0013-granted-credits.ts";
import { restorations } from "./0014-restorations.ts";
import { listIndexes } from "./0015-list-indexes.ts";
import { idempotencyScope } from "./0016-idempotency-scope.ts";
import { campaignReferences } from "./0017-campaign-references.ts";
import { tenantModes } from "./0018-tenant-modes.ts";
import { callSlices } from "./0019-call-slices.ts";
import { customerTimezones } from "./0020-customer-timezones.ts";
import { callbackLines } from "./0021-callback-lines.ts";
import { campaignStates } from "./0022-campaign-states.ts";
import { jobTurns } from "./0023-job-turns.ts";
import { acceptanceReservations } from "./0024-acceptance-reservations.ts";
import { restoredMessages } from "./0025-restored-messages.ts";
import { longContents } from "./0026-long-contents.ts";
import { searchOrder } from "./0027-search-order.ts";
import { users } from "./0028-users.ts";
import { consentSearch } from "./0029-consent-search.ts";
import { waitingCalls } from "./0030-waiting-calls.ts";
import { erasures } from "./0031-erasures.ts";
import { takenAt } from "./0032-taken-at.ts";
import { tenantViews } from "./0033-tenant-views.ts";
import { projectLabels } from "./0034-project-labels.ts";
import { lineage } from "./0035-lineage.ts";
import { keyNames } from "./0036-key-names.ts";
import { carriers } from "./0037-carriers.ts";
import { messageParts } from "./0038-message-parts.ts";
import { carrierLines } from "./0039-carrier-lines.ts";
import { callsUnderWay } from "./0040-calls-under-way.ts";
import { secondCarriers } from "./0041-second-carriers.ts";
import { speechTurns } from "./0042-speech-turns.ts";
import { suspicions } from "./0043-suspicions.ts";
import { timelines } from "./0044-timelines.ts";
import { textLines } from "./0045-text-lines.ts";
import { pepperCheck } from "./0046-pepper-check.ts";
import { waitingForCarriers } from "./0047-waiting-for-carriers.ts";
import { operatorsDecisions } from "./0048-operators-decisions.ts";
import { carrierAccounts } from "./0050-carrier-accounts.ts";
import { previousRefreshTokens } from "./0055-previous-refresh-tokens.ts";
import { tenantStandings } from "./0056-tenant-standings.ts";

const migrations: readonly Migration[] = [
  firstTables,
  jobs,
  calls,
  callbacks,
  registration,
  provisioning,
  billing,
  keys,
  writeChecks,
  pruning,
  callbackOrder,
  writeCheckSize,
  grantedCredits,
  restorations,
  listIndexes,
  idempotencyScope,
  campaignReferences,
  tenantModes,
  callSlices,
  customerTimezones,
  callbackLines,
  campaignStates,
  jobTurns,
  acceptanceReservations,
  restoredMessages,
  longContents,
  searchOrder,
  users,
  consentSearch,
  waitingCalls,
  erasures,
  takenAt,
  tenantViews,
  projectLabels,
  lineage,
  keyNames,
  carriers,
  messageParts,
  carrierLines,
  callsUnderWay,
  secondCarriers,
  speechTurns,
  suspicions,
  timelines,
  textLines,
  pepperCheck,
  waitingForCarriers,
  operatorsDecisions,
  carrierAccounts,
  previousRefreshTokens,
  tenantStandings,
];

/** The version that this build reads and writes. */
export const newestVersion = migrations.at(-1)?.version ?? 0;

/**
 * Migrates the tables to the newest version, all in the caller's transaction but for indexes that are built beside
 * writes. Returns the steps taken. Throws if the database was written by a newer build or is another program's, and
 * leaves it untouched.
 */
export async function migrate(tx: Transaction, now: number, steps = stepsOf(tx.dialect)): Promise<Migration[]> {
  const { int64, text, tableOptions } = tx.dialect;
  await tx.run(
    `CREATE TABLE IF NOT EXISTS migrations (version INTEGER PRIMARY KEY, name ${text} NOT NULL, applied_at ${int64} NOT NULL) ${tableOptions}`,
  );
  if (tx.dialect.engine === "postgres") await requireOwnRecord(tx);
  const row = await tx.get<{ version: number | null }>("SELECT MAX(version) AS version FROM migrations");
  const current = row?.version ?? 0;
  const newest = steps.at(-1)?.version ?? 0;
  if (current > newest) {
    throw new Error(
      `the database is at version ${current}, and this msgd knows versions up to ${newest}: run the newer msgd, or point --data at another folder`,
    );
  }
  const missing = steps.filter(({ version }) => version > current);
  for (const migration of missing) {
    for (const statement of migration.statements(tx.dialect)) await tx.run(statement);
    if (tx.dialect.engine === "sqlite") {
      for (const { name, on } of migration.indexes ?? []) await tx.run(`CREATE INDEX ${name} ON ${on}`);
    }
    await tx.run(
      "INSERT INTO migrations (version, name, applied_at) VALUES ($1, $2, $3)",
      migration.version,
      migration.name,
      now,
    );
  }
  return missing;
}

/** Throws if the record of migrations is another program's: some have a table of this name. */
async function requireOwnRecord(tx: Transaction): Promise<void> {
  const columns = await tx.all<{ name: string }>(
    `SELECT attname AS name FROM pg_attribute
      WHERE attrelid = (SELECT oid FROM pg_class WHERE relname = 'migrations' AND relnamespace = current_schema()::regnamespace)
        AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
  );
  const names = columns.map(({ name }) => name).join(", ");
  if (names === "version, name, applied_at") return;
  throw new Error(
    `the database is another program's: its table "migrations" has the columns ${names}. Give msgd one of its own (createdb), and name that in DATABASE_URL`,
  );
}

/** The steps from nothing to `newestVersion`: an engine that came later begins with the tables as they were then. */
export function stepsOf({ firstTables }: Pick<Dialect, "firstTables">): readonly Migration[] {
  if (firstTables === undefined) return migrations;
  return [firstTables, ...migrations.filter(({ version }) => version > firstTables.version)];
}

/** The tables that the migrations create and do not drop, in order. */
export function listTables(dialect: Dialect): string[] {
  const statements = stepsOf(dialect).flatMap((migration) => migration.statements(dialect));
  const named = (words: RegExp) => statements.flatMap((statement) => words.exec(statement)?.[1] ?? []);
  const dropped = new Set(named(/^\s*DROP TABLE (\w+)/));
  return named(/^\s*CREATE TABLE (\w+)/).filter((table) => !dropped.has(table));
}
