// One statement for what many units of work ask or write at once, in place of one statement for each of them. A form
// has an array for each parameter of the single statement. Rows of a form that answers say which unit they are for:
// `place`, from 1. A form that writes fails unless it did for every unit what the single statement does: then the
// transaction fails, and each unit is run by itself. Rows are locked in the order of their keys.

import { insertEntryStatement, leaseEntryStatement, takeEntryStatement } from "../accepted-queue.ts";
import { consentStatusStatement } from "../consents.ts";
import { addToDayStatement } from "../daily-totals.ts";
import { findIdempotencyStatement, insertIdempotencyStatement } from "../idempotency.ts";
import { sendingMerchantStatement } from "../merchants.ts";
import {
  holdMessageStatement,
  progressColumns,
  progressStatement,
  saveOutcomeStatement,
  saveStatusStatement,
} from "../message-progress.ts";
import { insertLongContentStatement, insertMessageStatement } from "../messages.ts";
import { endDispatchStatement, saveDispatchStatement } from "../outbox.ts";
import { providerHealthStatement } from "../provider-health.ts";
import { inTable } from "../queue-columns.ts";
import { limitStatement, reserveStatement, settleStatement, takeCreditsStatement } from "../usage.ts";

type ArrayType = "bigint" | "text";

/**
 * holds: locks rows before anything else is asked. reads: answers, and changes nothing. changes: the same, and changes
 * rows. writes: answers nothing, and is sent with the commit.
 */
export type FormKind = "holds" | "reads" | "changes" | "writes";

export interface SetForm {
  readonly sql: string;
  /** The type of each parameter's values. */
  readonly types: readonly ArrayType[];
  readonly kind: FormKind;
  /** Those that write are sent in this order, so that no two transactions wait for each other. */
  readonly rank: number;
}

/** `unnest` of one array for each column, as a table. */
function tableOf(name: string, columns: Readonly<Record<string, ArrayType>>, isOrdered = false): string {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const names = [...Object.keys(columns), ...(isOrdered ? ["place"] : [])];
  return `unnest(${arrays.join(", ")})${isOrdered ? " WITH ORDINALITY" : ""} AS ${name} (${names.join(", ")})`;
}

type Form = Omit<SetForm, "rank">;

function describeForm(
  columns: Readonly<Record<string, ArrayType>>,
  kind: FormKind,
  sql: (table: string) => string,
): Form {
  const answers = kind === "reads" || kind === "changes";
  return { sql: sql(tableOf("w", columns, answers)), types: Object.values(columns), kind };
}

/** Fails the transaction, by a division by zero, unless the condition holds. */
const require = (condition: string) => `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const sendingMerchants = describeForm(
  { tenant_id: "bigint", merchant_id: "text", channel: "text", period: "text", recipient: "text" },
  "reads",
  (wanted) => `
    SELECT w.place, m.active, c.status AS consent, q.channel, q.monthly_limit AS "limit", q.credits,
           COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved
      FROM ${wanted}
      JOIN merchants m ON m.tenant_id = w.tenant_id AND m.merchant_id = w.merchant_id
      JOIN quotas q ON q.tenant_id = w.tenant_id AND q.merchant_id = w.merchant_id AND q.channel = w.channel
      LEFT JOIN usage u ON u.tenant_id = w.tenant_id AND u.merchant_id = w.merchant_id AND u.channel = w.channel
                       AND u.period = w.period
      LEFT JOIN consents c ON c.tenant_id = w.tenant_id AND c.merchant_id = w.merchant_id AND c.channel = w.channel
                          AND c.contact = w.recipient`,
);

const earlierCalls = describeForm(
  {
    tenant_id: "bigint",
    merchant_id: "text",
    operation: "text",
    idempotency_key: "text",
    now: "bigint",
    fingerprint: "text",
  },
  "reads",
  (wanted) => `
    SELECT w.place, k.fingerprint, k.reference
      FROM ${wanted}
      JOIN idempotency_keys k ON k.tenant_id = w.tenant_id AND k.merchant_id = w.merchant_id
                             AND k.operation = w.operation AND k.idempotency_key = w.idempotency_key
                             AND k.expires_at > w.now
     UNION ALL
    SELECT w.place, k.fingerprint, k.reference
      FROM ${wanted}
      JOIN idempotency k ON k.tenant_id = w.tenant_id AND k.operation = w.operation
                        AND k.idempotency_key = w.idempotency_key AND k.expires_at > w.now
                        AND (w.merchant_id = '' OR k.fingerprint = w.fingerprint)`,
);

/**
 * Units are added up by quota, which is held in the order of its key. That is the same as one after the other where all
 * of them are within the limit, or all beyond it and paid by credits: else each unit is run by itself.
 */
const reservations = describeForm(
  {
    tenant_id: "bigint",
    merchant_id: "text",
    channel: "text",
    period: "text",
    units: "bigint",
    credit_units: "bigint",
  },
  "writes",
  (wanted) => `
    WITH sums AS (
      SELECT tenant_id, merchant_id, channel, period, SUM(units)::bigint AS units, SUM(credit_units)::bigint AS credit_units
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), held AS (
      SELECT s.*, q.monthly_limit
        FROM quotas q
        JOIN sums s ON s.tenant_id = q.tenant_id AND s.merchant_id = q.merchant_id AND s.channel = q.channel
       ORDER BY q.tenant_id, q.merchant_id, q.channel, s.period FOR NO KEY UPDATE OF q
    ), saved AS (
      INSERT INTO usage (tenant_id, merchant_id, channel, period, used, reserved, credit_units)
      SELECT tenant_id, merchant_id, channel, period, 0, units, credit_units FROM held
      ON CONFLICT (tenant_id, merchant_id, channel, period) DO UPDATE
        SET reserved = usage.reserved + excluded.reserved, credit_units = usage.credit_units + excluded.credit_units
      RETURNING tenant_id, merchant_id, channel, period, used + reserved AS outstanding
    )
    ${require(`bool_and(CASE WHEN h.credit_units = 0 THEN s.outstanding <= h.monthly_limit
                             ELSE h.credit_units = h.units AND s.outstanding - h.units >= h.monthly_limit END)`)}
      FROM held h JOIN saved s ON s.tenant_id = h.tenant_id AND s.merchant_id = h.merchant_id AND s.channel = h.channel
                              AND s.period = h.period`,
);

const creditsTaken = describeForm(
  { tenant_id: "bigint", merchant_id: "text", channel: "text", units: "bigint" },
  "writes",
  // the quotas are held by the reservations, and none has fewer than 0 credits
  (wanted) => `
    UPDATE quotas q SET credits = q.credits - s.units
      FROM (SELECT tenant_id, merchant_id, channel, SUM(units)::bigint AS units
              FROM ${wanted} GROUP BY tenant_id, merchant_id, channel) AS s
     WHERE s.tenant_id = q.tenant_id AND s.merchant_id = q.merchant_id AND s.channel = q.channel`,
);

const newMessages = describeForm(
  {
    message_id: "text",
    tenant_id: "bigint",
    merchant_id: "text",
    channel: "text",
    type: "text",
    purpose: "text",
    recipient: "text",
    units: "bigint",
    credit_units: "bigint",
    period: "text",
    now: "bigint",
    subject: "text",
    content: "text",
    queue_order: "bigint",
    long_bytes: "bigint",
  },
  "writes",
  (wanted) => `
    INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
      credit_units, period, charge, attempts, created_at, updated_at, subject, content, queue_order, long_bytes)
    SELECT message_id, tenant_id, merchant_id, channel, type, purpose, recipient, 'QUEUED', units, credit_units, period,
           'RESERVED', 0, now, now, subject, content, queue_order, long_bytes
      FROM ${wanted}`,
);

const newEntries = describeForm(
  { queue_order: "bigint", message_id: "text", tenant_id: "bigint", accepted_at: "bigint" },
  "writes",
  (wanted) => `
    INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at)
    SELECT queue_order, message_id, tenant_id, accepted_at FROM ${wanted}`,
);

const newLongContents = describeForm(
  { message_id: "text", content: "text" },
  "writes",
  (wanted) => `INSERT INTO long_contents (message_id, content) SELECT message_id, content FROM ${wanted}`,
);

const newKeys = describeForm(
  {
    tenant_id: "bigint",
    merchant_id: "text",
    operation: "text",
    idempotency_key: "text",
    fingerprint: "text",
    reference: "text",
    expires_at: "bigint",
    now: "bigint",
  },
  "writes",
  (wanted) => `
    WITH wanted AS (SELECT * FROM ${wanted}), kept AS (
      INSERT INTO idempotency_keys (tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at)
      SELECT tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at FROM wanted
       ORDER BY tenant_id, merchant_id, operation, idempotency_key
      ON CONFLICT (tenant_id, merchant_id, operation, idempotency_key) DO UPDATE
        SET fingerprint = excluded.fingerprint, reference = excluded.reference, expires_at = excluded.expires_at
        WHERE idempotency_keys.expires_at <= (SELECT MIN(now) FROM wanted)
      RETURNING 1
    )
    ${require("(SELECT COUNT(*) FROM kept) = (SELECT COUNT(*) FROM wanted)")}`,
);

const entryColumns = { queue_order: "bigint", message_id: "text" } as const;
const quotaColumns = { tenant_id: "bigint", merchant_id: "text", channel: "text" } as const;

const heldMessages = describeForm(
  { message_id: "text" },
  "holds",
  (wanted) => `
    SELECT m.message_id FROM messages m JOIN ${wanted} ON m.message_id = w.message_id
     ORDER BY m.message_id FOR UPDATE OF m`,
);

const messagesUnderWay = describeForm(
  { message_id: "text" },
  "reads",
  (wanted) => `
    SELECT w.place, ${progressColumns}, ${inTable.status} AS status, ${inTable.openAttempt} AS "openAttempt"
      FROM ${wanted} JOIN messages m ON m.message_id = w.message_id ${inTable.join}`,
);

const consentStatuses = describeForm(
  { ...quotaColumns, contact: "text" },
  "reads",
  (wanted) => `
    SELECT w.place, c.status
      FROM ${wanted}
      JOIN consents c ON c.tenant_id = w.tenant_id AND c.merchant_id = w.merchant_id AND c.channel = w.channel
                     AND c.contact = w.contact`,
);

const limits = describeForm(
  quotaColumns,
  "reads",
  (wanted) => `
    SELECT w.place, q.monthly_limit AS "limit"
      FROM ${wanted}
      JOIN quotas q ON q.tenant_id = w.tenant_id AND q.merchant_id = w.merchant_id AND q.channel = w.channel`,
);

// not held: a unit that would change it is run by itself
const healths = describeForm(
  { ...quotaColumns, provider: "text" },
  "reads",
  (wanted) => `
    SELECT w.place, h.recent, h.is_failing AS "isFailing"
      FROM ${wanted}
      JOIN provider_health h ON h.tenant_id = w.tenant_id AND h.merchant_id = w.merchant_id AND h.channel = w.channel
                            AND h.provider = w.provider`,
);

/** Each unit is told what was used after its own units, in the order of their places. */
const settlements = describeForm(
  { ...quotaColumns, period: "text", units: "bigint" },
  "changes",
  (wanted) => `
    WITH wanted AS (
      SELECT *, SUM(units) OVER (PARTITION BY tenant_id, merchant_id, channel, period ORDER BY place) AS so_far
        FROM ${wanted}
    ), sums AS (
      SELECT tenant_id, merchant_id, channel, period, SUM(units)::bigint AS units
        FROM wanted GROUP BY tenant_id, merchant_id, channel, period
    ), held AS (
      SELECT u.ctid, s.units
        FROM usage u
        JOIN sums s ON s.tenant_id = u.tenant_id AND s.merchant_id = u.merchant_id AND s.channel = u.channel
                   AND s.period = u.period
       ORDER BY u.tenant_id, u.merchant_id, u.channel, u.period FOR NO KEY UPDATE OF u
    ), saved AS (
      UPDATE usage u SET used = u.used + s.units, reserved = u.reserved - s.units
        FROM sums s
       WHERE s.tenant_id = u.tenant_id AND s.merchant_id = u.merchant_id AND s.channel = u.channel
         AND s.period = u.period AND (SELECT COUNT(*) FROM held) > 0
      RETURNING u.tenant_id, u.merchant_id, u.channel, u.period, u.used, s.units
    )
    SELECT w.place, (s.used - s.units + w.so_far)::bigint AS used
      FROM wanted w
      JOIN saved s ON s.tenant_id = w.tenant_id AND s.merchant_id = w.merchant_id AND s.channel = w.channel
                  AND s.period = w.period`,
);

const leasedEntries = describeForm(
  { ...entryColumns, token: "text", lease_until: "bigint", give_up_at: "bigint", provider: "text" },
  "writes",
  // held by the claim that lists them
  (wanted) => `
    UPDATE outbox o SET lease_token = w.token, lease_until = w.lease_until, give_up_at = w.give_up_at,
           provider = w.provider
      FROM ${wanted} WHERE o.queue_order = w.queue_order AND o.message_id = w.message_id`,
);

const takenEntries = describeForm(
  { ...entryColumns, token: "text" },
  "writes",
  (wanted) => `
    WITH wanted AS (SELECT * FROM ${wanted}), taken AS (
      DELETE FROM outbox o USING wanted w
       WHERE o.queue_order = w.queue_order AND o.message_id = w.message_id AND o.lease_token = w.token RETURNING 1
    )
    ${require("(SELECT COUNT(*) FROM taken) = (SELECT COUNT(*) FROM wanted)")}`,
);

const savedDispatches = describeForm(
  {
    message_id: "text",
    state: "text",
    lease_token: "text",
    due_at: "bigint",
    give_up_at: "bigint",
    asks: "bigint",
    tenant_id: "bigint",
    accepted_at: "bigint",
  },
  "writes",
  (wanted) => `
    INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at)
    SELECT * FROM ${wanted} ORDER BY message_id
    ON CONFLICT (message_id) DO UPDATE SET state = excluded.state, lease_token = excluded.lease_token,
      due_at = excluded.due_at, give_up_at = excluded.give_up_at`,
);

const endedDispatches = describeForm(
  { message_id: "text" },
  "writes",
  (wanted) => `DELETE FROM dispatches d USING ${wanted} WHERE d.message_id = w.message_id`,
);

const daysAddedTo = describeForm(
  {
    tenant_id: "bigint",
    day: "text",
    channel: "text",
    units: "bigint",
    provider_cost_micros: "bigint",
    markup_micros: "bigint",
  },
  "writes",
  (wanted) => `
    INSERT INTO daily_totals (tenant_id, day, channel, units, provider_cost_micros, markup_micros)
    SELECT tenant_id, day, channel, SUM(units), SUM(provider_cost_micros), SUM(markup_micros)
      FROM ${wanted} GROUP BY tenant_id, day, channel ORDER BY tenant_id, day, channel
    ON CONFLICT (tenant_id, day, channel) DO UPDATE SET units = daily_totals.units + excluded.units,
      provider_cost_micros = daily_totals.provider_cost_micros + excluded.provider_cost_micros,
      markup_micros = daily_totals.markup_micros + excluded.markup_micros`,
);

// messages are held before
const savedStatuses = describeForm(
  { message_id: "text", status: "text", delivery_reason: "text", now: "bigint" },
  "writes",
  (wanted) => `
    UPDATE messages m SET status = w.status, delivery_reason = w.delivery_reason, updated_at = w.now
      FROM ${wanted} WHERE m.message_id = w.message_id`,
);

const savedOutcomes = describeForm(
  {
    message_id: "text",
    status: "text",
    delivery_reason: "text",
    charge: "text",
    units: "bigint",
    provider_cost_micros: "bigint",
    markup_micros: "bigint",
    provider_message_id: "text",
    now: "bigint",
    provider: "text",
  },
  "writes",
  (wanted) => `
    UPDATE messages m SET status = w.status, delivery_reason = w.delivery_reason, charge = w.charge,
           units = COALESCE(w.units, m.units), provider_cost_micros = w.provider_cost_micros,
           markup_micros = w.markup_micros,
           provider_message_id = COALESCE(w.provider_message_id, m.provider_message_id), updated_at = w.now,
           provider = COALESCE(w.provider, m.provider),
           attempts = m.attempts + CASE WHEN w.provider IS NULL THEN 0 ELSE 1 END
      FROM ${wanted} WHERE m.message_id = w.message_id`,
);

/** In the order in which those that write are sent: quotas first, then what belongs to messages. */
const forms = new Map<string, SetForm>(
  (
    [
      [holdMessageStatement, heldMessages],
      [progressStatement({ hasQueueTable: true }), messagesUnderWay],
      [sendingMerchantStatement, sendingMerchants],
      [findIdempotencyStatement, earlierCalls],
      [consentStatusStatement, consentStatuses],
      [limitStatement, limits],
      [providerHealthStatement, healths],
      [settleStatement, settlements],
      [reserveStatement, reservations],
      [takeCreditsStatement, creditsTaken],
      [addToDayStatement, daysAddedTo],
      [insertMessageStatement, newMessages],
      [insertLongContentStatement, newLongContents],
      [insertEntryStatement, newEntries],
      [leaseEntryStatement, leasedEntries],
      [takeEntryStatement, takenEntries],
      [saveDispatchStatement, savedDispatches],
      [endDispatchStatement, endedDispatches],
      [saveOutcomeStatement, savedOutcomes],
      [saveStatusStatement, savedStatuses],
      [insertIdempotencyStatement, newKeys],
    ] as const satisfies readonly (readonly [string, Form])[]
  ).map(([sql, form], rank) => [sql, { ...form, rank }]),
);

/** The form of a single statement; undefined if it has none. */
export function findSetForm(sql: string): SetForm | undefined {
  return forms.get(sql);
}
