// Receives callbacks with Fastify: MSGCTL_CALLBACK_SECRETS=whsec_… npx tsx examples/webhooks/fastify.ts
// The secret comes from `msgd callbacks secret`. During a rotation there are two: separate them by a comma.
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";
import Fastify from "fastify";

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
      console.log(`${event.type} is new`); // a newer service may send new types: accept them, so that they are not sent again
  }
}

const app = Fastify();
app.setErrorHandler((error, _request, reply) => {
  if (!(error instanceof WebhookVerificationError)) throw error;
  console.warn(error.reason);
  return reply.code(400).send();
});
// inside a plugin, this parser applies only to this route; other routes still parse JSON
await app.register(async (callbacks) => {
  callbacks.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) => done(null, body));
  callbacks.post<{ Body: Buffer }>("/callbacks", async (request, reply) => {
    handle(await verifyWebhook(request.body, request.headers, secrets));
    return reply.code(204).send();
  });
});
console.log("listening on", await app.listen({ port, host: "127.0.0.1" }));
