// Queries for the work that a server has yet to do. The times are by the server's clock.

/** Selects a row for each payment whose outcome is not known yet. */
export const pendingPayments = "SELECT 1 FROM payments WHERE status = 'PENDING'";

/** Selects a row for each message whose submission has not begun. */
export const waiting = `
  SELECT 1 FROM messages WHERE status = 'QUEUED'
  UNION ALL SELECT 1 FROM dispatches WHERE state IN ('waiting', 'ready')`;

/** Selects a row for each message that is yet to be submitted, or is being submitted. */
export const unsent = `
  SELECT 1 FROM messages WHERE status = 'QUEUED'
  UNION ALL SELECT 1 FROM tts_calls WHERE status IN ('QUEUED', 'SYNTHESIZING')
  UNION ALL SELECT 1 FROM dispatches WHERE state IN ('waiting', 'ready', 'submitting', 'handed-over')`;

/** Selects a row for each piece of work that can be done now: unsubmitted messages, and jobs due within a minute. */
export function dueQuery(now: number): string {
  const soon = now + 60_000;
  return `
    SELECT 1 FROM messages WHERE status = 'QUEUED' AND queue_order IS NOT NULL
    UNION ALL SELECT 1 FROM dispatches WHERE due_at < ${soon}
    UNION ALL SELECT 1 FROM speech_assets WHERE status = 'PENDING' AND due_at <= ${soon}
    UNION ALL SELECT 1 FROM jobs WHERE kind <> 'pruning' AND due_at < ${soon}`;
}

/** Selects a row of the simulated carrier for each report that it is to make within a minute. */
export function dueReports(now: number): string {
  return `SELECT 1 FROM events WHERE due_at < ${now + 60_000}`;
}

/** Selects the rows of `dueQuery`, and one for each message and call that has not ended, even if it has to wait for days. */
export function openQuery(now: number): string {
  return `${dueQuery(now)}
    UNION ALL SELECT 1 FROM messages WHERE status IN ('QUEUED', 'SENDING', 'SENT')
    UNION ALL SELECT 1 FROM dispatches
    UNION ALL SELECT 1 FROM tts_calls WHERE completed_at IS NULL`;
}
