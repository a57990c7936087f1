// A receiver that has a backlog waiting for it, and then answers 410: it wants nothing more.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import type { Stress } from "./measure.ts";
import { startProbed, type World } from "./world.ts";

/** What one call tells from its beginning to its end. */
const EVENTS_A_CALL = 6;
const LOOK_MS = 200;
const LONGEST_MS = 120_000;

/** `events` that fall due for one receiver, whose answer to the first of them ends them all. */
export function goneReceiver({ events }: { events: number }): Stress {
  let status = 503;
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(status).end();
  });
  return {
    name: `a 410 with ${events} events waiting`,
    async prepare(world, leadMs) {
      receiver.listen(0, "127.0.0.1").unref();
      await once(receiver, "listening");
      await makeOneEvent(world, (receiver.address() as AddressInfo).port);
      return fillBacklog(world, events, leadMs);
    },
    async run(world) {
      status = 410;
      const giveUpAt = performance.now() + LONGEST_MS;
      while (isWaiting(world) && performance.now() < giveUpAt) await sleep(LOOK_MS);
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}

/** Has the server itself make one, so that the backlog is made of what it makes. */
async function makeOneEvent(world: World, receiverPort: number): Promise<void> {
  const server = await startProbed(world);
  const reply = await fetch(`http://127.0.0.1:${server.port}/api/v1/voice/tts-calls`, {
    method: "POST",
    headers: { ...world.crowd, "content-type": "application/json" },
    body: JSON.stringify({
      merchantId: "bench",
      messageText: "Hello.",
      useCase: "OTP",
      toNumber: "+12022000000",
      callbackUrl: `http://127.0.0.1:${receiverPort}/events`,
    }),
  });
  if (!reply.ok) throw new Error(`the call was refused: ${await reply.text()}`);
  while (!isWaiting(world)) await sleep(LOOK_MS);
  await server.stop();
}

/** Copies the event, whatever columns it has, and has all of its copies and their line fall due. Gives when. */
function fillBacklog({ data }: World, events: number, leadMs: number): number {
  const database = new BetterSqlite3(join(data, "msgd.db"));
  try {
    const namesOf = (table: string) =>
      (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const columns = namesOf("callbacks").filter((name) => name !== "callback_id");
    const dueAt = Date.now() + leadMs;
    const own: Readonly<Record<string, string>> = {
      webhook_id: "printf('evt_%032x', i)",
      request_id: `1000000 + i / ${EVENTS_A_CALL}`,
      status: "'PENDING'",
      attempts: "0",
      next_attempt_at: String(dueAt),
      lease_token: "NULL",
    };
    database.transaction(() => {
      const { last } = database.prepare("SELECT MAX(callback_id) AS last FROM callbacks").get() as { last: number };
      database
        .prepare(
          `INSERT INTO callbacks (${columns.join(", ")})
           WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $events)
           SELECT ${columns.map((name) => own[name] ?? `c.${name}`).join(", ")}
             FROM n, callbacks c WHERE c.callback_id = $last`,
        )
        .run({ events, last });
      database.prepare("DELETE FROM callbacks WHERE callback_id <= ?").run(last);
      // the receiver's line, in whatever table of theirs it is
      const tables = database
        .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name LIKE 'callback\\_%' ESCAPE '\\'")
        .pluck()
        .all() as string[];
      for (const table of tables.filter((name) => namesOf(name).includes("due_at"))) {
        database.exec(`UPDATE ${table} SET due_at = ${dueAt}`);
      }
    })();
    return dueAt;
  } finally {
    database.close();
  }
}

/** Whether something has still to be told. */
function isWaiting({ data }: World): boolean {
  const database = new BetterSqlite3(join(data, "msgd.db"), { readonly: true, timeout: 5_000 });
  try {
    return database.prepare("SELECT 1 FROM callbacks WHERE status = 'PENDING' LIMIT 1").get() !== undefined;
  } finally {
    database.close();
  }
}
