import type { Dialect } from "../dialect.ts";

/** Jobs, and what the database knows of itself, its copies and its carriers. */
export function upkeepTables(dialect: Dialect): string[] {
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

/** What instances share: see installation.ts. In a data folder it is files. */
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
