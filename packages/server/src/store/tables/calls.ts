// Tables of calls, speech and callbacks.

import { currentTransaction } from "../queue/postgres.ts";
import type { Dialect } from "../statement.ts";

/** SQL of the columns that domain/callbacks/queue-rows.ts describes. */
const versionsOf = ({ engine }: Dialect) =>
  engine === "sqlite"
    ? { columns: "", key: "", condition: "" }
    : {
        columns: `due_from bigint NOT NULL DEFAULT 0, version ${currentTransaction}, `,
        key: ", version",
        condition: ` WHERE ${isByTime}`,
      };

/** Text-to-speech calls, their batches, the speech that they share, and callbacks about them. */
export function callsTables(dialect: Dialect): string[] {
  const { text, int64, identity, singleIdentity, tableOptions, keyedTableOptions } = dialect;
  const versions = versionsOf(dialect);
  return [
    // a batch has the fields that its calls share, and sums over its calls. The API client sets tenant_label and the
    // labels after it. Estimates are per call; costs are micro-USD, projected where unknown. is_accepted is 0 while the
    // batch is hidden: while it is being accepted, or removed after a failed acceptance
    `CREATE TABLE tts_batches (
       batch_id ${identity},
       tenant_id ${int64} NOT NULL,
       merchant_id ${text} NOT NULL,
       platform_account_id ${text},
       tenant_label ${text} NOT NULL,
       source_system ${text},
       use_case ${text} NOT NULL,
       use_case_key ${text} NOT NULL,
       campaign_id ${text},
       campaign_name ${text},
       message_type ${text} NOT NULL,
       message_text ${text} NOT NULL,
       language ${text} NOT NULL,
       voice_profile ${text} NOT NULL,
       priority ${text} NOT NULL,
       callback_url ${text},
       is_recorded ${int64} NOT NULL,
       ring_seconds ${int64} NOT NULL,
       execution_type ${text} NOT NULL,
       scheduled_at ${int64},
       policy_reason ${text},
       characters ${int64} NOT NULL,
       estimated_speech_micros ${int64} NOT NULL,
       estimated_call_micros ${int64} NOT NULL,
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       completed_at ${int64},
       total_calls ${int64} NOT NULL,
       admitted_calls ${int64} NOT NULL,
       success ${int64} NOT NULL,
       failed ${int64} NOT NULL,
       partial ${int64} NOT NULL,
       pending ${int64} NOT NULL,
       scheduled ${int64} NOT NULL,
       begun ${int64} NOT NULL,
       finalized ${int64} NOT NULL,
       hits ${int64} NOT NULL,
       misses ${int64} NOT NULL,
       speech_micros ${int64} NOT NULL,
       call_micros ${int64} NOT NULL,
       finalized_micros ${int64} NOT NULL,
       is_accepted ${int64} NOT NULL,
       customer_timezone ${text}
     ) ${tableOptions}`,
    "CREATE INDEX tts_batches_tenant ON tts_batches (tenant_id, batch_id)",
    // each index has the columns of the other filters after those that define the order
    `CREATE INDEX tts_batches_merchant
       ON tts_batches (tenant_id, merchant_id, batch_id, tenant_label, source_system, use_case_key)`,
    `CREATE INDEX tts_batches_label
       ON tts_batches (tenant_id, tenant_label, batch_id, merchant_id, source_system, use_case_key)`,
    `CREATE INDEX tts_batches_source
       ON tts_batches (tenant_id, source_system, batch_id, merchant_id, tenant_label, use_case_key)`,
    `CREATE INDEX tts_batches_use_case
       ON tts_batches (tenant_id, use_case_key, batch_id, merchant_id, tenant_label, source_system)`,

    // reserved_units and credit_units are the call's own reservation in the period's quota. When the number is dialled, the
    // reservation moves to the call's message
    `CREATE TABLE tts_calls (
       request_id ${identity},
       batch_id ${int64} NOT NULL REFERENCES tts_batches,
       to_number ${text} NOT NULL,
       status ${text} NOT NULL,
       call_status ${text} NOT NULL,
       playback_status ${text} NOT NULL,
       final_status ${text} NOT NULL,
       billing_state ${text} NOT NULL,
       cache_status ${text} NOT NULL,
       policy_reason ${text},
       execution_timezone ${text},
       scheduled_at ${int64},
       period ${text} NOT NULL,
       reserved_units ${int64} NOT NULL,
       credit_units ${int64} NOT NULL,
       message_id ${text},
       asset_id ${int64},
       provider_call_id ${text},
       executed_at ${int64},
       spoken_at ${int64},
       completed_at ${int64},
       updated_at ${int64} NOT NULL,
       duration_seconds ${int64},
       delivery_reason ${text},
       error ${text},
       speech_characters ${int64},
       speech_base_micros ${int64},
       speech_markup_micros ${int64},
       call_minutes ${int64},
       call_base_micros ${int64},
       call_markup_micros ${int64}
     ) ${tableOptions}`,
    "CREATE INDEX tts_calls_batch ON tts_calls (batch_id, request_id)",
    "CREATE UNIQUE INDEX tts_calls_message ON tts_calls (message_id) WHERE message_id IS NOT NULL",
    "CREATE INDEX tts_calls_waiting ON tts_calls (asset_id, request_id) WHERE status = 'SYNTHESIZING'",
    "CREATE INDEX tts_calls_queued ON tts_calls (batch_id, request_id) WHERE status = 'QUEUED'",
    "CREATE INDEX tts_calls_scheduled ON tts_calls (batch_id, scheduled_at, request_id) WHERE status = 'SCHEDULED'",
    `CREATE INDEX tts_calls_under_way
       ON tts_calls (message_id) WHERE call_status IN ('INITIATED', 'RINGING', 'IN_PROGRESS')`,

    // batches that are being accepted. job_id is the job that removes the batch if its acceptance is never completed; key_scope
    // is the request's Idempotency-Key with its scope of uniqueness
    `CREATE TABLE call_acceptances (
       batch_id ${int64} PRIMARY KEY,
       job_id ${int64} NOT NULL,
       key_scope ${text},
       fingerprint ${text},
       period ${text} NOT NULL,
       units ${int64} NOT NULL,
       credit_units ${int64} NOT NULL
     ) ${keyedTableOptions}`,
    "CREATE UNIQUE INDEX call_acceptances_key ON call_acceptances (key_scope) WHERE key_scope IS NOT NULL",

    // due_at is when PENDING speech needs attention next: to order it, to take over an expired lease, or to ask the
    // engine about it again. has_begun is 1 if it may have been ordered from an engine. tenant_id is the tenant that
    // needed it first; tenants are served round-robin
    `CREATE TABLE speech_assets (
       asset_id ${identity},
       cache_key ${text} NOT NULL UNIQUE,
       status ${text} NOT NULL,
       provider ${text} NOT NULL,
       model ${text} NOT NULL,
       voice ${text} NOT NULL,
       language ${text} NOT NULL,
       message_text ${text} NOT NULL,
       owner_request_id ${int64} NOT NULL,
       error ${text},
       due_at ${int64} NOT NULL,
       give_up_at ${int64} NOT NULL,
       has_begun ${int64} NOT NULL,
       asks ${int64} NOT NULL,
       lease_token ${text},
       created_at ${int64} NOT NULL,
       updated_at ${int64} NOT NULL,
       tenant_id ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX speech_assets_due ON speech_assets (due_at) WHERE status = 'PENDING'",
    "CREATE INDEX speech_assets_of_tenant ON speech_assets (tenant_id, due_at) WHERE status = 'PENDING'",

    // next_attempt_at is null once the callback was delivered or given up; waits_until is 0 while it is queued, else the time
    // of its retry. An event of a message has a negative request_id, which its message's pending callbacks share, and the
    // recipient or sender in contact
    `CREATE TABLE callbacks (
       callback_id ${identity},
       webhook_id ${text} NOT NULL,
       tenant_id ${int64} NOT NULL,
       url ${text} NOT NULL,
       receiver ${text} NOT NULL,
       type ${text} NOT NULL,
       body ${text} NOT NULL,
       status ${text} NOT NULL,
       attempts ${int64} NOT NULL,
       next_attempt_at ${int64},
       last_outcome ${text},
       updated_at ${int64} NOT NULL,
       request_id ${int64} NOT NULL,
       waits_until ${int64} NOT NULL,
       patience_from ${int64} NOT NULL,
       message_id ${text},
       merchant_id ${text},
       contact ${text}
     ) ${tableOptions}`,
    "CREATE INDEX callbacks_over ON callbacks (updated_at) WHERE next_attempt_at IS NULL",
    "CREATE INDEX callbacks_in_order ON callbacks (request_id, waits_until, callback_id) WHERE status = 'PENDING'",
    "CREATE INDEX callbacks_over_of_call ON callbacks (request_id, status) WHERE next_attempt_at IS NULL",
    "CREATE INDEX callbacks_of_tenant ON callbacks (tenant_id, status, (-callback_id))",
    "CREATE INDEX callbacks_of_webhook ON callbacks (webhook_id, tenant_id)",
    "CREATE INDEX callbacks_of_message ON callbacks (message_id) WHERE message_id IS NOT NULL AND status = 'PENDING'",
    "CREATE INDEX callbacks_of_contact ON callbacks (tenant_id, contact) WHERE contact IS NOT NULL",

    // a call with pending callbacks is due when its lease expires while one of them is in flight
    `CREATE TABLE callback_calls (
       request_id ${int64} PRIMARY KEY,
       tenant_id ${int64} NOT NULL,
       receiver ${text} NOT NULL,
       url ${text} NOT NULL,
       due_at ${int64} NOT NULL,
       lease_token ${text}
     ) ${tableOptions}`,
    "CREATE INDEX callback_calls_due ON callback_calls (tenant_id, receiver, due_at)",
    // both further indexes are partial, so that a lookup by request_id can use only the primary key: otherwise PostgreSQL could
    // plan a scan of a whole index that contains that column
    "CREATE INDEX callback_calls_of_url ON callback_calls (tenant_id, url, request_id) WHERE lease_token IS NULL",
    "CREATE INDEX callback_calls_leased ON callback_calls (request_id) WHERE lease_token IS NOT NULL",

    // a lane is leased while its receiver is paused or has the maximum of attempts in flight; waits_since is set while the lane
    // waits for another tenant's attempt to end
    `CREATE TABLE callback_lanes (
       tenant_id ${int64} NOT NULL,
       receiver ${text} NOT NULL,
       due_at ${int64} NOT NULL,
       leased_until ${int64} NOT NULL,
       rests ${int64} NOT NULL,
       waits_since ${int64},
       ${versions.columns}PRIMARY KEY (tenant_id, receiver${versions.key})
     ) ${keyedTableOptions}`,
    `CREATE INDEX callback_lanes_due ON callback_lanes (tenant_id, due_at)${versions.condition}`,
    "CREATE INDEX callback_lanes_waiting ON callback_lanes (receiver, waits_since) WHERE waits_since IS NOT NULL",

    `CREATE TABLE callback_tenants (
       tenant_id ${int64} NOT NULL,
       due_at ${int64} NOT NULL,
       leased_until ${int64} NOT NULL,
       ${versions.columns}PRIMARY KEY (tenant_id${versions.key})
     ) ${tableOptions}`,
    `CREATE INDEX callback_tenants_due ON callback_tenants (due_at)${versions.condition}`,

    // URLs at which a receiver answered 410. A row applies to calls up to the one that was the newest at that time
    `CREATE TABLE callback_gone_urls (
       tenant_id ${int64} NOT NULL,
       url ${text} NOT NULL,
       through_request_id ${int64} NOT NULL,
       gone_at ${int64} NOT NULL,
       PRIMARY KEY (tenant_id, url)
     ) ${keyedTableOptions}`,
    "CREATE INDEX callback_gone_urls_over ON callback_gone_urls (gone_at)",

    // the URL to which a tenant's events of messages are posted. stopped_at is set when its receiver answers 410
    `CREATE TABLE event_subscriptions (
       tenant_id ${int64} PRIMARY KEY REFERENCES tenants,
       url ${text} NOT NULL,
       tells_updates ${int64} NOT NULL,
       tells_texts ${int64} NOT NULL,
       set_at ${int64} NOT NULL,
       stopped_at ${int64}
     ) ${tableOptions}`,

    // events of messages that are not callbacks yet. data is JSON. contact is the phone that sent a text
    `CREATE TABLE message_events (
       event_id ${singleIdentity},
       tenant_id ${int64} NOT NULL,
       type ${text} NOT NULL,
       message_id ${text},
       merchant_id ${text},
       contact ${text},
       data ${text} NOT NULL,
       occurred_at ${int64} NOT NULL
     ) ${tableOptions}`,
    "CREATE INDEX message_events_of_tenant ON message_events (tenant_id, event_id)",
    "CREATE INDEX message_events_of_contact ON message_events (tenant_id, contact) WHERE contact IS NOT NULL",
  ];
}

/**
 * SQL that is true for all rows. As the condition of the indexes by time, it keeps PostgreSQL from using these indexes for
 * statements without the condition: for a lookup by key, PostgreSQL would choose among all indexes by estimated size.
 */
export const isByTime = "due_at >= 0";
