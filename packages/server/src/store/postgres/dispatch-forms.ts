// The forms of what claiming messages and recording their outcomes asks and writes.

import { addInTurns, dayCounters, usageCounters } from "../counter-turns.ts";
import { progressColumns } from "../message-progress.ts";
import { inTable } from "../queue-columns.ts";
import { describeForm, isAmong, quotaColumns, require } from "./set-form.ts";

export const heldMessages = describeForm(
  { message_id: "text" },
  "holds",
  (wanted) => `
    SELECT m.message_id FROM messages m JOIN ${wanted} ON m.message_id = w.message_id
     ORDER BY m.message_id FOR UPDATE OF m`,
);

export const lockedQuotas = describeForm(
  quotaColumns,
  "locks",
  (wanted) => `
    SELECT q.credits
      FROM quotas q
      JOIN (SELECT DISTINCT * FROM ${wanted}) AS w
        ON w.tenant_id = q.tenant_id AND w.merchant_id = q.merchant_id AND w.channel = q.channel
     ORDER BY q.tenant_id, q.merchant_id, q.channel FOR UPDATE OF q`,
);

export const messagesUnderWay = describeForm(
  { message_id: "text" },
  "reads",
  (wanted) => `
    SELECT w.place, ${progressColumns}, ${inTable.status} AS status, ${inTable.openAttempt} AS "openAttempt"
      FROM ${wanted} JOIN messages m ON m.message_id = w.message_id ${inTable.join}`,
);

/** A unit that would have reached a threshold, had it known of the others, is run by itself. */
export const settlements = describeForm(
  { ...quotaColumns, period: "text", units: "bigint", threshold: "bigint", monthly_limit: "bigint" },
  "writes",
  (wanted) => `
    WITH sums AS (
      SELECT tenant_id, merchant_id, channel, period, SUM(units)::bigint AS used, (-SUM(units))::bigint AS reserved,
             0::bigint AS credit_units, MIN(threshold) AS threshold, MIN(monthly_limit) AS lowest_limit,
             MAX(monthly_limit) AS highest_limit
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), ${addInTurns(usageCounters)}
    ${require(`COUNT(*) = (SELECT COUNT(*) FROM sums)
               AND bool_and(v.used < s.threshold AND q.monthly_limit = s.lowest_limit
                            AND q.monthly_limit = s.highest_limit)`)}
      FROM sums s
      JOIN quotas q ON q.tenant_id = s.tenant_id AND q.merchant_id = s.merchant_id AND q.channel = s.channel
      JOIN saved v ON v.tenant_id = s.tenant_id AND v.merchant_id = s.merchant_id AND v.channel = s.channel
                  AND v.period = s.period`,
);

export const releases = describeForm(
  { ...quotaColumns, period: "text", units: "bigint" },
  "writes",
  (wanted) => `
    WITH sums AS (
      SELECT tenant_id, merchant_id, channel, period, 0::bigint AS used, (-SUM(units))::bigint AS reserved,
             0::bigint AS credit_units
        FROM ${wanted} GROUP BY tenant_id, merchant_id, channel, period
    ), ${addInTurns(usageCounters)}
    ${require("COUNT(*) = (SELECT COUNT(*) FROM sums) AND bool_and(credit_units = 0)")}
      FROM saved`,
);

export const leasedEntries = describeForm(
  { message_id: "text", token: "text", lease_until: "bigint", give_up_at: "bigint", provider: "text" },
  "writes",
  // held by the claim that lists them
  (wanted) => `
    UPDATE outbox o SET lease_token = w.token, lease_until = w.lease_until, give_up_at = w.give_up_at,
           provider = w.provider
      FROM ${wanted} WHERE o.message_id = w.message_id AND ${isAmong("o.message_id")}`,
);

export const takenEntries = describeForm(
  { message_id: "text", token: "text" },
  "writes",
  (wanted) => `
    WITH wanted AS (SELECT * FROM ${wanted}), taken AS (
      DELETE FROM outbox o USING wanted w
       WHERE o.message_id = w.message_id AND o.lease_token = w.token AND ${isAmong("o.message_id")} RETURNING 1
    )
    ${require("(SELECT COUNT(*) FROM taken) = (SELECT COUNT(*) FROM wanted)")}`,
);

export const savedDispatches = describeForm(
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

export const endedDispatches = describeForm(
  { message_id: "text" },
  "writes",
  () => `DELETE FROM dispatches WHERE ${isAmong("message_id")}`,
);

export const daysAddedTo = describeForm(
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
    WITH sums AS (
      SELECT tenant_id, day, channel, SUM(units)::bigint AS units,
             SUM(provider_cost_micros)::bigint AS provider_cost_micros, SUM(markup_micros)::bigint AS markup_micros
        FROM ${wanted} GROUP BY tenant_id, day, channel
    ), ${addInTurns(dayCounters)}
    ${require("(SELECT COUNT(*) FROM saved) = (SELECT COUNT(*) FROM sums)")}`,
);

// messages are held before
export const savedStatuses = describeForm(
  { message_id: "text", status: "text", delivery_reason: "text", now: "bigint" },
  "writes",
  (wanted) => `
    UPDATE messages m SET status = w.status, delivery_reason = w.delivery_reason, updated_at = w.now
      FROM ${wanted} WHERE m.message_id = w.message_id`,
);

export const savedOutcomes = describeForm(
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
           provider_message_id = COALESCE(w.provider_message_id, m.provider_message_id),
           taken_at = CASE WHEN w.provider_message_id IS NULL THEN m.taken_at ELSE COALESCE(m.taken_at, w.now) END,
           updated_at = w.now,
           provider = COALESCE(w.provider, m.provider),
           attempts = m.attempts + CASE WHEN w.provider IS NULL THEN 0 ELSE 1 END
      FROM ${wanted} WHERE m.message_id = w.message_id`,
);
