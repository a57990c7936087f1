// What the queue of accepted messages knows of a message that its row does not say: see accepted-queue.ts.

import type { Dialect } from "./dialect.ts";

export interface QueueColumns {
  /** Joins the queue to `messages m`. */
  readonly join: string;
  /** The status of `messages m`: SENDING, too, for one that is leased in its place in the queue. */
  readonly status: string;
  /** The provider of an attempt that the message's row does not say yet; null if there is none. */
  readonly openAttempt: string;
}

const inIndex: QueueColumns = { join: "", status: "m.status", openAttempt: "NULL" };

export const inTable: QueueColumns = {
  join: "LEFT JOIN outbox o ON o.message_id = m.message_id",
  status: "CASE WHEN o.lease_token IS NULL THEN m.status ELSE 'SENDING' END",
  openAttempt: "o.provider",
};

/** A text in the form for each engine. */
export function toQueueText(
  write: (columns: QueueColumns) => string,
): (dialect: Pick<Dialect, "hasQueueTable">) => string {
  const [ofIndex, ofTable] = [write(inIndex), write(inTable)];
  return ({ hasQueueTable }) => (hasQueueTable ? ofTable : ofIndex);
}
