import type { Migration } from "../dialect.ts";

/** What a database knows of copies: which of its histories it goes on from, and when it was last backed up. */
export const lineage: Migration = {
  version: 35,
  name: "lineage",
  statements: ({ text, int64, tableOptions }) => [
    // one row, with the number 1; history is null until a backup was first put back
    `CREATE TABLE lineage (
       lineage_id INTEGER PRIMARY KEY CHECK (lineage_id = 1),
       history ${text},
       backed_up_at ${int64}
     ) ${tableOptions}`,
  ],
};
