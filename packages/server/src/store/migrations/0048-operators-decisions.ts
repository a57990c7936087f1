import type { Migration } from "../dialect.ts";

/** What operators settle and decide: payments and registrations of live tenants. See store/waiting.ts. */
export const operatorsDecisions: Migration = {
  version: 48,
  name: "operators-decisions",
  statements: ({ text }) => [
    // what the operator who settled it said of it, and their name
    `ALTER TABLE payments ADD COLUMN settled_reference ${text}`,
    `ALTER TABLE payments ADD COLUMN settled_by ${text}`,
  ],
  indexes: [
    {
      name: "payments_waiting",
      on: "payments (tenant_id, created_at) WHERE status = 'PENDING' AND begun_at IS NULL",
    },
    {
      name: "brands_waiting",
      on: "brands (tenant_id, review_started_at) WHERE status IN ('PENDING', 'IN_REVIEW') AND review_started_at IS NOT NULL",
    },
    {
      name: "campaigns_waiting",
      on: "campaigns (tenant_id, review_started_at) WHERE status = 'PENDING' AND review_started_at IS NOT NULL",
    },
    {
      name: "numbers_waiting",
      on: "numbers (tenant_id, assignment_started_at) WHERE assignment_status = 'PENDING_ASSIGNMENT' AND assignment_started_at IS NOT NULL",
    },
    // keys of calls whose end is to come: NOT_ENDED of store/idempotency.ts, and how long they are kept after it
    { name: "idempotency_keys_open", on: "idempotency_keys (reference) WHERE expires_at >= 4503599627370496" },
  ],
};
