// A receiver with a backlog of callbacks that answers 410 (Gone), which ends them all.

import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { enqueueCallback } from "../../../packages/server/src/domain/callbacks/rows.ts";
import { openSqliteStore } from "../../../packages/server/src/store/sqlite/sqlite-store.ts";
import { hasRow } from "../data-folder.ts";
import type { Stress } from "./measure.ts";
import type { World } from "./world.ts";

/** Number of events of one call. */
const EVENTS_A_CALL = 6;
/** Beyond the ids of any existing calls. */
const FIRST_CALL = 1_000_000;
const EVENTS_A_TRANSACTION = 1_000;
const LOOK_MS = 200;
const LONGEST_MS = 120_000;

/** Makes `events` events fall due for one receiver, whose answer to the first event ends them all. */
export function goneReceiver({ events }: { events: number }): Stress {
  const receiver = createServer((request, response) => {
    request.resume();
    response.writeHead(410).end();
  });
  return {
    name: `a 410 with ${events} events waiting`,
    async prepare({ data }, leadMs) {
      receiver.listen(0, "127.0.0.1").unref();
      await once(receiver, "listening");
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/events`;
      return fillBacklog(join(data, "msgd.db"), { url, events, leadMs });
    },
    async run({ data }: World) {
      const giveUpAt = performance.now() + LONGEST_MS;
      while (hasRow(data, "SELECT 1 FROM callbacks WHERE status = 'PENDING'")) {
        if (performance.now() > giveUpAt)
          throw new Error(`events still wait ${LONGEST_MS / 1_000} s after they fell due`);
        await sleep(LOOK_MS);
      }
      receiver.close();
      receiver.closeAllConnections();
    },
  };
}

/** Queues the events as the server does, all due at the same time, which it returns. */
async function fillBacklog(
  path: string,
  { url, events, leadMs }: { url: string; events: number; leadMs: number },
): Promise<number> {
  const store = await openSqliteStore({ path, now: Date.now });
  try {
    const tenant = await store.read((tx) =>
      tx.get<{ tenantId: number }>(`SELECT MIN(tenant_id) AS "tenantId" FROM merchants WHERE merchant_id = 'bench'`),
    );
    if (tenant === undefined) throw new Error("there is no tenant whose events could wait");
    const dueAt = Date.now() + leadMs;
    for (let first = 0; first < events; first += EVENTS_A_TRANSACTION) {
      await store.write(async (tx) => {
        for (let index = first; index < Math.min(first + EVENTS_A_TRANSACTION, events); index += 1) {
          const requestId = FIRST_CALL + Math.floor(index / EVENTS_A_CALL);
          const data = { requestId: String(requestId), status: "DIALING", toNumber: "+12022000000" };
          await enqueueCallback(tx, { ...tenant, requestId, url, type: "voice.tts_call.updated", data, now: dueAt });
        }
      });
    }
    return dueAt;
  } finally {
    await store.close();
  }
}
