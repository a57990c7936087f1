// Measures the same sends on an empty database and on one that has been in use for years.

import { closeSync, fsyncSync, mkdtempSync, openSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { type LoadSize, type Measured, makeSend, measureAlternately, prepareTenant, startMsgd } from "./sends.ts";

export interface Growth {
  readonly messages: number;
  readonly consents: number;
  readonly fillSeconds: number;
  readonly databaseMb: number;
  readonly empty: Measured;
  readonly full: Measured;
}

const body = makeSend("{recipient}");

/** Fills one of two databases with consents, delivered messages and their keys. Then loads both alternately. */
export async function measureGrowth(rows: { messages: number; consents: number }, size: LoadSize): Promise<Growth> {
  const folder = mkdtempSync(join(tmpdir(), "msgd-growth-"));
  try {
    const [empty, full] = [join(folder, "empty"), join(folder, "full")];
    const emptyHeaders = await prepareTenant(empty);
    const fullHeaders = await prepareTenant(full);
    const start = performance.now();
    fill(join(full, "msgd.db"), rows);
    const fillSeconds = (performance.now() - start) / 1_000;
    const targets = [
      { name: "empty", headers: emptyHeaders, data: empty },
      { name: "full", headers: fullHeaders, data: full },
    ].map(({ data, ...target }) => {
      // serve the original: the system would still write a copy of several gigabytes to disk during the load
      const start = () => {
        cancelBacklog(join(data, "msgd.db"));
        return startMsgd(data);
      };
      return { ...target, start, keys: "uuidv7" as const, body };
    });
    const [emptyRun, fullRun] = await measureAlternately(targets, size);
    if (emptyRun === undefined || fullRun === undefined) throw new Error("nothing was measured");
    const databaseMb = statSync(join(full, "msgd.db")).size / 1_048_576;
    return { ...rows, fillSeconds, databaseMb, empty: emptyRun, full: fullRun };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Cancels a round's backlog, which the next round would otherwise dispatch. */
function cancelBacklog(file: string): void {
  const database = new BetterSqlite3(file);
  database.exec("UPDATE messages SET status = 'CANCELED' WHERE status = 'QUEUED'; DELETE FROM dispatches");
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
}

/** Inserts rows as the server would have stored them, in the order in which it would have created them. */
function fill(file: string, { messages, consents }: { messages: number; consents: number }): void {
  const database = new BetterSqlite3(file);
  database.pragma("synchronous = OFF");
  database.pragma("cache_size = -200000");
  const owner = database.prepare("SELECT tenant_id AS tenantId FROM merchants WHERE merchant_id = 'bench'").get() as {
    tenantId: number;
  };
  const numbers = "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < $last)";
  const recipient = "'+1202' || printf('%07d', i % 1000000)";
  // ULIDs of the year 2005: older than any that the load creates
  const messageId = "'msg_0100' || printf('%022d', i)";
  const at = "1104537600000 + i";
  database.transaction(() => {
    database
      .prepare(
        `INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, source, updated_at)
         ${numbers} SELECT $tenantId, 'bench', 'SMS', '+1202' || printf('%07d', i), 'OPT_IN', 'import', ${at} FROM n`,
      )
      .run({ ...owner, last: consents - 1 });
    database
      .prepare(
        `INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
           credit_units, period, charge, provider_cost_micros, markup_micros, attempts, provider, provider_message_id,
           created_at, updated_at, content)
         ${numbers} SELECT ${messageId}, $tenantId, 'bench', 'SMS', 'OTP', 'SEND', ${recipient}, 'DELIVERED', 1, 0,
           '2005-01-01', 'SETTLED', 7900, 1580, 1, 'simulated', 'sim_' || ${messageId}, ${at}, ${at},
           'Your code is 481516. It is valid for ten minutes.' FROM n`,
      )
      .run({ ...owner, last: messages - 1 });
    database
      .prepare(
        `INSERT INTO idempotency_keys (tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at)
         ${numbers} SELECT $tenantId, '', 'sendSms', printf('01010000-%04x-7000-8000-%012x', i / 65536, i),
           'gr8hpEnYQ6V1mNlz0cYkB1x2S0yW7uS5ZQm3o3oQ4bE=', '{"messageId":"' || ${messageId} || '"}', 4000000000000 FROM n`,
      )
      .run({ ...owner, last: messages - 1 });
  })();
  database.pragma("wal_checkpoint(TRUNCATE)");
  database.close();
  // flushes the file now; otherwise the system would write it to disk during the load
  const handle = openSync(file, "r");
  fsyncSync(handle);
  closeSync(handle);
}
