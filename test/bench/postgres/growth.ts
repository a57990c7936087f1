// The same sends on an empty database and on one that has been in use for years; then changes of its largest table during
// sends.

import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { loadFrom } from "../process.ts";
import type { SectionOutput } from "../section-output.ts";
import {
  describeMeasured,
  type LoadSize,
  makeSend,
  measureAlternately,
  prepareTenant,
  startMsgd,
  type Target,
} from "../sends.ts";
import { ask, createDatabase, startDurable } from "./databases.ts";

export interface Rows {
  readonly messages: number;
  readonly consents: number;
}

/** Sends per second during a change of a table: few enough for each to be answered at once. */
const PACE = 100;
const BESIDE_SECONDS = 4;

const body = makeSend("{recipient}");

/** Changes that a release may make: each step alone, as `msgd migrate` runs it. */
const changes: readonly { readonly name: string; readonly text: string }[] = [
  { name: "a column with a default", text: "ALTER TABLE messages ADD COLUMN later bigint NOT NULL DEFAULT 0" },
  { name: "an index, concurrently", text: "CREATE INDEX CONCURRENTLY messages_later ON messages (provider)" },
  { name: "dropping the index", text: "DROP INDEX CONCURRENTLY messages_later" },
  { name: "dropping the column", text: "ALTER TABLE messages DROP COLUMN later" },
];

export async function benchPostgresGrowth(
  rows: Rows,
  load: LoadSize,
  { print, printGoal }: SectionOutput,
): Promise<void> {
  print(`\nGrowth on PostgreSQL: ${rows.messages} messages with their keys, ${rows.consents} consents\n`);
  const folder = mkdtempSync(join(tmpdir(), "msgd-bench-postgres-"));
  const server = await startDurable();
  try {
    const secretKey = randomBytes(32).toString("base64");
    const prepare = async (name: string) => {
      const url = await createDatabase(server, `grown_${name}`);
      const env = { DATABASE_URL: url, MSGD_SECRET_KEY: secretKey, MSGD_SEARCH_FOLDER: join(folder, "indexes") };
      return { url, env, headers: await prepareTenant(join(folder, "none"), env) };
    };
    const [empty, full] = [await prepare("empty"), await prepare("full")];
    const start = performance.now();
    await fill(full.url, rows);
    print(`filled in ${((performance.now() - start) / 1_000).toFixed(0)} s, ${await readSizeMb(full.url)} MB`);
    const targets: Target[] = Object.entries({ empty, full }).map(([name, { url, env, headers }]) => ({
      name,
      headers,
      body,
      keys: "uuidv7",
      start: async () => {
        await cancelBacklog(url);
        return startMsgd(join(folder, "none"), env);
      },
    }));
    const measured = await measureAlternately(targets, load);
    for (const line of describeMeasured(measured)) print(line);
    const [emptyRun, fullRun] = measured;
    if (emptyRun === undefined || fullRun === undefined) throw new Error("nothing was measured");
    const share = (100 * fullRun.requestsPerSecond) / emptyRun.requestsPerSecond;
    print("");
    printGoal("full / empty", `${share.toFixed(1)} %`, "≥ 90 %", share >= 90);

    await cancelBacklog(full.url);
    print(`\nChanges of the messages table, during ${PACE} sends a second\n`);
    const instance = await startMsgd(join(folder, "none"), full.env);
    try {
      const plan = {
        path: "/api/v1/messages/sms",
        port: instance.port,
        headers: full.headers,
        body,
        connections: 4,
        pace: PACE,
      };
      for (const { name, text } of [{ name: "nothing", text: "SELECT 1" }, ...changes]) {
        const start = performance.now();
        const changed = ask(full.url, text).then(() => performance.now() - start);
        const beside = await loadFrom({ ...plan, seconds: BESIDE_SECONDS });
        const tookMs = await changed;
        print(`${name.padEnd(26)}${tookMs.toFixed(0).padStart(8)} ms, slowest send ${beside.maxMs.toFixed(0)} ms`);
      }
    } finally {
      await instance.stop();
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Cancels a round's backlog, which the next round would otherwise dispatch. */
async function cancelBacklog(url: string): Promise<void> {
  await ask(
    url,
    `UPDATE messages SET status = 'CANCELED' WHERE message_id IN (SELECT message_id FROM outbox);
     TRUNCATE outbox, dispatches`,
  );
  await ask(url, "VACUUM ANALYZE outbox");
  await ask(url, "CHECKPOINT");
}

async function readSizeMb(url: string): Promise<number> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query("SELECT pg_database_size(current_database()) / 1048576 AS mb");
    return Number(rows[0]?.mb);
  } finally {
    await client.end();
  }
}

/** Inserts rows as the server would have stored them, in the order of their creation, and vacuums the tables. */
async function fill(url: string, { messages, consents }: Rows): Promise<void> {
  const owner = "(SELECT tenant_id FROM merchants WHERE merchant_id = 'bench')";
  const numbers = (count: number) => `generate_series(0, ${count - 1}) AS i`;
  // ULIDs of the year 2005: older than any that the load creates
  const messageId = "'msg_0100' || lpad(i::text, 22, '0')";
  const at = "1104537600000 + i";
  await ask(
    url,
    `INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, source, updated_at)
     SELECT ${owner}, 'bench', 'SMS', '+1202' || lpad(i::text, 7, '0'), 'OPT_IN', 'import', ${at} FROM ${numbers(consents)}`,
  );
  await ask(
    url,
    `INSERT INTO messages (message_id, tenant_id, merchant_id, channel, type, purpose, recipient, status, units,
       credit_units, period, charge, provider_cost_micros, markup_micros, attempts, provider, provider_message_id,
       created_at, updated_at, content)
     SELECT ${messageId}, ${owner}, 'bench', 'SMS', 'OTP', 'SEND', '+1202' || lpad((i % 1000000)::text, 7, '0'), 'DELIVERED',
       1, 0, '2005-01-01', 'SETTLED', 7900, 1580, 1, 'simulated', 'sim_' || ${messageId}, ${at}, ${at},
       'Your code is 481516. It is valid for ten minutes.' FROM ${numbers(messages)}`,
  );
  await ask(
    url,
    `INSERT INTO idempotency_keys (tenant_id, merchant_id, operation, idempotency_key, fingerprint, reference, expires_at)
     SELECT ${owner}, 'bench', 'sendSms',
       '01010000-' || lpad(to_hex(i / 65536), 4, '0') || '-7000-8000-' || lpad(to_hex(i), 12, '0'),
       'gr8hpEnYQ6V1mNlz0cYkB1x2S0yW7uS5ZQm3o3oQ4bE=', '{"messageId":"' || ${messageId} || '"}', 4000000000000
       FROM ${numbers(messages)}`,
  );
  for (const table of ["consents", "messages", "idempotency_keys"]) await ask(url, `VACUUM ANALYZE ${table}`);
  await ask(url, "CHECKPOINT");
}
