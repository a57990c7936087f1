import type { Migration } from "../dialect.ts";

/** What a database must ask carriers about if it is behind them: see store/restorations.ts. */
export const restorations: Migration = {
  version: 14,
  name: "restorations",
  statements: ({ int64, identity, tableOptions, keyedTableOptions }) => [
    // calls up to last_request_id may have been dialled by the server that the database is a copy of
    `CREATE TABLE restorations (
       restoration_id ${identity},
       restored_at ${int64} NOT NULL,
       last_request_id ${int64} NOT NULL
     ) ${tableOptions}`,

    // accepted messages that a carrier may have been given already
    `CREATE TABLE doubts (
       message_id TEXT PRIMARY KEY
     ) ${keyedTableOptions}`,

    // the newest message that a carrier knew when this database was last found older than it
    `CREATE TABLE carrier_marks (
       provider TEXT PRIMARY KEY,
       message_id TEXT NOT NULL
     ) ${keyedTableOptions}`,

    // when the payment was, or may have been, handed to its processor; null before that
    `ALTER TABLE payments ADD COLUMN begun_at ${int64}`,
    "UPDATE payments SET begun_at = updated_at",
  ],
};
