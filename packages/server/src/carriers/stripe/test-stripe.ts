// Tests a Stripe account without charging anything: the key, the webhook endpoint and its secret.

import { Stripe } from "stripe";
import type { ProcessorTest } from "../processor-kind.ts";
import { createStripeClient } from "./open-stripe-processor.ts";
import { type StripeSettings, stripeEvents } from "./settings.ts";

const ANSWER_MS = 5_000;
const MOST_ENDPOINTS = 100;

export async function testStripe(settings: StripeSettings, test: ProcessorTest): Promise<string[]> {
  const { stripe, close } = createStripeClient(settings, test.clock);
  try {
    await stripe.paymentIntents.list({ limit: 1 });
    const mode = /^[sr]k_test_/.test(settings.secretKey) ? "a test key: no money moves" : "a live key";
    return [`Stripe accepts the key, ${mode}.`, ...(await testEvents(stripe, settings, test))];
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new Error(`Stripe refuses the key: ${error.message}`, { cause: error });
  } finally {
    close();
  }
}

async function testEvents(stripe: Stripe, settings: StripeSettings, { eventsUrl, fetch, clock }: ProcessorTest) {
  if (eventsUrl === undefined) throw new Error("the server's public URL is not known: set --public-url");
  return [await testEndpoint(stripe, eventsUrl), await testSecret(stripe, settings, { eventsUrl, fetch, clock })];
}

/** Checks that Stripe posts the events to this server. A restricted key may not be allowed to list endpoints. */
async function testEndpoint(stripe: Stripe, eventsUrl: string): Promise<string> {
  let endpoints: readonly Stripe.WebhookEndpoint[];
  try {
    endpoints = (await stripe.webhookEndpoints.list({ limit: MOST_ENDPOINTS })).data;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripePermissionError)) throw error;
    return `The key may not list webhook endpoints. Check at Stripe that one has this URL:\n  ${eventsUrl}`;
  }
  const endpoint = endpoints.find(({ url }) => url === eventsUrl);
  if (endpoint === undefined) {
    const wanted = `  ${eventsUrl}\n  ${stripeEvents.join("\n  ")}`;
    throw new Error(`Stripe has no webhook endpoint with this server's URL: add one with these events\n${wanted}`);
  }
  if (endpoint.status !== "enabled")
    throw new Error(`the webhook endpoint ${endpoint.id} is ${endpoint.status} at Stripe`);
  const sent: readonly string[] = endpoint.enabled_events;
  const missing = sent.includes("*") ? [] : stripeEvents.filter((event) => !sent.includes(event));
  if (missing.length > 0) throw new Error(`the webhook endpoint ${endpoint.id} lacks events: ${missing.join(", ")}`);
  return `Stripe's webhook endpoint ${endpoint.id} posts the events to this server's URL.`;
}

/** Posts a signed event without any payment to the server, as Stripe would. */
async function testSecret(
  stripe: Stripe,
  { webhookSecret: secret }: StripeSettings,
  { eventsUrl, fetch: send, clock }: Required<ProcessorTest> & { eventsUrl: string },
): Promise<string> {
  const payload = JSON.stringify({ id: "evt_msgd_test", object: "event", type: "msgd.test", data: { object: {} } });
  const timestamp = Math.floor(clock.now() / 1_000);
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const reply = await send(eventsUrl, {
    method: "POST",
    headers: { "content-type": "application/json", "stripe-signature": signature },
    body: payload,
    redirect: "manual",
    signal: AbortSignal.timeout(ANSWER_MS),
  }).catch((error: unknown) => {
    const { cause, message } = error as Error & { cause?: NodeJS.ErrnoException };
    throw new Error(`a signed event was not answered at ${eventsUrl} (${cause?.code ?? message}): run msgd serve`);
  });
  await reply.body?.cancel();
  if (reply.status !== 204) throw new Error(`a signed event was answered with ${reply.status} at ${eventsUrl}`);
  return "The server accepts signed events at its URL.";
}
