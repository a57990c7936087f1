import type { Migration } from "../dialect.ts";

/** The carriers that tenants were given, and what carriers said of messages. */
export const carriers: Migration = {
  version: 37,
  name: "carriers",
  statements: ({ text, int64, keyedTableOptions }) => [
    // tenant 0 stands for every live tenant that has none of its own; a name is never used again
    `CREATE TABLE carriers (
       name ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       channel ${text} NOT NULL,
       kind ${text} NOT NULL,
       sealed_settings ${text} NOT NULL,
       set_at ${int64} NOT NULL,
       removed_at ${int64},
       tested_at ${int64}
     ) ${keyedTableOptions}`,
    "CREATE UNIQUE INDEX carriers_in_use ON carriers (tenant_id, channel) WHERE removed_at IS NULL",

    `CREATE TABLE carrier_words (
       message_id ${text} PRIMARY KEY,
       words ${text} NOT NULL,
       said_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,
  ],
};
