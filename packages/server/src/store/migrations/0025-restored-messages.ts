import type { Migration } from "../dialect.ts";

/** Keeps questions to carriers apart from messages to send: see store/restorations.ts. */
export const restoredMessages: Migration = {
  version: 25,
  name: "restored-messages",
  statements: () => [
    // replies to messages up to last_message_id may have been confirmed by the server that the database is a copy of
    "ALTER TABLE restorations ADD COLUMN last_message_id TEXT NOT NULL DEFAULT ''",

    // each row is in one of the two: due questions delay nothing else that is due
    "DROP INDEX dispatches_in_doubt",
    "DROP INDEX dispatches_due",
    "CREATE INDEX dispatches_due ON dispatches (due_at) WHERE state <> 'reconciling'",
    "CREATE INDEX dispatches_in_doubt ON dispatches (due_at) WHERE state = 'reconciling'",
  ],
};
