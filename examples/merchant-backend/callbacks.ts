import { verifyWebhook, type WebhookEvent } from "@msgctl/sdk/webhooks";
import type { FastifyInstance } from "fastify";

/** The outcome of a call. */
export interface CallOutcome {
  readonly finalStatus: string | null;
  /** US dollars; null if nothing was spoken or dialled. */
  readonly ttsCost: number | null;
  readonly callCost: number | null;
  /** Time of the outcome at the service, ISO 8601. */
  readonly at: string;
}

/** Adds `POST /callbacks`. Returns the map that it fills: outcomes by call. A real backend uses its database instead. */
export function addCallbacks(app: FastifyInstance, secrets: readonly string[]): ReadonlyMap<string, CallOutcome> {
  const handled = new Set<string>();
  const outcomes = new Map<string, CallOutcome>();

  function handle(event: WebhookEvent): void {
    // The service repeats a callback until it gets a response, so an event may arrive twice.
    if (handled.has(event.id)) return;
    handled.add(event.id);
    if (event.type !== "voice.tts_call.finalized") return;
    const { requestId, finalStatus, actualTtsCost, actualCallCost } = event.data;
    outcomes.set(requestId, { finalStatus, ttsCost: actualTtsCost, callCost: actualCallCost, at: event.timestamp });
  }

  // The signature covers the raw bytes, so this route keeps the body unparsed. Inside a plugin, the parser applies to this
  // route only; other routes still parse JSON.
  app.register(async (callbacks) => {
    callbacks.addContentTypeParser("application/json", { parseAs: "buffer" }, (_request, body, done) =>
      done(null, body),
    );
    callbacks.post<{ Body: Buffer }>("/callbacks", async (request, reply) => {
      handle(await verifyWebhook(request.body, request.headers, [...secrets]));
      return reply.code(204).send();
    });
  });
  return outcomes;
}
