// Stores callbacks in an inbox and processes them later: npx tsx examples/shop/inbox.ts <database>
// Answers as soon as a callback is on disk. Failed and interrupted work is still in the inbox at the next round.
// MSGCTL_CALLBACK_SECRETS has the secret from `msgd callbacks secret`, or during a rotation both, separated by a comma.
import type { AddressInfo } from "node:net";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";
import Database from "better-sqlite3";
import express, { type ErrorRequestHandler } from "express";

const secrets = process.env.MSGCTL_CALLBACK_SECRETS?.split(",") ?? [];
const database = new Database(process.argv[2] ?? ":memory:");
database.exec(`
  CREATE TABLE IF NOT EXISTS inbox (id TEXT PRIMARY KEY, event TEXT NOT NULL, tries INTEGER DEFAULT 0, done INTEGER DEFAULT 0);
  CREATE TABLE IF NOT EXISTS calls (id TEXT PRIMARY KEY, outcome TEXT NOT NULL, at TEXT NOT NULL);
`);
const take = database.prepare("INSERT INTO inbox (id, event) VALUES (?, ?) ON CONFLICT DO NOTHING");
const open = database.prepare<[], { id: string; event: string }>(
  "SELECT id, event FROM inbox WHERE done = 0 ORDER BY tries, rowid LIMIT 100",
);
const finish = database.prepare("UPDATE inbox SET done = 1 WHERE id = ?");
const putOff = database.prepare("UPDATE inbox SET tries = tries + 1 WHERE id = ?");
// One callback may overtake another: the later event wins.
const keep = database.prepare(`
  INSERT INTO calls (id, outcome, at) VALUES (?, ?, ?)
  ON CONFLICT DO UPDATE SET outcome = excluded.outcome, at = excluded.at WHERE excluded.at > at
`);

/** Does an event's work and marks it as done in one transaction, so that each event takes effect once. */
const work = database.transaction((event: WebhookEvent) => {
  if (event.type === "voice.tts_call.updated" || event.type === "voice.tts_call.finalized")
    keep.run(event.data.requestId, event.data.finalStatus, event.timestamp);
  finish.run(event.id);
});

/** One round of the worker. A busy shop runs the worker in a separate process, on the same table. */
function workOff(): void {
  for (const { id, event } of open.all()) {
    try {
      work(JSON.parse(event));
      console.log("done", id);
    } catch (error) {
      putOff.run(id);
      console.error(id, error);
    }
  }
}

const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof WebhookVerificationError)) return next(error);
  console.warn(error.reason);
  response.sendStatus(400);
};

const app = express();
app.post("/callbacks", express.raw({ type: "application/json" }), async (request, response) => {
  const event = await verifyWebhook(request.body, request.headers, secrets);
  const { changes } = take.run(event.id, JSON.stringify(event));
  console.log(changes === 1 ? "taken" : "repeat", event.id);
  response.sendStatus(204);
});
app.use(refuse);
const server = app.listen(Number(process.env.PORT ?? 4903), "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  setInterval(workOff, 100);
});
