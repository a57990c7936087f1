import type { Migration } from "../dialect.ts";

/** A queue of steps for each tenant, and ids that are never reused: the id of a finished step refers to nothing. */
export const jobTurns: Migration = {
  version: 23,
  name: "job-turns",
  statements: ({ int64, singleIdentity, tableOptions }) => [
    "DROP INDEX jobs_due",
    "ALTER TABLE jobs RENAME TO earlier_jobs",
    // tenant_id: whose queue it is in; 0 for steps of no tenant
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
