import type { Migration } from "../dialect.ts";

/** Which numbers texted which phones, what phones said no to, and texts that nobody could be found for: see store/text-lines.ts. */
export const textLines: Migration = {
  version: 45,
  name: "text-lines",
  statements: ({ text, int64, keyedTableOptions }) => [
    // the number that a carrier's texts leave from; null until a server opens a carrier that was set before
    `ALTER TABLE carriers ADD COLUMN sender ${text}`,
    // 0 where texts leave from the sender alone, and not from numbers of merchants
    "ALTER TABLE carriers ADD COLUMN merchant_numbers INTEGER NOT NULL DEFAULT 1",

    // the last text that a merchant sent a phone from a number
    `CREATE TABLE text_contacts (
       sender ${text} NOT NULL,
       phone ${text} NOT NULL,
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       message_id ${text} NOT NULL,
       texted_at ${int64} NOT NULL,
       PRIMARY KEY (sender, phone, tenant_id, merchant_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX text_contacts_of_tenant ON text_contacts (tenant_id, phone)",

    // what a phone, by its digest, said STOP to
    `CREATE TABLE text_blocks (
       phone_digest ${text} NOT NULL,
       sender ${text} NOT NULL,
       blocked_at ${int64} NOT NULL,
       word ${text} NOT NULL,
       PRIMARY KEY (phone_digest, sender)
     ) ${keyedTableOptions}`,

    // answers to texts, which are few an hour
    `CREATE TABLE text_answers (
       line_digest ${text} NOT NULL,
       message_id ${text} NOT NULL,
       answered_at ${int64} NOT NULL,
       PRIMARY KEY (line_digest, message_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX text_answers_by_time ON text_answers (answered_at)",

    // texts to numbers that are nobody's here
    `CREATE TABLE unmatched_texts (
       carrier ${text} NOT NULL,
       event_id ${text} NOT NULL,
       sender ${text} NOT NULL,
       phone ${text} NOT NULL,
       content ${text} NOT NULL,
       received_at ${int64} NOT NULL,
       PRIMARY KEY (carrier, event_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX unmatched_texts_by_time ON unmatched_texts (received_at)",
    "CREATE INDEX unmatched_texts_by_phone ON unmatched_texts (phone)",
  ],
  indexes: [{ name: "numbers_by_phone", on: "numbers (phone_number)" }],
};
