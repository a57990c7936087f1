import type { Migration } from "../dialect.ts";

/** A call is found by its id through one index only: another that has the id too may be planned, and read whole. */
export const waitingCalls: Migration = {
  version: 30,
  name: "waiting-calls",
  statements: () => ["DROP INDEX callback_calls_by_url"],
  indexes: [
    { name: "callback_calls_of_url", on: "callback_calls (tenant_id, url, request_id) WHERE lease_token IS NULL" },
  ],
};
