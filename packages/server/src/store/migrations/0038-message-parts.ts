import type { Migration } from "../dialect.ts";

/** By which ids carriers that report by their own call messages and their parts, and reports of ids not known yet. */
export const messageParts: Migration = {
  version: 38,
  name: "message-parts",
  statements: ({ text, int64, keyedTableOptions }) => [
    // the recipient is of the first part, for texts that answer; null once erased
    `CREATE TABLE message_parts (
       provider ${text} NOT NULL,
       part ${text} NOT NULL,
       message_id ${text} NOT NULL,
       status ${text},
       recipient ${text},
       taken_at ${int64} NOT NULL,
       PRIMARY KEY (provider, part)
     ) ${keyedTableOptions}`,
    "CREATE INDEX message_parts_of_message ON message_parts (message_id)",
    "CREATE INDEX message_parts_to ON message_parts (recipient, taken_at) WHERE recipient IS NOT NULL",
    "CREATE INDEX message_parts_by_time ON message_parts (taken_at)",

    `CREATE TABLE parked_receipts (
       provider ${text} NOT NULL,
       part ${text} NOT NULL,
       event_id ${text} NOT NULL,
       receipt ${text} NOT NULL,
       parked_at ${int64} NOT NULL,
       PRIMARY KEY (provider, part, event_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX parked_receipts_by_time ON parked_receipts (parked_at)",
  ],
};
