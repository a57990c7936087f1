import type { Migration } from "../dialect.ts";

/** Messages that wait for a carrier with a line of its own, and how fast carriers are given them. */
export const carrierLines: Migration = {
  version: 39,
  name: "carrier-lines",
  statements: ({ text, int64, keyedTableOptions }) => [
    // of a dispatch that is waiting: whose line it is in, and its class, the lowest of which goes most often
    `ALTER TABLE dispatches ADD COLUMN carrier ${text}`,
    "ALTER TABLE dispatches ADD COLUMN class INTEGER",

    // when a carrier, or a tenant at a carrier, may be given as many at once as it ever may, in microseconds
    `CREATE TABLE carrier_rates (
       subject ${text} PRIMARY KEY,
       full_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,

    `ALTER TABLE carriers ADD COLUMN down_since ${int64}`,
    `ALTER TABLE carriers ADD COLUMN down_words ${text}`,
  ],
  indexes: [
    {
      name: "dispatches_in_line",
      on: "dispatches (carrier, class, tenant_id, accepted_at, message_id) WHERE state = 'waiting'",
    },
  ],
};
