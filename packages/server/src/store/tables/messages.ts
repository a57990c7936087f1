// Tables of messages, their queue, and their carriers.

import { queueOf } from "../queue/engine.ts";
import type { Dialect } from "../statement.ts";

/** Messages, their dispatch, and carriers' reports. */
export function messagesTables(dialect: Dialect): string[] {
  const { text, int64, tableOptions, keyedTableOptions } = dialect;
  return [
    // purpose distinguishes a paid SEND from the CONFIRMATION of a reply, which is free and needs no consent. The lowest
    // queue_order goes first; it is null while the message is held back. taken_at is when a carrier accepted the message.
    // long_bytes is the length of a content stored in long_contents, and null for a content stored here
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

    // a separate table, because rows of messages are stored in the index of their key: long contents there would slow
    // down lookups, which read all rows on the way, and changes of a status, which write the whole row
    `CREATE TABLE long_contents (
       message_id ${text} PRIMARY KEY,
       content ${text} NOT NULL
     ) ${tableOptions}`,

    // due_at is when the row needs attention next: to take over an expired lease, to submit the message again, to ask
    // the provider again, or to give up. A waiting row has the carrier in whose queue it is, and its class: the lowest
    // class goes most often
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
    // each row is in one of the two indexes, so that questions to providers do not delay other due rows
    "CREATE INDEX dispatches_due ON dispatches (due_at) WHERE state <> 'reconciling'",
    "CREATE INDEX dispatches_in_doubt ON dispatches (due_at) WHERE state = 'reconciling'",
    `CREATE INDEX dispatches_in_carrier_queue
       ON dispatches (carrier, class, tenant_id, accepted_at, message_id) WHERE state = 'waiting'`,

    // reference is JSON that identifies the object that the first call created, so that its current state can be read.
    // merchant_id is that of the credential, and empty for a tenant's credential
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
    // keys whose objects have not ended: their expires_at is at least NOT_ENDED in idempotency.ts
    "CREATE INDEX idempotency_keys_open ON idempotency_keys (reference) WHERE expires_at >= 4503599627370496",

    // a provider may report a reply or an opt-out twice, and it must count once
    `CREATE TABLE provider_events (
       provider ${text} NOT NULL,
       event_id ${text} NOT NULL,
       received_at ${int64} NOT NULL,
       PRIMARY KEY (provider, event_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX provider_events_over ON provider_events (received_at)",

    // recent has a digit for each of the last answers, oldest first: 1 for a failure that was the provider's fault
    `CREATE TABLE provider_health (
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       channel ${text} NOT NULL,
       provider ${text} NOT NULL,
       recent ${text} NOT NULL,
       is_failing ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, merchant_id, channel, provider)
     ) ${keyedTableOptions}`,

    // carriers of tenant 0 serve every live tenant without its own carrier; a name is never reused. Texts are sent from
    // sender, or from merchants' own numbers if merchant_numbers is 1. Carriers with the same account report each
    // other's messages. events_id is part of the URL to which the provider posts events. After a removal that discards,
    // messages accepted until discarded_at are sent only by other carriers
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
       account ${text},
       events_id ${text}
     ) ${keyedTableOptions}`,
    "CREATE UNIQUE INDEX carriers_in_use ON carriers (tenant_id, channel, is_second) WHERE removed_at IS NULL",

    `CREATE TABLE carrier_words (
       message_id ${text} PRIMARY KEY,
       words ${text} NOT NULL,
       said_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,

    // recipients that bounced; while suppressed_at is null, not yet for good. contact is as in consents. message_id is the
    // message that bounced last, of merchant_id
    `CREATE TABLE suppressions (
       tenant_id ${int64} NOT NULL,
       channel ${text} NOT NULL,
       contact ${text} NOT NULL,
       reason ${text} NOT NULL,
       message_id ${text} NOT NULL,
       merchant_id ${text} NOT NULL,
       bounced_at ${int64} NOT NULL,
       suppressed_at ${int64},
       ends_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, channel, contact)
     ) ${keyedTableOptions}`,
    "CREATE INDEX suppressions_by_time ON suppressions (ends_at)",

    // token buckets of carriers, of tenants at a carrier, and of tenants' tests; full_at is when the bucket will be full, in
    // microseconds
    `CREATE TABLE carrier_rates (
       subject ${text} PRIMARY KEY,
       full_at ${int64} NOT NULL
     ) ${keyedTableOptions}`,

    // recipient is stored for the first part, to match texts that answer; null once erased
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

    // the last text that a merchant sent to a phone from a number; texts is its number among those from the number to the
    // phone
    `CREATE TABLE text_contacts (
       sender ${text} NOT NULL,
       phone ${text} NOT NULL,
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       message_id ${text} NOT NULL,
       texted_at ${int64} NOT NULL,
       texts ${int64} NOT NULL,
       PRIMARY KEY (sender, phone, tenant_id, merchant_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX text_contacts_of_tenant ON text_contacts (tenant_id, phone)",

    // phones, by their digests, that sent STOP to the sender
    `CREATE TABLE text_blocks (
       phone_digest ${text} NOT NULL,
       sender ${text} NOT NULL,
       blocked_at ${int64} NOT NULL,
       word ${text} NOT NULL,
       PRIMARY KEY (phone_digest, sender)
     ) ${keyedTableOptions}`,

    // answers to texts; their number per hour is limited
    `CREATE TABLE text_answers (
       conversation_digest ${text} NOT NULL,
       message_id ${text} NOT NULL,
       answered_at ${int64} NOT NULL,
       PRIMARY KEY (conversation_digest, message_id)
     ) ${keyedTableOptions}`,
    "CREATE INDEX text_answers_by_time ON text_answers (answered_at)",

    // inbound texts to unassigned numbers
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
