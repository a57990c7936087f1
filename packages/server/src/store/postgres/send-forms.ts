// The forms of what accepting a message asks and writes.

import { addInTurns, joinLastUsage, usageCounters } from "../counter-turns.ts";
import { withoutConsent } from "../stored-consent.ts";
import { describeForm, quotaColumns, require } from "./set-form.ts";

const wantedKey = { tenantId: "w.tenant_id", merchantId: "w.merchant_id", channel: "w.channel" };

export const sendingMerchants = describeForm(
  { tenant_id: "bigint", merchant_id: "text", channel: "text", period: "text", contact: "text" },
  "looks",
  (wanted) => `
    SELECT w.place, m.active, COALESCE(c.status, ${withoutConsent(wantedKey)}) AS consent, q.channel, q.monthly_limit AS "limit", q.credits,
           COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved
      FROM ${wanted}
      JOIN merchants m ON m.tenant_id = w.tenant_id AND m.merchant_id = w.merchant_id
      JOIN quotas q ON q.tenant_id = w.tenant_id AND q.merchant_id = w.merchant_id AND q.channel = w.channel
      ${joinLastUsage("w.period")}
      LEFT JOIN consents c ON c.tenant_id = w.tenant_id AND c.merchant_id = w.merchant_id AND c.channel = w.channel
                          AND c.contact = w.contact`,
);

export const earlierCalls = describeForm(
  {
    tenant_id: "bigint",
    merchant_id: "text",
    operation: "text",
    idempotency_key: "text",
    now: "bigint",
  },
  "reads",
  (wanted) => `
    SELECT w.place, k.fingerprint, k.reference
      FROM ${wanted}
      JOIN idempotency_keys k ON k.tenant_id = w.tenant_id AND k.merchant_id = w.merchant_id
                             AND k.operation = w.operation AND k.idempotency_key = w.idempotency_key
                             AND k.expires_at > w.now`,
);

export const storedConsents = describeForm(
  { ...quotaColumns, contact: "text" },
  "reads",
  (wanted) => `
    SELECT w.place, COALESCE(c.status, ${withoutConsent(wantedKey)}) AS consent
      FROM ${wanted}
      LEFT JOIN consents c ON c.tenant_id = w.tenant_id AND c.merchant_id = w.merchant_id AND c.channel = w.channel
                     AND c.contact = w.contact`,
);

export const textBlocks = describeForm(
  { phone_digest: "text" },
  "looks",
  (wanted) => `
    SELECT w.place, b.sender, b.blocked_at AS "blockedAt", b.word
      FROM ${wanted} JOIN text_blocks b ON b.phone_digest = w.phone_digest`,
);

export const quotaStates = describeForm(
  { ...quotaColumns, period: "text" },
  "looks",
  (wanted) => `
    SELECT w.place, q.monthly_limit AS "limit", q.credits,
           COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved,
           COALESCE(u.credit_units, 0) AS "creditUnits"
      FROM ${wanted}
      JOIN quotas q ON q.tenant_id = w.tenant_id AND q.merchant_id = w.merchant_id AND q.channel = w.channel
      ${joinLastUsage("w.period")}`,
);

// not held: a unit that would change it is run by itself
export const healths = describeForm(
  { ...quotaColumns, provider: "text" },
  "looks",
  (wanted) => `
    SELECT w.place, h.recent, h.is_failing AS "isFailing"
      FROM ${wanted}
      JOIN provider_health h ON h.tenant_id = w.tenant_id AND h.merchant_id = w.merchant_id AND h.channel = w.channel
                            AND h.provider = w.provider`,
);

/**
 * Units are added up by quota, which is held. That is the same as one after the other where all
 * of them are within the limit, or all beyond it and paid by credits: else each unit is run by itself.
 */
export const reservations = describeForm(
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
      SELECT tenant_id, merchant_id, channel, period, 0::bigint AS used, SUM(units)::bigint AS reserved,
             SUM(credit_units)::bigint AS credit_units
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), ${addInTurns(usageCounters)}, outstanding AS (
      SELECT s.reserved AS units, s.credit_units, q.monthly_limit, v.used + v.reserved AS units_then
        FROM sums s
        JOIN quotas q ON q.tenant_id = s.tenant_id AND q.merchant_id = s.merchant_id AND q.channel = s.channel
        JOIN saved v ON v.tenant_id = s.tenant_id AND v.merchant_id = s.merchant_id AND v.channel = s.channel
                    AND v.period = s.period
    )
    ${require(`COUNT(*) = (SELECT COUNT(*) FROM sums)
               AND bool_and(CASE WHEN credit_units = 0 THEN units_then <= monthly_limit
                                 ELSE credit_units = units AND units_then - units >= monthly_limit END)`)}
      FROM outstanding`,
);

export const creditsTaken = describeForm(
  { tenant_id: "bigint", merchant_id: "text", channel: "text", units: "bigint" },
  "writes",
  // the quotas are held by the reservations, and none has fewer than 0 credits
  (wanted) => `
    UPDATE quotas q SET credits = q.credits - s.units
      FROM (SELECT tenant_id, merchant_id, channel, SUM(units)::bigint AS units
              FROM ${wanted} GROUP BY tenant_id, merchant_id, channel) AS s
     WHERE s.tenant_id = q.tenant_id AND s.merchant_id = q.merchant_id AND s.channel = q.channel`,
);

export const newMessages = describeForm(
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

export const newEntries = describeForm(
  { queue_order: "bigint", message_id: "text", tenant_id: "bigint", accepted_at: "bigint" },
  "writes",
  (wanted) => `
    INSERT INTO outbox (queue_order, message_id, tenant_id, accepted_at)
    SELECT queue_order, message_id, tenant_id, accepted_at FROM ${wanted}`,
);

export const newLongContents = describeForm(
  { message_id: "text", content: "text" },
  "writes",
  (wanted) => `INSERT INTO long_contents (message_id, content) SELECT message_id, content FROM ${wanted}`,
);

export const newKeys = describeForm(
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
