// A stand-in for the provider of texts: it takes each text, sends nothing, and reports it as delivered a moment later, until
// the adapter has taken the report.
//
// STATUS_URL   where it reports
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";

const { STATUS_URL = "", PORT = "4951" } = process.env;

async function report(id: string, reference: string): Promise<void> {
  const body = JSON.stringify({ id, reference, status: "delivered" });
  for (let isTaken = false; !isTaken; ) {
    await sleep(500);
    const answer = await fetch(STATUS_URL, { method: "POST", body }).catch(() => undefined);
    isTaken = answer?.status === 204;
  }
}

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const { to, text, reference } = JSON.parse(Buffer.concat(chunks).toString());
  const id = randomUUID();
  console.log(`to ${to}: ${text}`);
  void report(id, reference);
  response.writeHead(201, { "content-type": "application/json" }).end(JSON.stringify({ id }));
});
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`);
});
