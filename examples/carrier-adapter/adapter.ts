// An adapter: msgd's texts go through a provider that msgd does not know (here the stand-in of provider.ts). No text is sent
// twice, wherever this program is killed: it stores the id of a message before it calls its provider.
//
// ADAPTER_SECRET   the secret of the carrier's settings, whsec_…
// PROVIDER_URL     the provider; it reports to http://127.0.0.1:<PORT>/provider/<PROVIDER_TOKEN>
// ADAPTER_STORE    the file of the messages, messages.jsonl by default
import { createHmac, timingSafeEqual } from "node:crypto";
import { existsSync, openSync, readFileSync, renameSync, writeFileSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage } from "node:http";
import type { Schemas } from "@msgctl/server/carrier-adapter";

const { ADAPTER_SECRET = "", PROVIDER_URL = "", PROVIDER_TOKEN = "", PORT = "4950" } = process.env;
const { ADAPTER_STORE: file = "messages.jsonl" } = process.env;
if (!ADAPTER_SECRET || !PROVIDER_URL || !PROVIDER_TOKEN)
  throw new Error("set ADAPTER_SECRET, PROVIDER_URL, PROVIDER_TOKEN");
const KEPT_MS = 8 * 24 * 60 * 60 * 1_000;
const LONGEST_BODY = 65_536;

/** A message, and what the provider said. Without `outcome`, the provider may have it. */
interface Kept {
  readonly id: string;
  readonly at: number;
  readonly attempt: number;
  readonly eventsUrl: string;
  readonly outcome?: Schemas["Outcome"] | Schemas["Absent"];
}

// each line is the newest state of its message
const lines: Kept[] = existsSync(file) ? readFileSync(file, "utf8").split("\n").flatMap(readLine) : [];
const messages = new Map(lines.map((kept) => [kept.id, kept]));
for (const { id, at } of messages.values()) if (at < Date.now() - KEPT_MS) messages.delete(id);
const compacted = [...messages.values()].map((kept) => `${JSON.stringify(kept)}\n`).join("");
writeFileSync(`${file}.new`, compacted, { flush: true });
renameSync(`${file}.new`, file);
const store = openSync(file, "as"); // synchronous: on disk when a write returns

/** Skips a line that was cut off when the machine went down: its message was not given to the provider. */
function readLine(line: string): Kept[] {
  try {
    return [JSON.parse(line)];
  } catch {
    return [];
  }
}

function keep(kept: Kept): Kept {
  writeSync(store, `${JSON.stringify(kept)}\n`);
  messages.set(kept.id, kept);
  return kept;
}

type Answer = readonly [status: number, body?: object | undefined, headers?: Record<string, string>];

async function put(id: string, message: Schemas["Message"]): Promise<Answer> {
  const { channel, to, content: text, eventsUrl, attempt } = message;
  const known = messages.get(id);
  const isAbsent = known?.outcome?.outcome === "absent";
  if (known !== undefined && !(isAbsent && attempt > known.attempt))
    return known.outcome === undefined || isAbsent ? [500] : [200, known.outcome];
  if (channel !== "SMS") return [200, { outcome: "failed", detail: "this adapter carries only texts" }];
  const kept = keep({ id, at: Date.now(), attempt, eventsUrl });
  const from = message.sender ?? "";
  const body = JSON.stringify({ from, to, text, reference: id });
  const said = await fetch(`${PROVIDER_URL}/messages`, { method: "POST", body }).catch((error) => {
    if (error.cause?.code !== "ECONNREFUSED") throw error; // the provider may have the text
    return Response.json({ error: "the provider cannot be reached" }, { status: 503 });
  });
  const { id: providerMessageId, error: detail } = (await said.json()) as { id: string; error: string };
  const isDown = said.status === 503 && said.url === "";
  if (isDown || said.status === 429) {
    keep({ ...kept, outcome: { outcome: "absent" } });
    return [said.status, { outcome: "deferred", detail }, { "retry-after": said.headers.get("retry-after") ?? "1" }];
  }
  if (said.status === 201) return [200, keep({ ...kept, outcome: { outcome: "taken", providerMessageId } }).outcome];
  if (said.status !== 400) return [500]; // does not say whether the provider has the text
  return [200, keep({ ...kept, outcome: { outcome: "refused", reason: "CARRIER_UNKNOWN", detail } }).outcome];
}

function find(id: string): Answer {
  const { outcome } = messages.get(id) ?? {};
  if (outcome?.outcome === "taken") return [200, outcome];
  return [200, { outcome: outcome === undefined ? "unknown" : "absent" }];
}

/** Passes a status of the provider on. msgd's answer is the provider's, which repeats what msgd has not recorded. */
async function report(said: { reference: string; id: string; status: string }): Promise<Answer> {
  const { reference: messageId, id: providerMessageId, status } = said;
  const known = messages.get(messageId);
  if (known === undefined) return [204];
  const own = { type: "receipt", messageId, providerMessageId } as const;
  const event = { ...own, status: status === "delivered" ? "DELIVERED" : "UNDELIVERED" } as const;
  if (known.outcome === undefined) keep({ ...known, outcome: { outcome: "taken", providerMessageId } });
  return [await post(known.eventsUrl, `${messageId}:${event.status}`, event)];
}

async function post(url: string, id: string, event: Schemas["Event"]): Promise<number> {
  const [body, timestamp] = [JSON.stringify(event), String(Math.floor(Date.now() / 1_000))];
  const signature = {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": sign(id, timestamp, body),
  };
  const headers = { "content-type": "application/json", ...signature };
  return (await fetch(url, { method: "POST", headers, body })).status;
}

function sign(id: string, timestamp: string, body: string): string {
  const key = Buffer.from(ADAPTER_SECRET.replace("whsec_", ""), "base64");
  return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
}

function isSigned({ headers }: IncomingMessage, id: string, body: string): boolean {
  const timestamp = String(headers["webhook-timestamp"]);
  const [given, own] = [Buffer.from(String(headers["webhook-signature"])), Buffer.from(sign(id, timestamp, body))];
  const isRecent = Math.abs(Date.now() / 1_000 - Number(timestamp)) <= 300;
  return isRecent && headers["webhook-id"] === id && given.length === own.length && timingSafeEqual(given, own);
}

async function answer(request: IncomingMessage): Promise<Answer> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of request) {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length > LONGEST_BODY) return [413];
  }
  const body = bytes.toString();
  const { method, url = "" } = request;
  if (method === "POST" && url === `/provider/${PROVIDER_TOKEN}`) return report(JSON.parse(body));
  const [, id = "health"] = /^\/messages\/(\w+)$/.exec(url) ?? [];
  if (!isSigned(request, id, body)) return [401];
  if (url === "/health") return [204];
  return method === "PUT" ? put(id, JSON.parse(body)) : find(id);
}

const server = createServer(async (request, response) => {
  const [status, body, headers] = await answer(request).catch((error): Answer => [500, void console.error(error)]);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body && JSON.stringify(body));
});
server.listen(Number(PORT), "127.0.0.1", () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === "object" ? address?.port : address}`);
});
