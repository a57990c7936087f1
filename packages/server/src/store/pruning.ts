// Removes expired rows. They are found through an index on their time, so live rows are never read.

import type { Transaction } from "./store.ts";

export type PrunedTable =
  | "idempotency_keys"
  | "provider_events"
  | "callbacks"
  | "callback_gone_urls"
  | "sessions"
  | "failed_sign_ins"
  | "audit_entries"
  | "message_parts"
  | "parked_receipts"
  | "text_answers"
  | "unmatched_texts"
  | "suppressions"
  | "project_labels";

/** The result of one pruning call. Times are epoch milliseconds. */
interface Bite {
  readonly removed: number;
  /** The earliest time among the remaining rows; undefined if none remains. */
  readonly earliest: number | undefined;
}

/** Removes up to `limit` rows whose time is `overAt` or earlier, the oldest first. */
export type Prune = (tx: Transaction, request: { readonly overAt: number; readonly limit: number }) => Promise<Bite>;

/** Removes idempotency keys that expired by `overAt`. */
export const pruneIdempotency = createPrune(
  "idempotency_keys",
  "tenant_id, merchant_id, operation, idempotency_key",
  "expires_at",
);
/** Removes carriers' events that were received by `overAt`. */
export const pruneProviderEvents = createPrune("provider_events", "provider, event_id", "received_at");
/** Removes callbacks that were delivered or given up by `overAt`. */
export const pruneCallbacks = createPrune("callbacks", "callback_id", "updated_at", "next_attempt_at IS NULL");
/** Removes marks of URLs whose receivers last answered 410 by `overAt`. */
export const pruneGoneUrls = createPrune("callback_gone_urls", "tenant_id, url", "gone_at");
/** Removes sessions that were last refreshed by `overAt`. */
export const pruneSessions = createPrune("sessions", "session_id", "refreshed_at");
/** Removes counts of failed sign-ins that began by `overAt`. */
export const pruneFailedSignIns = createPrune("failed_sign_ins", "subject", "since");
/** Removes audit entries of requests made by `overAt`. */
export const pruneAuditEntries = createPrune("audit_entries", "entry_id", "asked_at");

/** Removes parts of texts that carriers accepted by `overAt`. */
export const pruneMessageParts = createPrune("message_parts", "provider, part", "taken_at");
/** Removes records of answers to texts that were sent by `overAt`. */
export const pruneTextAnswers = createPrune("text_answers", "conversation_digest, message_id", "answered_at");
/** Removes unmatched texts received by `overAt`. */
export const pruneUnmatchedTexts = createPrune("unmatched_texts", "carrier, event_id", "received_at");
/** Removes suppressions, and first bounces, that ended by `overAt`. */
export const pruneSuppressions = createPrune("suppressions", "tenant_id, channel, contact", "ends_at");
/** Removes receipts parked by `overAt`. */
export const pruneParkedReceipts = createPrune("parked_receipts", "provider, part, event_id", "parked_at");

function createPrune(table: PrunedTable, key: string, time: string, condition?: string): Prune {
  const isOver = [`${time} <= $1`, ...(condition === undefined ? [] : [condition])].join(" AND ");
  // check the time again on deletion: a key that was reused since the selection must stay
  const removeStatement = `
    DELETE FROM ${table} WHERE ${isOver} AND (${key}) IN
      (SELECT ${key} FROM ${table} WHERE ${isOver} ORDER BY ${time} LIMIT $2)`;
  const earliestStatement = `SELECT MIN(${time}) AS earliest FROM ${table}${condition === undefined ? "" : ` WHERE ${condition}`}`;
  return async (tx, { overAt, limit }) => {
    const removed = await tx.run(removeStatement, overAt, limit);
    const row = await tx.get<{ earliest: number | null }>(earliestStatement);
    return { removed, earliest: row?.earliest ?? undefined };
  };
}

/** Records that the table is pruned from now on. Returns false, and changes nothing, if that is already recorded. */
export async function beginPruned(tx: Transaction, table: PrunedTable): Promise<boolean> {
  return (
    (await tx.run("INSERT INTO pruning (pruned_table) VALUES ($1) ON CONFLICT (pruned_table) DO NOTHING", table)) > 0
  );
}
