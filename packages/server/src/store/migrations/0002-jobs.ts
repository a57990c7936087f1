import type { Migration } from "../dialect.ts";

/** Steps that fall due at a time. */
export const jobs: Migration = {
  version: 2,
  name: "jobs",
  statements: ({ int64, identity, tableOptions }) => [
    `CREATE TABLE jobs (
       job_id ${identity},
       kind TEXT NOT NULL,
       subject TEXT NOT NULL,
       due_at ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX jobs_due ON jobs (due_at)",
  ],
};
