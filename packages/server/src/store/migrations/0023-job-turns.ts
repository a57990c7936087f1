import type { Migration } from "./migration.ts";

/** Steps in a line for each tenant, and ids that are given once: whoever holds one of a step that is over holds nothing. */
export const jobTurns: Migration = {
  version: 23,
  name: "job-turns",
  statements: ({ int64, singleIdentity, tableOptions }) => [
    "DROP INDEX jobs_due",
    "ALTER TABLE jobs RENAME TO earlier_jobs",
    // tenant_id: whose line it stands in; 0 for what is nobody's
    `CREATE TABLE jobs (
       job_id ${singleIdentity},
       tenant_id ${int64} NOT NULL,
       kind TEXT NOT NULL,
       subject TEXT NOT NULL,
       due_at ${int64} NOT NULL
     ) ${tableOptions}`,
    `INSERT INTO jobs (job_id, tenant_id, kind, subject, due_at)
       SELECT job_id, 0, kind, subject, due_at FROM earlier_jobs`,
    "DROP TABLE earlier_jobs",
    "CREATE INDEX jobs_due ON jobs (due_at)",
    "CREATE INDEX jobs_of_tenant ON jobs (tenant_id, due_at, job_id)",
  ],
};
