import type { Migration } from "../dialect.ts";

/** Long contents are stored apart from their messages; those of existing messages stay where they are. */
export const longContents: Migration = {
  version: 26,
  name: "long-contents",
  statements: ({ tableOptions }) => [
    // length of content that is stored apart; null if the message has it
    "ALTER TABLE messages ADD COLUMN long_bytes INTEGER",

    // ordered by a number, unlike messages, whose rows lie in their key's index: there a look-up reads each row that it
    // comes past, and a change of a state writes all of its row
    `CREATE TABLE long_contents (
       message_id TEXT PRIMARY KEY,
       content TEXT NOT NULL
     ) ${tableOptions}`,
  ],
};
