// The tables of the main database, for both engines, as a new database has them. Text compares by its bytes on PostgreSQL too:
// the database's own collation would order names differently, and may change under its indexes.

import { counters } from "../counters/counters.ts";
import type { Dialect, Migration } from "../statement.ts";
import { accountsTables, registrationTables } from "./accounts.ts";
import { callsTables } from "./calls.ts";
import { messagesTables } from "./messages.ts";

/** Quotas, usage and payments of merchants. */
function billingTables(dialect: Dialect): string[] {
  const { text, int64, identity, tableOptions, keyedTableOptions } = dialect;
  const { rowColumns, rowKey } = counters[dialect.engine];
  return [
    // granted_credits are those that the tenant granted, less those taken away. With those paid for and those used they give what
    // must be left
    `CREATE TABLE quotas (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       monthly_limit ${int64} NOT NULL CHECK (monthly_limit >= 0),
       credits ${int64} NOT NULL CHECK (credits >= 0),
       granted_credits ${int64} NOT NULL DEFAULT 0,
       PRIMARY KEY (tenant_id, merchant_id, channel),
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,

    // period is the first day of the month in the tenant's time zone; credit_units of used and reserved were paid by
    // the credits
    `CREATE TABLE usage (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       period ${text} NOT NULL,
       used ${int64} NOT NULL CHECK (used >= 0),
       reserved ${int64} NOT NULL CHECK (reserved >= 0),
       credit_units ${int64} NOT NULL DEFAULT 0 CHECK (credit_units >= 0),
       ${rowColumns}PRIMARY KEY (tenant_id, merchant_id, channel, period${rowKey})
     ) ${keyedTableOptions}`,

    // reports add up these charges of messages accepted on a day of the tenant's time zone, and never scan the messages
    `CREATE TABLE daily_totals (
       tenant_id ${int64} NOT NULL,
       day ${text} NOT NULL,
       channel ${text} NOT NULL,
       units ${int64} NOT NULL,
       provider_cost_micros ${int64} NOT NULL,
       markup_micros ${int64} NOT NULL,
       ${rowColumns}PRIMARY KEY (tenant_id, day, channel${rowKey})
     ) ${keyedTableOptions}`,

    // begun_at is when the payment was, or may have been, handed to its processor. settled_by is the operator who settled it, and
    // settled_reference what they said of it
    `CREATE TABLE payments (
       payment_id ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       units ${int64} NOT NULL CHECK (units > 0),
       amount_cents ${int64} NOT NULL CHECK (amount_cents > 0),
       currency ${text} NOT NULL,
       payment_method ${text},
       note ${text},
       reference_id ${text},
       status ${text} NOT NULL,
       failure_reason ${text},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       begun_at ${int64},
       settled_reference ${text},
       settled_by ${text},
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,
    "CREATE INDEX payments_waiting ON payments (tenant_id, created_at) WHERE status = 'PENDING' AND begun_at IS NULL",

    // occurrence names what the alert is raised once for: for a usage threshold, `period:percent`; for a failing provider,
    // the message that it failed last
    `CREATE TABLE alerts (
       alert_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       alert_type ${text} NOT NULL,
       severity ${text} NOT NULL,
       message ${text} NOT NULL,
       threshold_percent ${int64},
       occurrence ${text} NOT NULL,
       created_at ${int64} NOT NULL,
       UNIQUE (tenant_id, merchant_id, channel, alert_type, occurrence)
     ) ${tableOptions}`,
    "CREATE INDEX alerts_tenant ON alerts (tenant_id, alert_id)",
    "CREATE INDEX alerts_merchant ON alerts (tenant_id, merchant_id, alert_id)",
  ];
}

/** Jobs, and the database's record of itself, its copies and its carriers. */
function upkeepTables(dialect: Dialect): string[] {
  const { text, int64, identity, singleIdentity, tableOptions, keyedTableOptions } = dialect;
  return [
    // tenant 0 has the jobs of no tenant. An id is never reused: that of a finished job refers to nothing
    `CREATE TABLE jobs (
       job_id ${singleIdentity},
       tenant_id ${int64} NOT NULL,
       kind ${text} NOT NULL,
       subject ${text} NOT NULL,
       due_at ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX jobs_due ON jobs (due_at)",
    "CREATE INDEX jobs_of_tenant ON jobs (tenant_id, due_at, job_id)",
    "CREATE INDEX jobs_of_waiting_calls ON jobs (tenant_id, job_id) WHERE kind = 'calls.wait'",

    // tables of which old rows are removed: see pruning.ts
    `CREATE TABLE pruning (
       pruned_table ${text} PRIMARY KEY
     ) ${keyedTableOptions}`,

    // rows that are written to see whether the database takes writes, as large as what requests write
    `CREATE TABLE write_checks (
       check_id ${int64} PRIMARY KEY,
       checked_at ${int64} NOT NULL,
       filling ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // there is one row. history is null until a backup was first put back. timeline is the one of PostgreSQL that instances agreed
    // on, next_timeline the one that they look at: see dispatch/messages/restoration.ts. pepper_check tells the pepper of a
    // data folder from another one. By carrier_changes, how often carriers were set or removed, a claim sees that it knows all
    `CREATE TABLE lineage (
       lineage_id ${int64} PRIMARY KEY CHECK (lineage_id = 1),
       history ${text},
       backed_up_at ${int64},
       timeline ${text},
       next_timeline ${text},
       next_timeline_at ${int64},
       pepper_check ${text},
       carrier_changes ${int64} NOT NULL DEFAULT 0
     ) ${tableOptions}`,

    // the server that the database is a copy of may have dialled calls up to last_request_id, and confirmed replies to messages up
    // to last_message_id: see restorations.ts
    `CREATE TABLE restorations (
       restoration_id ${identity},
       restored_at ${int64} NOT NULL,
       last_request_id ${int64} NOT NULL,
       last_message_id ${text} NOT NULL
     ) ${tableOptions}`,

    // accepted messages that a carrier may have been given already
    `CREATE TABLE doubts (
       message_id ${text} PRIMARY KEY
     ) ${keyedTableOptions}`,

    // the newest message that a carrier knew when this database was last found older than it
    `CREATE TABLE carrier_marks (
       provider ${text} PRIMARY KEY,
       message_id ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // the carrier may have been given calls up to last_request_id, and what replies to messages up to last_message_id led to
    `CREATE TABLE suspicions (
       carrier ${text} PRIMARY KEY,
       suspected_at ${int64} NOT NULL,
       last_request_id ${int64} NOT NULL,
       last_message_id ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // accepted messages that the carrier may have been given already
    `CREATE TABLE suspected_messages (
       message_id ${text} NOT NULL,
       carrier ${text} NOT NULL,
       PRIMARY KEY (message_id, carrier)
     ) ${keyedTableOptions}`,
    ...installationOf(dialect),
  ];
}

/** Values that instances share: see installation.ts. In a data folder they are files. */
function installationOf({ engine, text, int64 }: Dialect): string[] {
  if (engine === "sqlite") return [];
  return [
    `CREATE TABLE installation (
       installation_id ${int64} PRIMARY KEY CHECK (installation_id = 1),
       key_check ${text} NOT NULL,
       sealed_pepper ${text}
     )`,
  ];
}

/** The first migration. It is edited until it is released: then each change is a migration of its own. */
export const tables: Migration = {
  version: 1,
  name: "tables",
  // a table refers only to earlier ones
  statements: (dialect) =>
    [accountsTables, billingTables, messagesTables, callsTables, registrationTables, upkeepTables].flatMap((group) =>
      group(dialect),
    ),
};
