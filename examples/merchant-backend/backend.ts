import {
  ApiError,
  ConsentError,
  IdempotencyError,
  type MessagingClient,
  MessagingError,
  QuotaExceededError,
  RateLimitError,
  ValidationError,
} from "@msgctl/sdk";
import { WebhookVerificationError } from "@msgctl/sdk/webhooks";
import Fastify, { type FastifyInstance } from "fastify";
import { addCallbacks } from "./callbacks.ts";
import { Codes } from "./codes.ts";

export interface BackendOptions {
  readonly client: MessagingClient;
  /** The merchant that sends the messages. */
  readonly merchantId: string;
  /** Secrets that callbacks may be signed with. */
  readonly callbackSecrets: readonly string[];
  /** Returns the origin at which the service reaches this backend. Called before each call. */
  readonly publicUrl: () => string;
}

interface CodeRequest {
  /** Id that the app gave the user's action; retries have the same one. */
  requestId: string;
  phone: string;
}

const codeRequest = {
  body: {
    type: "object",
    required: ["requestId", "phone"],
    properties: { requestId: { type: "string", pattern: "^[A-Za-z0-9-]{8,64}$" }, phone: { type: "string" } },
  },
};

const optOut = { body: { type: "object", required: ["phone"], properties: { phone: { type: "string" } } } };

/** A merchant's backend: sends one-time passwords, records opt-outs, and receives the outcomes of its calls. */
export function createBackend({ client, merchantId, callbackSecrets, publicUrl }: BackendOptions): FastifyInstance {
  const codes = new Codes();
  const app = Fastify();

  app.post<{ Body: CodeRequest }>("/otp", { schema: codeRequest }, async ({ body }, reply) => {
    const { requestId, phone } = body;
    const message = `Your code is ${codes.of(requestId)}. It is good for ten minutes.`;
    // a double tap, a repeat by a proxy and a retry by the SDK all use this key, so only one message is sent
    const idempotencyKey = `otp-${requestId}`;
    const sms = { merchantId, to: phone, message, type: "OTP" } as const;
    const { data, meta } = await client.send.sms(sms, { idempotencyKey }).withResponse();
    return reply.code(202).send({ messageId: data.messageId, status: data.status, repeated: meta.replayed });
  });

  app.post<{ Body: CodeRequest }>("/spoken-otp", { schema: codeRequest }, async ({ body }, reply) => {
    const { requestId, phone } = body;
    const spoken = [...codes.of(requestId)].join(", ");
    const call = {
      merchantId,
      useCase: "OTP",
      messageText: `Your code is ${spoken}.`,
      toNumber: phone,
      callbackUrl: `${publicUrl()}/callbacks`,
    };
    const accepted = await client.tts.create(call, { idempotencyKey: `spoken-otp-${requestId}` });
    return reply.code(202).send({ callId: accepted.requestId, status: accepted.status });
  });

  app.post<{ Body: { phone: string } }>("/opt-outs", { schema: optOut }, async ({ body }, reply) => {
    await client.consent.record({ merchantId, channel: "SMS", contact: body.phone, status: "OPT_OUT" });
    return reply.code(204).send();
  });

  const outcomes = addCallbacks(app, callbackSecrets);
  app.get<{ Params: { callId: string } }>("/calls/:callId", async ({ params }, reply) => {
    const outcome = outcomes.get(params.callId);
    return outcome ?? reply.code(404).send({ error: "nothing_heard_yet" });
  });

  app.setErrorHandler((error, _request, reply) => {
    if (error instanceof WebhookVerificationError) return reply.code(400).send({ error: error.reason });
    // the recipient has opted out, or has never opted in: the app says so
    if (error instanceof ConsentError) return reply.code(403).send({ error: error.code });
    // the app used one requestId for two phones
    if (error instanceof IdempotencyError) return reply.code(409).send({ error: error.code });
    if (error instanceof ValidationError) return reply.code(422).send({ error: error.code });
    // The client waits by itself unless the pause exceeds its totalTimeoutMs. Tell the user how long such a pause lasts.
    if (error instanceof RateLimitError) {
      const retryAfterSeconds = Math.ceil((error.retryAfterMs ?? 30_000) / 1_000);
      return reply.code(429).header("retry-after", retryAfterSeconds).send({ error: error.code, retryAfterSeconds });
    }
    if (!(error instanceof MessagingError)) throw error;
    // the service's log has the same request id
    console.error(error.message, error instanceof ApiError ? error.requestId : "");
    // the merchant's limit for the month is used up: retrying does not help
    if (error instanceof QuotaExceededError) return reply.code(503).send({ error: error.code });
    // the service failed or was not reached: the app may retry with the same requestId
    return reply.code(502).send({ error: "service_failed" });
  });
  return app;
}
