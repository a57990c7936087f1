// One statement for what many units of work ask or write at once, in place of one statement for each of them. A form
// has an array for each parameter of the single statement. Rows of a form that reads say which unit they are for:
// `place`, from 1. A form that writes fails unless it did for every unit what the single statement does: then the
// transaction fails, and each unit is run by itself.

import { insertEntryStatement } from "../accepted-queue.ts";
import { findIdempotencyStatement, insertIdempotencyStatement } from "../idempotency.ts";
import { sendingMerchantStatement } from "../merchants.ts";
import { insertLongContentStatement, insertMessageStatement } from "../messages.ts";
import { reserveStatement, takeCreditsStatement } from "../usage.ts";

type ArrayType = "bigint" | "text";

export interface SetForm {
  readonly sql: string;
  /** The type of each parameter's values. */
  readonly types: readonly ArrayType[];
  readonly writes: boolean;
}

/** `unnest` of one array for each column, as a table. */
function tableOf(name: string, columns: Readonly<Record<string, ArrayType>>, isOrdered = false): string {
  const arrays = Object.values(columns).map((type, index) => `$${index + 1}::${type}[]`);
  const names = [...Object.keys(columns), ...(isOrdered ? ["place"] : [])];
  return `unnest(${arrays.join(", ")})${isOrdered ? " WITH ORDINALITY" : ""} AS ${name} (${names.join(", ")})`;
}

function describeForm(
  columns: Readonly<Record<string, ArrayType>>,
  { writes }: { writes: boolean },
  sql: (table: string) => string,
): SetForm {
  return { sql: sql(tableOf("w", columns, !writes)), types: Object.values(columns), writes };
}

/** Fails the transaction, by a division by zero, unless the condition holds. */
const require = (condition: string) => `SELECT 1 / CASE WHEN ${condition} THEN 1 ELSE 0 END`;

const sendingMerchants = describeForm(
  { tenant_id: "bigint", merchant_id: "text", channel: "text", period: "text", recipient: "text" },
  { writes: false },
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
  { writes: false },
  // this engine has no keys from before they were kept by merchant
  (wanted) => `
    SELECT w.place, k.fingerprint, k.reference
      FROM ${wanted}
      JOIN idempotency_keys k ON k.tenant_id = w.tenant_id AND k.merchant_id = w.merchant_id
                             AND k.operation = w.operation AND k.idempotency_key = w.idempotency_key
                             AND k.expires_at > w.now`,
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
  { writes: true },
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
  { writes: true },
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
  { writes: true },
  (wanted) => `
    INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
      credit_units, period, charge, attempts, created_at, updated_at, subject, content, queue_order, long_bytes)
    SELECT message_id, tenant_id, merchant_id, channel, type, purpose, recipient, 'QUEUED', units, credit_units, period,
           'RESERVED', 0, now, now, subject, content, queue_order, long_bytes
      FROM ${wanted}`,
);

const newEntries = describeForm(
  { queue_order: "bigint", message_id: "text", tenant_id: "bigint", accepted_at: "bigint" },
  { writes: true },
  (wanted) => `
    INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at)
    SELECT queue_order, message_id, tenant_id, accepted_at FROM ${wanted}`,
);

const newLongContents = describeForm(
  { message_id: "text", content: "text" },
  { writes: true },
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
  { writes: true },
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

const forms = new Map<string, SetForm>([
  [sendingMerchantStatement, sendingMerchants],
  [findIdempotencyStatement, earlierCalls],
  [reserveStatement, reservations],
  [takeCreditsStatement, creditsTaken],
  [insertMessageStatement, newMessages],
  [insertEntryStatement, newEntries],
  [insertLongContentStatement, newLongContents],
  [insertIdempotencyStatement, newKeys],
]);

/** The form of a single statement; undefined if it has none. */
export function findSetForm(sql: string): SetForm | undefined {
  return forms.get(sql);
}
