// Queries for the work that a server has yet to do, by its clock.

/** A row for each payment whose outcome is not known yet. */
export const pendingPayments = "SELECT 1 FROM payments WHERE status = 'PENDING'";

/** A row for each message that has not begun to leave. */
export const waiting = `
  SELECT 1 FROM messages WHERE status = 'QUEUED'
  UNION ALL SELECT 1 FROM dispatches WHERE state IN ('waiting', 'ready')`;

/** A row for each message that has yet to be given to its carrier, or is on its way there. */
export const unsent = `
  SELECT 1 FROM messages WHERE status = 'QUEUED'
  UNION ALL SELECT 1 FROM tts_calls WHERE status IN ('QUEUED', 'SYNTHESIZING')
  UNION ALL SELECT 1 FROM dispatches WHERE state IN ('waiting', 'ready', 'submitting', 'handed-over')`;

/** A row for each thing that can be done now: accepted messages, those on their way, and jobs due within the minute. */
export function dueQuery(now: number): string {
  const soon = now + 60_000;
  return `
    SELECT 1 FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
    UNION ALL SELECT 1 FROM dispatches WHERE due_at < ${soon}
    UNION ALL SELECT 1 FROM speech_assets WHERE status = 'PENDING' AND due_at <= ${soon}
    UNION ALL SELECT 1 FROM jobs WHERE kind <> 'pruning' AND due_at < ${soon}`;
}

/** The same rows, and one for each message and call without an end, even if it has to wait for days. */
export function openQuery(now: number): string {
  return `${dueQuery(now)}
    UNION ALL SELECT 1 FROM messages WHERE status IN ('QUEUED', 'SENDING', 'SENT')
    UNION ALL SELECT 1 FROM dispatches
    UNION ALL SELECT 1 FROM tts_calls WHERE completed_at IS NULL`;
}
