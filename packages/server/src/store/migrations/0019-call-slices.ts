import type { Migration } from "../dialect.ts";

/** Batches that are accepted in several units of work, and indexes of the calls that wait to begin. */
export const callSlices: Migration = {
  version: 19,
  name: "call slices",
  statements: ({ int64, keyedTableOptions }) => [
    // 0 while the batch is hidden: being accepted, or being removed because it never was
    "ALTER TABLE tts_batches ADD COLUMN is_accepted INTEGER NOT NULL DEFAULT 1",

    // batches that are being accepted. job_id is the step that removes one that is never finished; key_scope is the
    // Idempotency-Key of the request, with all that it is unique in
    `CREATE TABLE call_acceptances (
       batch_id ${int64} PRIMARY KEY,
       job_id ${int64} NOT NULL,
       key_scope TEXT,
       fingerprint TEXT
     ) ${keyedTableOptions}`,
    "CREATE UNIQUE INDEX call_acceptances_key ON call_acceptances (key_scope) WHERE key_scope IS NOT NULL",

    "CREATE INDEX tts_calls_queued ON tts_calls (batch_id, request_id) WHERE status = 'QUEUED'",
    "CREATE INDEX tts_calls_scheduled ON tts_calls (batch_id, scheduled_at, request_id) WHERE status = 'SCHEDULED'",
  ],
};
