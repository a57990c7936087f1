import type { Database } from "./database.ts";

const statement = `
  SELECT 'message ' || message_id || ' is ' || status AS what FROM messages WHERE status IN ('QUEUED', 'SENDING', 'SENT')
  UNION ALL SELECT 'dispatch of ' || message_id || ' is ' || state FROM dispatches
  UNION ALL SELECT type || ' of ' || message_id || ' waits' FROM message_events
  UNION ALL SELECT 'callback ' || webhook_id || ' waits' FROM callbacks WHERE status = 'PENDING'
  UNION ALL SELECT 'call ' || request_id || ' is ' || status FROM tts_calls
             WHERE status NOT IN ('COMPLETED', 'FAILED', 'REJECTED', 'CANCELED')
  UNION ALL SELECT 'payment ' || payment_id || ' is ' || status FROM payments WHERE status IN ('PENDING', 'PROCESSING')
  UNION ALL SELECT 'speech ' || asset_id || ' is ' || status FROM speech_assets WHERE status = 'PENDING'
  UNION ALL SELECT 'batch ' || batch_id || ' is being accepted' FROM call_acceptances`;

const dueStatement = `
  SELECT 'dispatch of ' || message_id || ' (' || state || ')' AS what, due_at AS "dueAt", 'minutes' AS within FROM dispatches
  UNION ALL SELECT 'carrier queue entry of ' || message_id, accepted_at, 'an hour' FROM dispatches d WHERE state = 'waiting'
             AND (carrier NOT LIKE 'no_carrier-%'
                  OR carrier IN (SELECT 'no_carrier-' || channel FROM carriers WHERE removed_at IS NULL))
  UNION ALL SELECT 'job ' || kind || ' of ' || subject, due_at, 'minutes' FROM jobs
  UNION ALL SELECT 'speech ' || asset_id, due_at, 'minutes' FROM speech_assets WHERE status = 'PENDING'
  UNION ALL SELECT 'callbacks of tenant ' || tenant_id, due_at, 'minutes' FROM callback_tenants WHERE due_at >= 0
  UNION ALL SELECT 'callbacks to ' || receiver, due_at, 'minutes' FROM callback_lanes WHERE due_at >= 0`;

/** An entry that an instance has to process, and the time within which it must do so once the entry is due. */
export interface Due {
  readonly what: string;
  /** In epoch milliseconds. */
  readonly dueAt: number;
  /** Carrier queue entries may take an hour, because a carrier may stay down for half an hour. */
  readonly within: "minutes" | "an hour";
}

export function listDue(database: Database): Promise<Due[]> {
  return database.all<Due>(dueStatement);
}

/** Describes work that the instances still have to finish, up to `limit` entries. */
export async function listOpenWork(database: Database, limit: number): Promise<string[]> {
  return (await database.all<{ what: string }>(`${statement} LIMIT ${limit}`)).map(({ what }) => what);
}
