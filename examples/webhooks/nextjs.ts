// Receives callbacks in a route handler of Next.js. With the App Router, save it as app/callbacks/route.ts.
// MSGCTL_CALLBACK_SECRETS has the secret from `msgd callbacks secret`, or during a rotation both, separated by a comma.
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";

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

export async function POST(request: Request): Promise<Response> {
  const secrets = process.env.MSGCTL_CALLBACK_SECRETS?.split(",") ?? [];
  try {
    // The text, not request.json(): the signature is over the body as received.
    handle(await verifyWebhook(await request.text(), request.headers, secrets));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.warn(error.reason);
    return new Response(null, { status: 400 });
  }
  return new Response(null, { status: 204 });
}
