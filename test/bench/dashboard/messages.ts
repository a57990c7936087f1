// Inserts messages of several years as the server would have stored them: of many merchants, on every channel, with different
// outcomes and texts.

import { useDatabase } from "../data-folder.ts";

/** Numbers of distinct values by which a search can filter. */
export const MERCHANTS = 40;
export const RECIPIENTS = 1_000_000;
/** Time of the oldest message, and the interval between messages. */
const FIRST_AT = Date.UTC(2025, 0, 1);
export const APART_MS = 5_000;

/** Words of a text, the more frequent first. */
export const words = [
  ...["your", "order", "code", "is", "ready", "visit", "tomorrow", "at", "noon", "thanks", "table", "ticket"],
  ...["parcel", "delayed", "refund", "dentist", "invoice", "garden", "storm", "violin", "glacier", "quartz"],
];

/** SQL that chooses one of `values` by the expression `number`. */
function choose(values: readonly string[], number: string): string {
  const cases = values.map((value, index) => `WHEN ${index} THEN '${value}'`).join(" ");
  return `CASE (${number}) % ${values.length} ${cases} END`;
}

/** Adds messages with their merchants, and returns the time of the last one. */
export function addMessages(folder: string, count: number): number {
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $last)";
  const mixed = "((i * 2654435761) % 4294967296)";
  const word = (place: number) => choose(words, `(${mixed} >> ${place}) % ${1 + place * 4}`);
  const at = `${FIRST_AT} + i * ${APART_MS}`;
  const channel = choose(["SMS", "SMS", "SMS", "SMS", "EMAIL", "VOICE"], `${mixed} >> 3`);
  // two percent have failed
  const status = `CASE ${mixed} % 50 WHEN 0 THEN 'UNDELIVERED' ELSE 'DELIVERED' END`;
  const messageId = `'msg_01' || printf('%08d', i / 100) || printf('%016d', i)`;
  useDatabase(folder, (database) => {
    database.pragma("synchronous = OFF");
    database.pragma("cache_size = -200000");
    const owner = database.prepare("SELECT tenant_id AS tenantId FROM merchants WHERE merchant_id = 'bench'").get();
    database.transaction(() => {
      for (let number = 0; number < MERCHANTS; number += 1) {
        database
          .prepare(
            `INSERT INTO merchants (tenant_id, merchant_id, display_name, active, created_at, updated_at)
             VALUES ($tenantId, 'm' || $number, 'Merchant', 1, 0, 0)`,
          )
          .run({ ...Object(owner), number });
      }
      database
        .prepare(
          `INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
             credit_units, period, charge, provider_cost_micros, markup_micros, attempts, provider, provider_message_id,
             created_at, updated_at, delivery_reason, content)
           ${numbers} SELECT ${messageId}, $tenantId, 'm' || (${mixed} % ${MERCHANTS}), ${channel},
             ${choose(["OTP", "TRANSACTIONAL", "REMINDER", "MARKETING"], mixed)}, 'SEND',
             '+1202' || printf('%07d', ${mixed} % ${RECIPIENTS}), ${status}, 1, 0, '2025-01-01', 'SETTLED', 7900, 1580, 1,
             'simulated', 'sim_' || i, ${at}, ${at},
             CASE ${mixed} % 50 WHEN 0 THEN 'UNREACHABLE' END,
             ${[1, 2, 3, 4, 5].map(word).join(" || ' ' || ")} || ' ' || (i % 1000000) FROM n`,
        )
        .run({ ...Object(owner), last: count - 1 });
    })();
    database.pragma("wal_checkpoint(TRUNCATE)");
  });
  return FIRST_AT + count * APART_MS;
}
