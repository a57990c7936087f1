// Charges stored payment methods over Stripe's API. The idempotency key of a PaymentIntent is the payment's id. Events only say
// which payment to ask about, so that repeated, late and reordered events are harmless.

import { Stripe } from "stripe";
import type { EventsReply, EventsRequest } from "../../domain/carrier-events.ts";
import type { Clock } from "../../platform/clock.ts";
import { ApiClient } from "../api-client.ts";
import type {
  PaymentEvent,
  PaymentFinding,
  PaymentOrder,
  PaymentReport,
  PreparedPayment,
} from "../payment-processor.ts";
import type { OpenProcessor, ProcessorSurroundings } from "../processor-kind.ts";
import { toCents, toStripeAmount } from "./amounts.ts";
import { createStripeHttpClient } from "./http-client.ts";
import type { StripeSettings } from "./settings.ts";

/** Timeout of each request. A payment may need several within the time that the server waits for its processor. */
const ANSWER_MS = 8_000;
const CONNECTIONS = 20;
/** Oldest signature that is accepted, in seconds: https://docs.stripe.com/webhooks#replay-attacks */
const TOLERANCE_SECONDS = 300;
const LONGEST_URL = 2_048;
/** The customer's metadata that names its tenant, for a processor that serves several. */
export const TENANT_METADATA = "msgdTenantId";

/** Creates a client that never repeats a request by itself, and sends nothing about earlier requests. */
export function createStripeClient({ secretKey, baseUrl }: StripeSettings, clock: Clock) {
  const api = new ApiClient(baseUrl, { connections: CONNECTIONS, clock });
  const stripe = new Stripe(secretKey, {
    ...{ maxNetworkRetries: 0, telemetry: false, timeout: ANSWER_MS },
    httpClient: createStripeHttpClient(api),
  });
  return { stripe, close: () => api.close() };
}

export function openStripeProcessor(settings: StripeSettings, surroundings: ProcessorSurroundings): OpenProcessor {
  const { isForAllTenants, clock, publicUrl, record } = surroundings;
  if (publicUrl === undefined) {
    throw new Error("stripe: expected the server's public URL, at which Stripe reports: set --public-url");
  }
  const { webhookSecret, returnUrl = publicUrl } = settings;
  const { stripe, close } = createStripeClient(settings, clock);
  const withCharge = { expand: ["latest_charge"] };

  async function prepare(order: PaymentOrder): Promise<PreparedPayment> {
    const { reference, amountCents, currency } = order;
    if (!settings.currencies.includes(currency)) {
      return { refusal: `the processor charges ${settings.currencies.join(", ")}, not ${currency}` };
    }
    const amount = toStripeAmount(amountCents, currency);
    if (amount === undefined) return { refusal: `${amountCents} hundredths are no whole amount of ${currency}` };
    const method = await findMethod(order);
    if ("refusal" in method) return method;
    const params: Stripe.PaymentIntentCreateParams = {
      ...{ amount, currency: currency.toLowerCase(), confirm: true, off_session: true },
      customer: method.customer,
      payment_method: method.id,
      allowed_payment_method_types: [method.type],
      metadata: { paymentId: reference, tenantId: String(order.tenantId) },
      ...withCharge,
    };
    return { request: JSON.stringify(params) };
  }

  /** Finds the stored method, and the customer to whom it belongs. */
  async function findMethod(
    order: PaymentOrder,
  ): Promise<{ id: string; type: string; customer: string } | { refusal: string }> {
    const named = order.paymentMethod ?? (await findDefaultMethod());
    if (named === undefined) {
      return { refusal: "the request names no payment method, and the processor has no customer with a default one" };
    }
    const unknown = { refusal: `Stripe has no payment method ${named}` };
    if (!/^(pm|card|src|ba)_\w{1,250}$/.test(named)) return unknown;
    const method = await unlessMissing(stripe.paymentMethods.retrieve(named));
    if (method === undefined) return unknown;
    const customer = idOf(method.customer);
    if (customer === undefined) {
      return { refusal: `the payment method ${named} belongs to no customer: attach it to one at Stripe` };
    }
    if (settings.customer !== undefined && customer !== settings.customer) {
      return { refusal: `the payment method ${named} belongs to another customer than ${settings.customer}` };
    }
    // otherwise a tenant could charge the customers of others
    if (isForAllTenants) {
      const owner = await unlessMissing(stripe.customers.retrieve(customer));
      const isOwn = owner?.deleted !== true && owner?.metadata?.[TENANT_METADATA] === String(order.tenantId);
      if (!isOwn) {
        const wanted = `${TENANT_METADATA}=${order.tenantId}`;
        return { refusal: `the customer ${customer} of ${named} is not the tenant's: its metadata lacks ${wanted}` };
      }
    }
    return { id: named, type: method.type, customer };
  }

  async function findDefaultMethod(): Promise<string | undefined> {
    if (settings.customer === undefined) return undefined;
    const customer = await unlessMissing(stripe.customers.retrieve(settings.customer));
    if (customer === undefined || customer.deleted === true) return undefined;
    return idOf(customer.invoice_settings.default_payment_method);
  }

  async function submit(order: PaymentOrder): Promise<PaymentFinding> {
    if (order.request === null) throw new Error("a payment was submitted before it was prepared");
    const params = JSON.parse(order.request) as Stripe.PaymentIntentCreateParams;
    try {
      const intent = await stripe.paymentIntents.create(params, { idempotencyKey: order.reference });
      return await conclude(intent, order);
    } catch (error) {
      if (!(error instanceof Stripe.errors.StripeError)) throw error;
      const intent = intentOf(error);
      if (intent !== undefined) return conclude(await retrieve(intent.id), order);
      // the key belongs to an earlier request with other parameters
      if (error instanceof Stripe.errors.StripeIdempotencyError) return find(order);
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      return { outcome: "refused", reason: describe(error) };
    }
  }

  async function find(order: PaymentOrder): Promise<PaymentFinding> {
    const id = order.processorPaymentId ?? (await search(order.reference));
    if (typeof id === "object") return { outcome: "unknown", detail: id.detail };
    return conclude(await retrieve(id), order);
  }

  /** Searches for the intent of a payment. New intents are found with a delay, so finding none proves nothing. */
  async function search(reference: string): Promise<string | { detail: string }> {
    const query = `metadata['paymentId']:'${reference}'`;
    const { data } = await stripe.paymentIntents.search({ query, limit: 2 });
    const [intent] = data;
    if (intent === undefined) return { detail: "Stripe finds no PaymentIntent with the payment's id" };
    if (data.length === 1) return intent.id;
    return { detail: `Stripe has several PaymentIntents with the payment's id, such as ${intent.id}` };
  }

  function retrieve(id: string): Promise<Stripe.PaymentIntent> {
    return stripe.paymentIntents.retrieve(id, withCharge);
  }

  /** Ends an intent that nobody may pay any more, asks for the customer if that is needed, and reports the result. */
  async function conclude(intent: Stripe.PaymentIntent, order: PaymentOrder): Promise<PaymentFinding> {
    const mismatch = findMismatch(intent, order);
    if (mismatch !== undefined) return report(intent, { status: "PROCESSING", reason: null, mismatch });
    switch (intent.status) {
      case "succeeded":
        return report(intent, { status: "SUCCEEDED", reason: null });
      case "processing":
        return report(intent, { status: "PROCESSING", reason: null });
      case "requires_action":
        if (!order.isOverdue) return report(intent, { status: "REQUIRES_ACTION", reason: null });
        return cancel(intent, order, "the customer did not authenticate the payment in time");
      case "canceled":
        return reportCanceled(intent, order);
      case "requires_payment_method":
      case "requires_confirmation": {
        const error = intent.last_payment_error;
        const needsCustomer = error?.code === "authentication_required" && order.status === "PENDING";
        if (needsCustomer) {
          const asked = await askCustomer(intent, order);
          if (asked.status !== intent.status) return conclude(asked, order);
        }
        return cancel(intent, order, describe(error));
      }
      default:
        return { outcome: "unknown", detail: `the PaymentIntent ${intent.id} has the status ${intent.status}` };
    }
  }

  /** Confirms the intent again as if the customer were present: Stripe then has a page on which the customer authenticates. */
  async function askCustomer(intent: Stripe.PaymentIntent, { reference }: PaymentOrder): Promise<Stripe.PaymentIntent> {
    const method = idOf(intent.last_payment_error?.payment_method) ?? idOf(intent.payment_method);
    const params = {
      ...(method === undefined ? {} : { payment_method: method }),
      return_url: returnUrl,
      ...withCharge,
    };
    try {
      return await stripe.paymentIntents.confirm(intent.id, params, { idempotencyKey: `${reference}-confirm` });
    } catch (error) {
      if (intentOf(error) === undefined) throw error;
      return retrieve(intent.id);
    }
  }

  /** Cancels the intent before the payment ends, so that nobody can pay it afterwards. */
  async function cancel(intent: Stripe.PaymentIntent, order: PaymentOrder, reason: string): Promise<PaymentFinding> {
    const status = intent.status === "requires_action" ? "CANCELED" : "FAILED";
    try {
      const params: Stripe.PaymentIntentCancelParams = { cancellation_reason: "abandoned", ...withCharge };
      const canceled = await stripe.paymentIntents.cancel(intent.id, params, {
        idempotencyKey: `${order.reference}-cancel`,
      });
      return report(canceled, { status, reason });
    } catch (error) {
      // it has succeeded, is being processed, or was canceled meanwhile
      if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
      const current = await retrieve(intent.id);
      if (current.status === intent.status) throw error;
      return conclude(current, order);
    }
  }

  function reportCanceled(intent: Stripe.PaymentIntent, order: PaymentOrder): PaymentFinding {
    const charge = chargeOf(intent);
    const hasFailed = order.status === "PENDING" && charge?.status === "failed";
    if (hasFailed) return report(intent, { status: "FAILED", reason: describeCharge(charge) });
    return report(intent, { status: "CANCELED", reason: `canceled at Stripe: ${intent.cancellation_reason ?? "-"}` });
  }

  async function receive({ headers, body }: EventsRequest): Promise<EventsReply> {
    let event: Stripe.Event;
    try {
      const signature = String(headers["stripe-signature"] ?? "");
      const verify = stripe.webhooks.constructEvent;
      event = verify.call(stripe.webhooks, body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, clock.now());
    } catch {
      return { status: 400, detail: "the signature is not Stripe's, or is older than five minutes" };
    }
    const paymentEvent = readEvent(event);
    if (paymentEvent !== undefined) await record(paymentEvent);
    return { status: 204 };
  }

  return {
    prepare: (order) => withoutDetails(prepare(order)),
    submit: (order) => withoutDetails(submit(order)),
    find: (order) => withoutDetails(find(order)),
    receive,
    stop: close,
  };
}

/** Replaces an error of Stripe's, which has the answer and its headers, by one that may be logged. */
async function withoutDetails<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const words = error.message.replace(KEY, "(a key)");
    throw new Error(`Stripe, status ${error.statusCode ?? "-"}: ${words}`);
  }
}

/** A key, of which Stripe repeats the beginning and the end if it is wrong. */
const KEY = /\b[rs]k_[\w*.]+/g;

/** Reads the payment that an event is about; undefined if it is about none. */
function readEvent({ id, data }: Stripe.Event): PaymentEvent | undefined {
  const object = data?.object as
    | { object?: unknown; id?: unknown; payment_intent?: unknown; metadata?: { paymentId?: unknown } | null }
    | undefined;
  const intent = object?.object === "payment_intent" ? object.id : idOf(object?.payment_intent as string | null);
  if (typeof id !== "string" || typeof intent !== "string" || intent === "") return undefined;
  const reference = object?.metadata?.paymentId;
  return { eventId: id, processorPaymentId: intent, reference: typeof reference === "string" ? reference : undefined };
}

function report(
  intent: Stripe.PaymentIntent,
  state: Pick<PaymentReport, "status" | "reason" | "mismatch">,
): PaymentFinding {
  const charge = chargeOf(intent);
  const url = intent.next_action?.redirect_to_url?.url ?? null;
  const isShown = state.status === "REQUIRES_ACTION" && url !== null && isLink(url);
  return {
    outcome: "reported",
    report: {
      ...state,
      processorPaymentId: intent.id,
      actionUrl: isShown ? url : null,
      refundedCents: toCents(charge?.amount_refunded ?? 0, intent.currency.toUpperCase()),
      isDisputed: charge?.disputed === true,
    },
  };
}

function isLink(url: string): boolean {
  return url.length <= LONGEST_URL && URL.canParse(url) && new URL(url).protocol === "https:";
}

function findMismatch(intent: Stripe.PaymentIntent, { reference, amountCents, currency }: PaymentOrder) {
  const expected = toStripeAmount(amountCents, currency);
  const isSame = intent.amount === expected && intent.currency === currency.toLowerCase();
  const isReceived = intent.status !== "succeeded" || intent.amount_received === expected;
  if (isSame && isReceived && intent.metadata.paymentId === reference) return undefined;
  const received = `${intent.amount_received} of ${intent.amount} ${intent.currency}`;
  return `Stripe's ${intent.id} is ${intent.status}, with ${received}, for payment ${intent.metadata.paymentId ?? "-"}`;
}

function chargeOf({ latest_charge: charge }: Stripe.PaymentIntent): Stripe.Charge | undefined {
  return typeof charge === "object" && charge !== null ? charge : undefined;
}

function describeCharge({ failure_code: code, failure_message: message, outcome }: Stripe.Charge): string {
  return joinWords([outcome?.reason ?? code, message]);
}

function describe(error: Pick<Stripe.PaymentIntent.LastPaymentError, "code" | "decline_code" | "message"> | null) {
  return joinWords([error?.decline_code ?? error?.code, error?.message]);
}

const LONGEST_REASON = 500;

function joinWords(words: readonly (string | null | undefined)[]): string {
  const given = words.filter((word) => word !== null && word !== undefined && word !== "");
  return given.join(": ").slice(0, LONGEST_REASON) || "Stripe gave no reason";
}

/** Returns the intent in an error's answer. It may lack fields that the request asked for. */
function intentOf(error: unknown): { readonly id: string } | undefined {
  const intent = error instanceof Stripe.errors.StripeError ? error.payment_intent : undefined;
  return typeof intent?.id === "string" ? intent : undefined;
}

function idOf(object: string | { readonly id: string } | null | undefined): string | undefined {
  return typeof object === "string" ? object : (object?.id ?? undefined);
}

/** Returns undefined if Stripe does not have the object. */
async function unlessMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError && error.statusCode === 404) return undefined;
    throw error;
  }
}
