import type { Migration } from "../dialect.ts";

/** Finds expired rows without reading the others. */
export const pruning: Migration = {
  version: 10,
  name: "pruning",
  // the times grow with the rows, so that sends add at the index's end
  statements: () => [
    "CREATE INDEX idempotency_over ON idempotency (expires_at)",
    "CREATE INDEX provider_events_over ON provider_events (received_at)",
    "ALTER TABLE pruning DROP COLUMN position",
  ],
};
