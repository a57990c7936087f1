// Receives callbacks in an AWS Lambda function, behind API Gateway (both payload formats) or a function URL.
// MSGCTL_CALLBACK_SECRETS has the secret from `msgd callbacks secret`, or during a rotation both, separated by a comma.
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from "@msgctl/sdk/webhooks";

/** The fields of an API Gateway event that are used here; @types/aws-lambda has all of them. */
interface GatewayEvent {
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body?: string | null;
  readonly isBase64Encoded: boolean;
}

const secrets = process.env.MSGCTL_CALLBACK_SECRETS?.split(",") ?? [];

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

export async function handler(event: GatewayEvent): Promise<{ statusCode: number }> {
  try {
    // The gateway decides whether the body is base64, by the media types that it treats as binary.
    const body = Buffer.from(event.body ?? "", event.isBase64Encoded ? "base64" : "utf8");
    handle(await verifyWebhook(body, event.headers, secrets));
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.warn(error.reason);
    return { statusCode: 400 };
  }
  return { statusCode: 204 };
}
