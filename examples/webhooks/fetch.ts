// Receives callbacks in a fetch handler: the default export that Cloudflare Workers, Deno and Bun run.
// MSGCTL_CALLBACK_SECRETS comes from `msgd callbacks secret`. During a rotation there are two: separate them by a comma.
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";

interface Environment {
  readonly MSGCTL_CALLBACK_SECRETS: string;
}

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

export default {
  async fetch(request: Request, environment: Environment): Promise<Response> {
    if (request.method !== "POST" || new URL(request.url).pathname !== "/callbacks") {
      return new Response(null, { status: 404 });
    }
    try {
      const secrets = environment.MSGCTL_CALLBACK_SECRETS.split(",");
      handle(await verifyWebhook(await request.text(), request.headers, secrets));
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      console.warn(error.reason);
      return new Response(null, { status: 400 });
    }
    return new Response(null, { status: 204 });
  },
};
