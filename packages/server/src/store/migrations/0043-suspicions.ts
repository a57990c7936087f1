import type { Migration } from "../dialect.ts";

/** Carriers that did not say what they were given: see store/suspicions.ts. */
export const suspicions: Migration = {
  version: 43,
  name: "suspicions",
  statements: ({ text, int64, keyedTableOptions }) => [
    // calls up to last_request_id, and what replies to messages up to last_message_id led to, it may have been given
    `CREATE TABLE suspicions (
       carrier ${text} PRIMARY KEY,
       suspected_at ${int64} NOT NULL,
       last_request_id ${int64} NOT NULL,
       last_message_id ${text} NOT NULL
     ) ${keyedTableOptions}`,

    // accepted messages that the carrier may have been given already
    `CREATE TABLE suspected_messages (
       message_id ${text} NOT NULL,
       carrier ${text} NOT NULL,
       PRIMARY KEY (message_id, carrier)
     ) ${keyedTableOptions}`,
  ],
};
