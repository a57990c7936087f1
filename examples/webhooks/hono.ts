// Receives callbacks with Hono: MSGCTL_CALLBACK_SECRETS=whsec_… npx tsx examples/webhooks/hono.ts
// The secret comes from `msgd callbacks secret`. During a rotation, give both secrets, separated by a comma.
import { serve } from "@hono/node-server";
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";
import { Hono } from "hono";

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
      console.log(`${event.type} is new`); // an event type of a newer service: accept it, or the service sends it again
  }
}

const app = new Hono();
app.post("/callbacks", async (context) => {
  handle(await verifyWebhook(await context.req.text(), context.req.raw.headers, secrets));
  return context.body(null, 204);
});
app.onError((error, context) => {
  if (!(error instanceof WebhookVerificationError)) throw error;
  console.warn(error.reason);
  return context.body(null, 400);
});
serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }, (info) =>
  console.log(`listening on http://127.0.0.1:${info.port}`),
);
