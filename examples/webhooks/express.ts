// Receives callbacks with Express: MSGCTL_CALLBACK_SECRETS=whsec_… npx tsx examples/webhooks/express.ts
// `msgd callbacks secret` prints the secret. During a rotation, list both secrets, separated by a comma.
import type { AddressInfo } from "node:net";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";
import express, { type ErrorRequestHandler } from "express";

const secrets = process.env.MSGCTL_CALLBACK_SECRETS?.split(",") ?? [];
const port = Number(process.env.PORT ?? 4900);

/** Events that were handled. A real receiver stores the id, as a unique key, in the transaction that stores its data. */
const handled = new Set<string>();

function handle(event: WebhookEvent): void {
  if (handled.has(event.id)) return;
  handled.add(event.id);
  switch (event.type) {
    case "voice.tts_call.updated":
    case "voice.tts_call.finalized":
      console.log(event.type, event.data.requestId, event.data.finalStatus);
      break;
    case "voice.tts_batch.finalized":
      console.log(event.type, event.data.batchId, `${event.data.success} of ${event.data.totalCalls}`);
      break;
    case "message.updated":
      console.log(event.type, event.data.messageId, event.data.status); // keep the one with the highest data.sequence
      break;
    case "message.received":
      console.log(event.type, event.data.from, event.data.action);
      break;
    default:
      console.log(`${event.type} is new`); // from a newer service: accept the event, or it is sent again
  }
}

const refuse: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof WebhookVerificationError)) return next(error);
  console.warn(error.reason);
  response.sendStatus(400);
};

const app = express();
// This route needs the raw body, so register it before any app-wide express.json().
app.post("/callbacks", express.raw({ type: "application/json" }), async (request, response) => {
  handle(await verifyWebhook(request.body, request.headers, secrets));
  response.sendStatus(204);
});
app.use(refuse);
const server = app.listen(port, "127.0.0.1", (error) => {
  if (error) throw error;
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
