import type { Migration } from "../dialect.ts";

/** What waits for a carrier that a tenant does not have: see dispatch/carriers/installed-carriers.ts. */
export const waitingForCarriers: Migration = {
  version: 47,
  name: "waiting-for-carriers",
  statements: ({ int64 }) => [
    // how often carriers were set or removed: a claim sees by it that it knows them all
    `ALTER TABLE lineage ADD COLUMN carrier_changes ${int64} NOT NULL DEFAULT 0`,
    // of a carrier that was removed: what was accepted until then, and has no other, is not to be sent
    `ALTER TABLE carriers ADD COLUMN discarded_at ${int64}`,
  ],
  indexes: [{ name: "jobs_of_waiting_calls", on: "jobs (tenant_id, job_id) WHERE kind = 'calls.wait'" }],
};
