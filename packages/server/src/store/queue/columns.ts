// What the queue of accepted messages knows of a message that its row does not say. SQLite has the queue in an index of the messages
// that are QUEUED; PostgreSQL in a table of its own, `outbox`.

import { type EngineTexts, perEngine } from "../statement.ts";

export interface QueueColumns {
  /** Joins the queue to `messages m`. */
  readonly join: string;
  /** The status of `messages m`: SENDING, too, for one that is leased in its place in the queue. */
  readonly status: string;
  /** The provider of an attempt that the message's row does not say yet; null if there is none. */
  readonly openAttempt: string;
  /** Selects `message_id`, `tenant_id` and `accepted_at` of the entries that no attempt was begun of. */
  readonly accepted: string;
  /** Selects `tenant_id` of the messages whose outcome was never reported. */
  readonly unknown: string;
}

export const queueColumns: Readonly<Record<"sqlite" | "postgres", QueueColumns>> = {
  sqlite: {
    join: "",
    status: "m.status",
    openAttempt: "NULL",
    accepted: `SELECT message_id, tenant_id, created_at AS accepted_at FROM messages
                WHERE status = 'QUEUED' AND queue_order IS NOT NULL`,
    unknown: "SELECT tenant_id FROM messages WHERE status = 'UNKNOWN'",
  },
  postgres: {
    join: "LEFT JOIN outbox o ON o.message_id = m.message_id",
    status: "CASE WHEN o.lease_token IS NULL THEN m.status ELSE 'SENDING' END",
    openAttempt: "o.provider",
    accepted: "SELECT message_id, tenant_id, accepted_at FROM outbox WHERE lease_token IS NULL",
    unknown: "SELECT tenant_id FROM unknown_messages",
  },
};

/** A text about messages or their queue, for each engine. */
export function toQueueText(write: (columns: QueueColumns) => string): EngineTexts {
  return perEngine(queueColumns, write);
}
