// Tables of messages, their queue, and their carriers.

import { queueOf } from "../queue/engine.ts";
import type { Dialect } from "../statement.ts";

/** Messages, their dispatch, and carriers' reports. */
export function messagesTables(dialect: Dialect): string[] {
  const { text, int64, tableOptions, keyedTableOptions } = dialect;
  return [
    // purpose tells a paid SEND from the CONFIRMATION of a reply, which is free and needs no consent. The lowest queue_order goes
    // first; it is null while the message is held back. taken_at is when a carrier took it. long_bytes is the length of a
    // content in long_contents, and null if the message has it
    `CREATE TABLE messages (
       message_id ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       type ${text} NOT NULL,
       purpose ${text} NOT NULL,
       recipient ${text} NOT NULL,
       status ${text} NOT NULL,
       queue_order ${int64},
       delivery_reason ${text},
       units ${int64} NOT NULL,
       credit_units ${int64} NOT NULL,
       period ${text} NOT NULL,
       charge ${text} NOT NULL,
       provider_cost_micros ${int64},
       markup_micros ${int64},
       attempts ${int64} NOT NULL,
       provider ${text},
       provider_message_id ${text},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       subject ${text},
       content ${text} NOT NULL,
       long_bytes ${int64},
       taken_at ${int64}
     ) ${keyedTableOptions}`,
    "CREATE INDEX messages_confirming ON messages (created_at, message_id) WHERE purpose = 'CONFIRMATION'",
    ...queueOf({ dialect }).tables(dialect),

    // rows are ordered by a number. Those of messages lie in their key's index, where a lookup reads each row that it comes past,
    // and a change of a state writes all of its row
    `CREATE TABLE long_contents (
       message_id ${text} PRIMARY KEY,
       content ${text} NOT NULL
     ) ${tableOptions}`,

    // due_at is when the row must be looked at next: to take over an expired lease, to submit it again, to ask the provider
    // again, or to give up. A waiting one has the carrier whose queue it is in, and its class: the lowest goes most often
    `CREATE TABLE dispatches (
       message_id ${text} PRIMARY KEY,
       state ${text} NOT NULL,
       due_at ${int64} NOT NULL,
       give_up_at ${int64} NOT NULL,
       lease_token ${text},
       asks ${int64} NOT NULL,
       tenant_id ${int64} NOT NULL,
       accepted_at ${int64} NOT NULL,
       carrier ${text},
       class ${int64}
     ) ${keyedTableOptions}`,
    "CREATE INDEX dispatches_tenant ON dispatches (tenant_id, accepted_at)",
    // each row is in one of the two: due questions delay nothing else that is due
    "CREATE INDEX dispatches_due ON dispatches (due_at) WHERE state <> 'reconciling'",
    "CREATE INDEX dispatches_in_doubt ON dispatches (due_at) WHERE state = 'reconciling'",
    `CREATE INDEX dispatches_in_carrier_queue
       ON dispatches (carrier, class, tenant_id, accepted_at, message_id) WHERE state = 'waiting'`,

    // reference is JSON that says what the first call made, enough to read its current state; merchant_id is the
    // credential's, and empty for a tenant's
    `CREATE TABLE idempotency_keys (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       operation ${text} NOT NULL,
       idempotency_key ${text} NOT NULL,
       fingerprint ${text} NOT NULL,
       reference ${text} NOT NULL,
       expires_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, operation, idempotency_key)
     ) ${keyedTableOptions}`,
    "CREATE INDEX idempotency_keys_over ON idempotency_keys (expires_at)",
    // keys of calls whose end is to come: NOT_ENDED of idempotency.ts, and how long they are kept after it
    "CREATE INDEX idempotency_keys_open ON idempotency_keys (reference) WHERE expires_at >= 4503599627370496",

    // a provider may report a reply or an opt-out twice, and it must count once
    `CREATE TABLE provider_events (
       provider ${text} NOT NULL,
       event_id ${text} NOT NULL,
       received_at ${int64} NOT NULL,
       PRIMARY KEY (provider, event_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX provider_events_over ON provider_events (received_at)",

    // recent has a digit for each of the last answers, oldest first: 1 for a failure by the provider's own fault
    `CREATE TABLE provider_health (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       provider ${text} NOT NULL,
       recent ${text} NOT NULL,
       is_failing ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, provider)
     ) ${keyedTableOptions}`,

    // tenant 0 stands for every live tenant that has none of its own; a name is never used again. Texts leave from sender, and from
    // merchants' own numbers where merchant_numbers is 1. Carriers of one account report each other's messages. After a
    // removal, what was accepted until discarded_at and has no other carrier is not sent
    `CREATE TABLE carriers (
       name ${text} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       channel ${text} NOT NULL,
       kind ${text} NOT NULL,
       sealed_settings ${text} NOT NULL,
       set_at ${int64} NOT NULL,
       removed_at ${int64},
       tested_at ${int64},
       down_since ${int64},
       down_words ${text},
       is_second ${int64} NOT NULL DEFAULT 0,
       sender ${text},
       merchant_numbers ${int64} NOT NULL DEFAULT 1,
       discarded_at ${int64},
       account ${text}
     ) ${keyedTableOptions}`,
    "CREATE UNIQUE INDEX carriers_in_use ON carriers (tenant_id, channel, is_second) WHERE removed_at IS NULL",

    `CREATE TABLE carrier_words (
       message_id ${text} PRIMARY KEY,
       words ${text} NOT NULL,
       said_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,

    // full_at is when a carrier, or a tenant at a carrier, may be given as many at once as it ever may, in microseconds
    `CREATE TABLE carrier_rates (
       subject ${text} PRIMARY KEY,
       full_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,

    // recipient is of the first part, for texts that answer; null once erased
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

    // a phone, by its digest, sent STOP to the sender
    `CREATE TABLE text_blocks (
       phone_digest ${text} NOT NULL,
       sender ${text} NOT NULL,
       blocked_at ${int64} NOT NULL,
       word ${text} NOT NULL,
       PRIMARY KEY (phone_digest, sender)
     ) ${keyedTableOptions}`,

    // answers to texts, which are few an hour
    `CREATE TABLE text_answers (
       conversation_digest ${text} NOT NULL,
       message_id ${text} NOT NULL,
       answered_at ${int64} NOT NULL,
       PRIMARY KEY (conversation_digest, message_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX text_answers_by_time ON text_answers (answered_at)",

    // texts to unassigned numbers
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
  ];
}
