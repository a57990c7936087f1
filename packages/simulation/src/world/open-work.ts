import type { Database } from "./database.ts";

const statement = `
  SELECT 'message ' || message_id || ' is ' || status AS what FROM messages WHERE status IN ('QUEUED', 'SENDING', 'SENT')
  UNION ALL SELECT 'dispatch of ' || message_id || ' is ' || state FROM dispatches
  UNION ALL SELECT 'callback ' || webhook_id || ' waits' FROM callbacks WHERE status = 'PENDING'
  UNION ALL SELECT 'call ' || request_id || ' is ' || status FROM tts_calls
             WHERE status NOT IN ('COMPLETED', 'FAILED', 'REJECTED', 'CANCELED')
  UNION ALL SELECT 'payment ' || payment_id || ' is ' || status FROM payments WHERE status IN ('PENDING', 'PROCESSING')
  UNION ALL SELECT 'speech ' || asset_id || ' is ' || status FROM speech_assets WHERE status = 'PENDING'
  UNION ALL SELECT 'batch ' || batch_id || ' is being accepted' FROM call_acceptances`;

const dueStatement = `
  SELECT * FROM (
    SELECT 'dispatch of ' || message_id || ' (' || state || ')' AS what, due_at AS "dueAt" FROM dispatches
    UNION ALL SELECT 'step ' || kind || ' of ' || subject, due_at FROM jobs
    UNION ALL SELECT 'speech ' || asset_id, due_at FROM speech_assets WHERE status = 'PENDING'
    UNION ALL SELECT 'callbacks of tenant ' || tenant_id, due_at FROM callback_turns WHERE due_at >= 0
  ) AS due ORDER BY "dueAt" LIMIT 1`;

export interface Due {
  readonly what: string;
  /** In epoch milliseconds. */
  readonly dueAt: number;
}

/** What has been due the longest, or is next. */
export async function findFirstDue(database: Database): Promise<Due | undefined> {
  const [first] = await database.all<Due>(dueStatement);
  return first;
}

/** What the instances still have to bring to an end, in words: so much of it at most. */
export async function listOpenWork(database: Database, limit: number): Promise<string[]> {
  return (await database.all<{ what: string }>(`${statement} LIMIT ${limit}`)).map(({ what }) => what);
}
