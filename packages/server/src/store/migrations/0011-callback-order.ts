import type { Migration } from "../dialect.ts";

/** Says which call a callback tells of, so that those of one call are posted one after the other. */
export const callbackOrder: Migration = {
  version: 11,
  name: "callback-order",
  statements: ({ int64 }) => [
    `ALTER TABLE callbacks ADD COLUMN request_id ${int64}`,
    "CREATE INDEX callbacks_of_call ON callbacks (request_id, callback_id) WHERE status = 'PENDING'",
  ],
};
