import type { Migration } from "../dialect.ts";

/** A batch that is given up returns its whole quota before its calls are removed. */
export const acceptanceReservations: Migration = {
  version: 24,
  name: "acceptance-reservations",
  statements: ({ int64 }) => [
    "ALTER TABLE call_acceptances ADD COLUMN period TEXT NOT NULL DEFAULT ''",
    `ALTER TABLE call_acceptances ADD COLUMN units ${int64} NOT NULL DEFAULT 0`,
    `ALTER TABLE call_acceptances ADD COLUMN credit_units ${int64} NOT NULL DEFAULT 0`,

    // batches that were given up before, and hold what their calls do until it is given back
    `INSERT INTO call_acceptances (batch_id, job_id)
     SELECT b.batch_id, j.job_id
       FROM tts_batches b JOIN jobs j ON j.kind = 'calls.remove' AND j.subject = CAST(b.batch_id AS TEXT)
      WHERE b.is_accepted = 0 AND NOT EXISTS (SELECT 1 FROM call_acceptances a WHERE a.batch_id = b.batch_id)`,
    `UPDATE call_acceptances
        SET (period, units, credit_units) =
            (SELECT MAX(c.period), SUM(c.reserved_units), SUM(c.credit_units)
               FROM tts_calls c WHERE c.batch_id = call_acceptances.batch_id)`,
  ],
};
