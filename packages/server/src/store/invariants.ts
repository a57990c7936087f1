// Invariants of the data, as queries whose every row is a fault. They read whole tables: they are for `msgd verify`,
// never for a running server.

import type { SqlValue, Transaction } from "./store.ts";

/** An invariant and the rows that violate it. */
export interface InvariantReport {
  readonly name: string;
  readonly faults: readonly Readonly<Record<string, SqlValue>>[];
}

/** Most faults reported for each invariant. */
const MOST_FAULTS = 20;

const quotaKey = `tenant_id AS "tenantId", merchant_id AS "merchantId", channel, period`;

const invariants: Readonly<Record<string, string>> = {
  "usage is the sum over messages and calls": `
    SELECT ${quotaKey}, SUM(used) AS used, SUM(charged) AS charged, SUM(reserved) AS reserved, SUM(held) AS held
      FROM (SELECT tenant_id, merchant_id, channel, period, used, reserved, 0 AS charged, 0 AS held FROM usage
            UNION ALL
            SELECT tenant_id, merchant_id, channel, period, 0, 0, CASE WHEN charge = 'SETTLED' THEN units ELSE 0 END,
                   CASE WHEN charge = 'RESERVED' THEN units ELSE 0 END FROM messages
            UNION ALL
            SELECT b.tenant_id, b.merchant_id, 'VOICE', c.period, 0, 0, 0, c.reserved_units
              FROM tts_calls c JOIN tts_batches b ON b.batch_id = c.batch_id
             WHERE b.is_accepted = 1 OR EXISTS (SELECT 1 FROM call_acceptances a WHERE a.batch_id = b.batch_id)
           ) AS entries
     GROUP BY tenant_id, merchant_id, channel, period
    HAVING SUM(used) <> SUM(charged) OR SUM(reserved) <> SUM(held)`,

  "a batch being accepted reserves as much as its calls": `
    SELECT a.batch_id AS "batchId", a.period, a.units, a.credit_units AS "creditUnits", c.units AS "callUnits",
           c.credits AS "callCredits"
      FROM call_acceptances a
      LEFT JOIN (SELECT batch_id, MIN(period) AS first, MAX(period) AS last, SUM(reserved_units) AS units,
                        SUM(credit_units) AS credits
                   FROM tts_calls GROUP BY batch_id) AS c ON c.batch_id = a.batch_id
     WHERE c.units IS NULL OR a.units <> c.units OR a.credit_units <> c.credits OR a.period <> c.first
        OR a.period <> c.last`,

  "daily totals are the sum over messages": `
    SELECT tenant_id AS "tenantId", channel, SUM(units) AS units, SUM(charged) AS charged, SUM(cost) AS "costMicros",
           SUM(message_cost) AS "messageCostMicros"
      FROM (SELECT tenant_id, channel, units, provider_cost_micros + markup_micros AS cost, 0 AS charged, 0 AS message_cost
              FROM daily_totals
            UNION ALL
            SELECT tenant_id, channel, 0, 0, units, provider_cost_micros + markup_micros
              FROM messages WHERE charge = 'SETTLED' AND channel <> 'VOICE') AS entries
     GROUP BY tenant_id, channel
    HAVING SUM(units) <> SUM(charged) OR SUM(cost) <> SUM(message_cost)`,

  "credits pay for no more than is used and reserved": `
    SELECT ${quotaKey}, credit_units AS "creditUnits", used, reserved FROM usage
     WHERE credit_units < 0 OR credit_units > used + reserved`,

  "credits left are those granted and paid for, less those used": `
    SELECT tenant_id AS "tenantId", merchant_id AS "merchantId", channel, SUM(credits) AS credits,
           SUM(granted) AS granted, SUM(paid) AS paid, SUM(used) AS used
      FROM (SELECT tenant_id, merchant_id, channel, credits, granted_credits AS granted, 0 AS paid, 0 AS used FROM quotas
            UNION ALL
            SELECT tenant_id, merchant_id, channel, 0, 0, units, 0 FROM payments WHERE status = 'SUCCEEDED'
            UNION ALL
            SELECT tenant_id, merchant_id, channel, 0, 0, 0, credit_units FROM usage) AS entries
     GROUP BY tenant_id, merchant_id, channel
    HAVING SUM(credits) <> SUM(granted) + SUM(paid) - SUM(used)`,

  "no quota and no credit is below zero": `
    SELECT tenant_id AS "tenantId", merchant_id AS "merchantId", channel, monthly_limit AS "limit", credits FROM quotas
     WHERE monthly_limit < 0 OR credits < 0`,

  "usage belongs to a merchant's quota": `
    SELECT u.tenant_id AS "tenantId", u.merchant_id AS "merchantId", u.channel, u.period FROM usage u
      LEFT JOIN quotas q ON q.tenant_id = u.tenant_id AND q.merchant_id = u.merchant_id AND q.channel = u.channel
     WHERE q.tenant_id IS NULL`,

  "a message is QUEUED or dispatched, never both": `
    SELECT m.message_id AS "messageId", d.state FROM dispatches d JOIN messages m ON m.message_id = d.message_id
     -- in these states the message waits in its carrier's queue or has just left it: no carrier has it
     WHERE m.status = 'QUEUED' AND d.state NOT IN ('waiting', 'ready')`,

  "every dispatch has its message": `
    SELECT d.message_id AS "messageId", d.state FROM dispatches d
      LEFT JOIN messages m ON m.message_id = d.message_id WHERE m.message_id IS NULL`,

  "no message with a final status is dispatched": `
    SELECT m.message_id AS "messageId", m.status, d.state FROM dispatches d JOIN messages m ON m.message_id = d.message_id
     WHERE m.status IN ('DELIVERED', 'UNDELIVERED', 'FAILED', 'EXPIRED', 'CANCELED')`,

  "a message at a provider has a dispatch": `
    SELECT m.message_id AS "messageId", m.status FROM messages m
      LEFT JOIN dispatches d ON d.message_id = m.message_id
     WHERE m.status IN ('SENDING', 'SENT') AND d.message_id IS NULL
       -- a mail server reports nothing more about an email that it accepted
       AND NOT (m.status = 'SENT' AND m.provider LIKE 'smtp-%')`,

  "what a restoration left in doubt is QUEUED": `
    SELECT x.message_id AS "messageId", m.status
      FROM (SELECT message_id FROM doubts UNION ALL SELECT message_id FROM suspected_messages) AS x
      LEFT JOIN messages m ON m.message_id = x.message_id
     WHERE m.message_id IS NULL OR m.status <> 'QUEUED'`,

  "a batch's five counters sum to its calls": `
    SELECT batch_id AS "batchId", total_calls AS "totalCalls", success, failed, partial, pending, scheduled FROM tts_batches
     WHERE success + failed + partial + pending + scheduled <> total_calls`,

  "a batch's counters are those of its calls": `
    SELECT b.batch_id AS "batchId", b.total_calls AS "totalCalls", c.calls, b.success, c.succeeded, b.failed,
           c.failing, b.partial, c.partly, b.pending, c.waiting, b.scheduled, c.planned, b.begun, c.executed,
           b.finalized, c.final, b.hits, c.reused, b.misses, c.made
      FROM tts_batches b
      LEFT JOIN (SELECT batch_id, COUNT(*) AS calls,
                        SUM(CASE WHEN final_status = 'SUCCESS' THEN 1 ELSE 0 END) AS succeeded,
                        SUM(CASE WHEN final_status = 'FAILED' THEN 1 ELSE 0 END) AS failing,
                        SUM(CASE WHEN final_status = 'PARTIAL' THEN 1 ELSE 0 END) AS partly,
                        SUM(CASE WHEN final_status = 'PENDING' THEN 1 ELSE 0 END) AS waiting,
                        SUM(CASE WHEN final_status = 'SCHEDULED' THEN 1 ELSE 0 END) AS planned,
                        COUNT(executed_at) AS executed,
                        SUM(CASE WHEN billing_state = 'FINALIZED' THEN 1 ELSE 0 END) AS final,
                        SUM(CASE WHEN cache_status = 'HIT' THEN 1 ELSE 0 END) AS reused,
                        SUM(CASE WHEN cache_status = 'MISS' THEN 1 ELSE 0 END) AS made
                   FROM tts_calls GROUP BY batch_id) AS c ON c.batch_id = b.batch_id
     WHERE c.calls IS NULL OR b.total_calls <> c.calls OR b.success <> c.succeeded OR b.failed <> c.failing
        OR b.partial <> c.partly OR b.pending <> c.waiting OR b.scheduled <> c.planned OR b.begun <> c.executed
        OR b.finalized <> c.final OR b.hits <> c.reused OR b.misses <> c.made`,

  "a batch's costs are those of its calls": `
    SELECT b.batch_id AS "batchId", b.speech_micros AS "speechMicros", c.speech AS "callsSpeechMicros",
           b.call_micros AS "callMicros", c.minutes AS "callsCallMicros", b.finalized_micros AS "finalizedMicros",
           c.final AS "callsFinalizedMicros"
      FROM tts_batches b
      JOIN (SELECT batch_id, SUM(speech) AS speech, SUM(minutes) AS minutes,
                   SUM(CASE WHEN billing_state = 'FINALIZED' THEN speech + minutes ELSE 0 END) AS final
              FROM (SELECT k.batch_id, k.billing_state,
                           COALESCE(k.speech_base_micros + k.speech_markup_micros, e.estimated_speech_micros) AS speech,
                           COALESCE(k.call_base_micros + k.call_markup_micros, e.estimated_call_micros) AS minutes
                      FROM tts_calls k JOIN tts_batches e ON e.batch_id = k.batch_id) AS lines
             GROUP BY batch_id) AS c ON c.batch_id = b.batch_id
     WHERE b.speech_micros <> c.speech OR b.call_micros <> c.minutes OR b.finalized_micros <> c.final`,

  "a pending callback is one of a queued call": `
    SELECT c.callback_id AS "callbackId", c.request_id AS "requestId" FROM callbacks c
      LEFT JOIN callback_calls k ON k.request_id = c.request_id
     WHERE c.status = 'PENDING' AND k.request_id IS NULL`,

  "a queued call has a pending callback, a lane and a tenant": `
    SELECT k.request_id AS "requestId", k.tenant_id AS "tenantId", k.receiver FROM callback_calls k
      LEFT JOIN callback_lanes l ON l.tenant_id = k.tenant_id AND l.receiver = k.receiver
      LEFT JOIN callback_tenants t ON t.tenant_id = k.tenant_id
     WHERE l.tenant_id IS NULL OR t.tenant_id IS NULL
        OR NOT EXISTS (SELECT 1 FROM callbacks c WHERE c.request_id = k.request_id AND c.status = 'PENDING')`,
};

/** More invariants on SQLite, where the queue is an index of messages. */
const sqliteInvariants: Readonly<Record<string, string>> = {
  "a dispatched message has left the queue": `
    SELECT m.message_id AS "messageId", d.state FROM dispatches d JOIN messages m ON m.message_id = d.message_id
     WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL`,
};

/**
 * More invariants on PostgreSQL, where the queue is a table and a frequently updated row has generations.
 */
const postgresInvariants: Readonly<Record<string, string>> = {
  "a QUEUED message that is not held back is in the queue": `
    SELECT m.message_id AS "messageId", m.queue_order AS "queueOrder" FROM messages m
      LEFT JOIN outbox o ON o.queue_order = m.queue_order AND o.message_id = m.message_id
     WHERE m.status = 'QUEUED' AND m.queue_order IS NOT NULL AND o.message_id IS NULL
       AND NOT EXISTS (SELECT 1 FROM dispatches d WHERE d.message_id = m.message_id AND d.state = 'waiting')`,

  "every entry of the queue is a QUEUED message": `
    SELECT o.message_id AS "messageId", m.status FROM outbox o
      LEFT JOIN messages m ON m.message_id = o.message_id AND m.queue_order = o.queue_order
     WHERE m.message_id IS NULL OR m.status <> 'QUEUED'`,

  "unknown_messages lists exactly the UNKNOWN messages": `
    SELECT message_id AS "messageId" FROM messages WHERE status = 'UNKNOWN'
       AND NOT EXISTS (SELECT 1 FROM unknown_messages u WHERE u.message_id = messages.message_id)
    UNION ALL
    SELECT u.message_id FROM unknown_messages u LEFT JOIN messages m ON m.message_id = u.message_id
     WHERE m.message_id IS NULL OR m.status <> 'UNKNOWN'`,
  "a counter has one generation": `
    SELECT ${quotaKey}, COUNT(*) AS generations FROM usage GROUP BY tenant_id, merchant_id, channel, period HAVING COUNT(*) > 1
    UNION ALL
    SELECT tenant_id, NULL, channel, day, COUNT(*) FROM daily_totals GROUP BY tenant_id, day, channel HAVING COUNT(*) > 1`,

  "a tenant has one callback_tenants row and one lane per receiver": `
    SELECT tenant_id AS "tenantId", receiver, COUNT(*) AS count FROM callback_lanes
     GROUP BY tenant_id, receiver HAVING COUNT(*) > 1
    UNION ALL
    SELECT tenant_id, NULL, COUNT(*) FROM callback_tenants GROUP BY tenant_id HAVING COUNT(*) > 1`,

  "no call is due before its lane's due_from, and no lane before its tenant's": `
    SELECT k.tenant_id AS "tenantId", k.receiver, k.request_id AS "requestId", k.due_at AS "dueAt", l.due_from AS "dueFrom"
      FROM callback_calls k JOIN callback_lanes l ON l.tenant_id = k.tenant_id AND l.receiver = k.receiver
     WHERE k.due_at < l.due_from
    UNION ALL
    SELECT l.tenant_id, l.receiver, NULL, l.due_at, t.due_from
      FROM callback_lanes l JOIN callback_tenants t ON t.tenant_id = l.tenant_id
     WHERE l.due_at < t.due_from`,
};

/** Runs every query in the given transaction, which must read one snapshot. */
export async function checkInvariants(tx: Transaction): Promise<InvariantReport[]> {
  const reports: InvariantReport[] = [];
  const ofEngine = { sqlite: sqliteInvariants, postgres: postgresInvariants };
  for (const [name, sql] of Object.entries({ ...invariants, ...ofEngine[tx.dialect.engine] })) {
    reports.push({ name, faults: await tx.all(`${sql}\n LIMIT ${MOST_FAULTS}`) });
  }
  return reports;
}
