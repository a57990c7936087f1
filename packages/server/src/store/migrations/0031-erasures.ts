import type { Migration } from "../dialect.ts";

/** What is left of somebody whose number or address was erased: a keyed digest, and what they opted out of. */
export const erasures: Migration = {
  version: 31,
  name: "erasures",
  statements: ({ text, int64, identity, tableOptions, keyedTableOptions }) => [
    // the contact is there until the erasure has ended; a position is null once all behind it was looked through
    `CREATE TABLE erasures (
       erasure_id ${identity},
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text},
       contact ${text},
       digest ${text} NOT NULL,
       asked_at ${int64} NOT NULL,
       ended_at ${int64},
       erased ${int64} NOT NULL DEFAULT 0,
       messages_after ${text},
       calls_after ${int64}
     ) ${tableOptions}`,
    "CREATE INDEX erasures_of_digest ON erasures (tenant_id, digest)",

    // messages and calls that had not ended when the erasure came past
    `CREATE TABLE open_erasures (
       erasure_id ${int64} NOT NULL REFERENCES erasures,
       message_id ${text} NOT NULL,
       PRIMARY KEY (erasure_id, message_id)
     ) ${keyedTableOptions}`,

    `CREATE TABLE erased_opt_outs (
       tenant_id ${int64} NOT NULL REFERENCES tenants,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       digest ${text} NOT NULL,
       opted_out_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, digest)
     ) ${keyedTableOptions}`,
    "CREATE INDEX erased_opt_outs_of_digest ON erased_opt_outs (tenant_id, digest)",

    // for indexes of searches to forget what they were found by
    `CREATE TABLE erased_messages (
       erased_at ${int64} NOT NULL,
       message_id ${text} NOT NULL,
       PRIMARY KEY (erased_at, message_id)
     ) ${keyedTableOptions}`,
  ],
};
