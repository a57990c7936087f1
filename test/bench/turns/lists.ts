// A long list, requested by clients that read the reply, and by clients that do not read it.

import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { useDatabase } from "../data-folder.ts";
import type { Stress } from "./measure.ts";
import { discardBody, type Headers, type World } from "./world.ts";

const path = "/api/v1/consents";

/** `clients` clients request a list of `consents` consents for `windowMs`: repeatedly, or once without reading the reply. */
export function readLists(size: { consents: number; clients: number; reads: boolean; windowMs: number }): Stress {
  const { consents, clients, reads, windowMs } = size;
  const whom = clients === 1 ? "1 client that" : `${clients} clients that`;
  return {
    name: `${consents} consents, ${whom} ${reads ? "reads" : clients === 1 ? "stops" : "stop"}`,
    async prepare(world) {
      fillConsents(world, consents);
      return undefined;
    },
    async run({ crowd }, { port }) {
      const client = () => (reads ? readAgain(port, crowd, windowMs) : holdUnread(port, crowd, windowMs));
      await Promise.all(Array.from({ length: clients }, client));
    },
  };
}

async function readAgain(port: number, headers: Headers, windowMs: number): Promise<void> {
  const end = performance.now() + windowMs;
  do {
    const reply = await fetch(`http://127.0.0.1:${port}${path}`, { headers });
    await discardBody(reply);
    if (reply.status !== 200) throw new Error(`the list was answered with ${reply.status}`);
  } while (performance.now() < end);
}

/** Requests the list, and leaves the reply unread for `windowMs`. */
async function holdUnread(port: number, headers: Headers, windowMs: number): Promise<void> {
  const socket = connect(port, "127.0.0.1");
  // the server may close the connection
  socket.on("error", () => {});
  socket.pause();
  await once(socket, "connect");
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n${lines.join("")}\r\n`);
  await sleep(windowMs);
  socket.destroy();
}

function fillConsents({ data }: World, consents: number): void {
  useDatabase(data, (database) =>
    database
      .prepare(
        `INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, source, updated_at)
         WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         SELECT (SELECT MIN(tenant_id) FROM merchants WHERE merchant_id = 'bench'), 'bench', 'SMS',
                '+1202' || printf('%07d', i), 'OPT_IN', 'import', 1104537600000 + i FROM n`,
      )
      .run(consents - 1),
  );
}
