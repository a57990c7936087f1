import type { Migration } from "../dialect.ts";

/** The one row that is written to see whether the database takes writes. */
export const writeChecks: Migration = {
  version: 9,
  name: "write-checks",
  statements: ({ int64, keyedTableOptions }) => [
    `CREATE TABLE write_checks (
       check_id ${int64} PRIMARY KEY,
       checked_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,
  ],
};
