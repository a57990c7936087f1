// The tables of a new main database, for both engines. Text compares by bytes on PostgreSQL, too: the database's
// collation would order names differently, and an upgrade of the system can change it and so corrupt indexes.

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
    // granted_credits are the credits that the tenant granted, less those that it withdrew. Granted plus paid credits,
    // less used ones, must equal credits
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

    // period is the first day of the month in the tenant's time zone; credit_units is the part of used and reserved that
    // credits pay for
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

    // charges of the messages accepted on a day of the tenant's time zone; reports add these up and never scan messages
    `CREATE TABLE daily_totals (
       tenant_id ${int64} NOT NULL,
       day ${text} NOT NULL,
       channel ${text} NOT NULL,
       units ${int64} NOT NULL,
       provider_cost_micros ${int64} NOT NULL,
       markup_micros ${int64} NOT NULL,
       ${rowColumns}PRIMARY KEY (tenant_id, day, channel${rowKey})
     ) ${keyedTableOptions}`,

    // begun_at is when the payment was, or may have been, handed to its processor. settled_by is the operator who settled it;
    // settled_reference is the operator's note
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
       processor ${text},
       processor_request ${text},
       requested_at ${int64},
       processor_payment_id ${text},
       job_id ${int64},
       action_url ${text},
       undecided ${text},
       refunded_cents ${int64} NOT NULL DEFAULT 0,
       is_disputed ${int64} NOT NULL DEFAULT 0,
       FOREIGN KEY (tenant_id, merchant_id) REFERENCES merchants
     ) ${keyedTableOptions}`,
    "CREATE INDEX payments_waiting ON payments (tenant_id, created_at) WHERE status IN ('PENDING', 'REQUIRES_ACTION', 'PROCESSING') AND begun_at IS NULL",
    "CREATE INDEX payments_held ON payments (tenant_id) WHERE status IN ('PENDING', 'REQUIRES_ACTION', 'PROCESSING') AND begun_at IS NOT NULL",
    "CREATE INDEX payments_of_processor ON payments (processor_payment_id) WHERE processor_payment_id IS NOT NULL",
    "CREATE INDEX payments_of_merchant ON payments (tenant_id, merchant_id, created_at, payment_id)",

    // serves_from is when the tenant's current run of processors began, each set in place of the one before: payments
    // accepted earlier are never charged. down_since and down_words are as of carriers
    `CREATE TABLE processors (
       name ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       kind ${text} NOT NULL,
       sealed_settings ${text} NOT NULL,
       events_id ${text} NOT NULL,
       serves_from ${int64} NOT NULL,
       set_at ${int64} NOT NULL,
       removed_at ${int64},
       answered_at ${int64},
       down_since ${int64},
       down_words ${text}
     ) ${keyedTableOptions}`,
    "CREATE UNIQUE INDEX processors_in_use ON processors (tenant_id) WHERE removed_at IS NULL",

    // an alert is raised once per occurrence. occurrence is `period:percent` for a usage threshold, and the last message that
    // failed there for a failing provider. acknowledged_by is the address of a user; null in development
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
       acknowledged_at ${int64},
       acknowledged_by ${text},
       UNIQUE (tenant_id, merchant_id, channel, alert_type, occurrence)
     ) ${tableOptions}`,
    "CREATE INDEX alerts_tenant ON alerts (tenant_id, alert_id)",
    "CREATE INDEX alerts_merchant ON alerts (tenant_id, merchant_id, alert_id)",
    "CREATE INDEX alerts_open ON alerts (tenant_id, alert_id) WHERE acknowledged_at IS NULL",
    "CREATE INDEX alerts_open_of_merchant ON alerts (tenant_id, merchant_id, alert_id) WHERE acknowledged_at IS NULL",
  ];
}

/** Jobs, and the database's records of its own state, backups and restorations. */
function upkeepTables(dialect: Dialect): string[] {
  const { text, int64, identity, singleIdentity, tableOptions, keyedTableOptions } = dialect;
  return [
    // jobs that belong to no tenant have tenant 0. Ids are never reused, so the id of a finished job refers to nothing
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

    // tables whose old rows are removed: see pruning.ts
    `CREATE TABLE pruning (
       pruned_table ${text} PRIMARY KEY
     ) ${keyedTableOptions}`,

    // rows written to test whether the database accepts writes; they are as large as those of requests
    `CREATE TABLE write_checks (
       check_id ${int64} PRIMARY KEY,
       checked_at ${int64} NOT NULL,
       filling ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // a single row. history is null until the first restore. timeline is the PostgreSQL timeline that instances agreed
    // on, and next_timeline the one that they are examining: see dispatch/messages/restoration.ts. pepper_check
    // identifies the pepper of a data folder. carrier_changes counts changes of carriers, so that a claim can tell
    // whether its copy of them is current
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

    // before the restore, the original database may have dialled calls up to last_request_id and confirmed replies to
    // messages up to last_message_id: see restorations.ts
    `CREATE TABLE restorations (
       restoration_id ${identity},
       restored_at ${int64} NOT NULL,
       last_request_id ${int64} NOT NULL,
       last_message_id ${text} NOT NULL
     ) ${tableOptions}`,

    // accepted messages that any carrier may already have
    `CREATE TABLE doubts (
       message_id ${text} PRIMARY KEY
     ) ${keyedTableOptions}`,

    // the newest message in the carrier's records when this database was last found to be older than these records
    `CREATE TABLE carrier_marks (
       provider ${text} PRIMARY KEY,
       message_id ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // the carrier may already have calls up to last_request_id, and confirmations of replies to messages up to last_message_id
    `CREATE TABLE suspicions (
       carrier ${text} PRIMARY KEY,
       suspected_at ${int64} NOT NULL,
       last_request_id ${int64} NOT NULL,
       last_message_id ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // accepted messages that this carrier may already have
    `CREATE TABLE suspected_messages (
       message_id ${text} NOT NULL,
       carrier ${text} NOT NULL,
       PRIMARY KEY (message_id, carrier)
     ) ${keyedTableOptions}`,
    ...installationOf(dialect),
  ];
}

/** Values that instances share: see installation.ts. A data folder has them in files instead. */
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

/** The first migration. Edit it only before the first release; after that, add a migration for each change. */
export const tables: Migration = {
  version: 1,
  name: "tables",
  // a table may refer only to earlier ones
  statements: (dialect) =>
    [accountsTables, billingTables, messagesTables, callsTables, registrationTables, upkeepTables].flatMap((group) =>
      group(dialect),
    ),
};
