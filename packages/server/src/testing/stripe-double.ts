// A stand-in for Stripe's API that keeps PaymentIntents, recognises idempotency keys and forgets them after 24 hours, finds new
// intents with a delay, and can lose answers. Its signed events can be repeated, reordered and forged.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { completeStripeSettings, type StripeSettings } from "../carriers/stripe/settings.ts";
import type { Clock } from "../platform/clock.ts";
import { ApiDouble, reply } from "./api-double.ts";

/** Objects of Stripe's own fixtures. */
const objects = JSON.parse(readFileSync(new URL("providers/stripe-objects.json", import.meta.url), "utf8")) as Readonly<
  Record<"payment_intent" | "charge" | "payment_method" | "customer" | "webhook_endpoint", object>
>;

const SECRET_KEY = "sk_test_double";
const WEBHOOK_SECRET = "whsec_double";
const KEPT_MS = 24 * 60 * 60_000;
const INDEX_MS = 60_000;
const LEAST_AMOUNT = 50;

/** Parameters that the double knows. Stripe refuses unknown ones, too. */
const known: Readonly<Record<string, readonly string[]>> = {
  create: [
    ...["amount", "currency", "customer", "payment_method", "allowed_payment_method_types", "confirm", "off_session"],
    ...["metadata", "expand"],
  ],
  confirm: ["payment_method", "return_url", "expand"],
  cancel: ["cancellation_reason", "expand"],
};

interface Charge {
  readonly id: string;
  readonly status: "succeeded" | "failed" | "pending";
  readonly failureCode: string | null;
  amountRefunded: number;
  disputed: boolean;
}

/** A PaymentIntent. Its fields are those that the double changes. */
export interface Intent {
  readonly id: string;
  amount: number;
  currency: string;
  amountReceived: number;
  status: string;
  readonly customer: string;
  readonly paymentMethod: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly createdAt: number;
  error: { readonly code: string; readonly decline_code?: string; readonly message: string } | null;
  returnUrl: string | null;
  cancellationReason: string | null;
  charge: Charge | null;
}

/** How a stored method behaves. */
export type Behaviour = "succeed" | "decline" | "authenticate" | "process";

/** How the double treats a request. */
export type Treatment =
  | "answer"
  /** Executes the request, and closes the connection without an answer. */
  | "lose-answer"
  /** Closes the connection before it executes the request. */
  | "cut"
  | { readonly status: number; readonly error: object };

export interface AskedRequest {
  readonly operation: string;
  readonly path: string;
  readonly body: string;
  readonly key: string | undefined;
}

/** A signed request to an events URL. */
export interface StripeCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Answer = { readonly status: number; readonly body: object };
type Params = ReadonlyMap<string, string>;

export class StripeDouble extends ApiDouble {
  readonly intents = new Map<string, Intent>();
  readonly asked: AskedRequest[] = [];
  readonly customers = new Map<string, { metadata: Record<string, string>; defaultMethod: string | null }>();
  readonly methods = new Map<string, { customer: string | null; behaviour: Behaviour }>();
  readonly endpoints: { url: string; enabled_events: string[]; status: string }[] = [];
  treat: (request: AskedRequest) => Treatment = () => "answer";
  readonly #keys = new Map<string, { digest: string; answer: Answer; at: number }>();
  readonly #paid = new Map<string, number>();
  readonly #clock: Pick<Clock, "now">;
  #ids = 0;

  private constructor(clock: Pick<Clock, "now">) {
    super();
    this.#clock = clock;
    this.customers.set("cus_1", { metadata: {}, defaultMethod: null });
    for (const behaviour of ["succeed", "decline", "authenticate", "process"] as const) {
      this.methods.set(`pm_${behaviour}`, { customer: "cus_1", behaviour });
    }
  }

  static listen(clock: Pick<Clock, "now">): Promise<StripeDouble> {
    return new StripeDouble(clock).open();
  }

  settings(given: Partial<StripeSettings> = {}): StripeSettings {
    return completeStripeSettings({
      ...{ kind: "stripe", secretKey: SECRET_KEY, webhookSecret: WEBHOOK_SECRET },
      ...{ baseUrl: `http://127.0.0.1:${this.port}`, ...given },
    });
  }

  /** Number of times that a payment was paid. More than once means that it was charged twice. */
  countCharges(paymentId: string): number {
    return this.#paid.get(paymentId) ?? 0;
  }

  /** Finds the only intent of a payment. */
  intentOf(paymentId: string): Intent {
    const [intent, other] = [...this.intents.values()].filter(({ metadata }) => metadata.paymentId === paymentId);
    if (intent === undefined || other !== undefined) throw new Error(`not one intent for ${paymentId}`);
    return intent;
  }

  /** The customer authenticates an intent that requires it, or fails to. */
  authenticate(intent: Intent, isSuccessful: boolean): void {
    if (intent.status !== "requires_action") throw new Error(`the intent is ${intent.status}`);
    if (isSuccessful) {
      this.succeed(intent);
      return;
    }
    intent.status = "requires_payment_method";
    intent.error = { code: "payment_intent_authentication_failure", message: "The customer did not authenticate." };
  }

  succeed(intent: Intent): void {
    const paymentId = intent.metadata.paymentId ?? "";
    this.#paid.set(paymentId, this.countCharges(paymentId) + 1);
    intent.status = "succeeded";
    intent.amountReceived = intent.amount;
    intent.charge = this.#charge("succeeded", null);
  }

  /** Returns the event that reports the current state of an intent. */
  report(intent: Intent, type = `payment_intent.${intent.status}`): StripeCallback {
    return this.event(type, this.#view(intent, false));
  }

  /** Returns the event that reports the current state of an intent's charge. */
  reportCharge(intent: Intent, type: "charge.refunded" | "charge.dispute.created"): StripeCallback {
    const charge = this.#viewCharge(intent);
    if (type === "charge.refunded") return this.event(type, charge ?? {});
    return this.event(type, { object: "dispute", id: "dp_1", payment_intent: intent.id, charge: intent.charge?.id });
  }

  event(type: string, object: object): StripeCallback {
    this.#ids += 1;
    const body = JSON.stringify({ id: `evt_${this.#ids}`, object: "event", type, data: { object } });
    return { headers: signStripe(body, this.#clock.now()), body };
  }

  protected answer(request: IncomingMessage, response: ServerResponse, body: string): void {
    const url = new URL(request.url ?? "", "http://stripe.example");
    const key = request.headers["idempotency-key"];
    const operation = `${request.method} ${nameOperation(url.pathname)}`;
    const asked = { operation, path: url.pathname, body, key: typeof key === "string" ? key : undefined };
    this.asked.push(asked);
    if (request.headers.authorization !== `Bearer ${SECRET_KEY}`) {
      return void send(response, refuse(401, { type: "invalid_request_error", message: "Invalid API Key provided" }));
    }
    const treatment = this.treat(asked);
    if (treatment === "cut") return void response.destroy();
    if (typeof treatment === "object") return void send(response, refuse(treatment.status, treatment.error));
    const answer =
      request.method === "POST"
        ? this.#once(asked, () => this.#write(asked))
        : this.#read(url.pathname, url.searchParams);
    if (treatment === "lose-answer") return void response.destroy();
    send(response, answer);
  }

  /** Executes a request once for its key. */
  #once({ path, body, key }: AskedRequest, execute: () => Answer): Answer {
    if (key === undefined) return execute();
    const now = this.#clock.now();
    const digest = createHash("sha256").update(`${path} ${body}`).digest("hex");
    const kept = this.#keys.get(key);
    if (kept !== undefined && now - kept.at < KEPT_MS) {
      if (kept.digest === digest) return kept.answer;
      const message =
        "Keys for idempotent requests can only be used with the same parameters they were first used with.";
      return refuse(400, { type: "idempotency_error", message });
    }
    const answer = execute();
    this.#keys.set(key, { digest, answer, at: now });
    return answer;
  }

  #write({ path, body }: AskedRequest): Answer {
    const params = new Map(new URLSearchParams(body));
    const [, , , id, action = "create"] = path.split("/");
    const unknown = [...params.keys()].find((name) => known[action]?.includes(name.replace(/\[.*/s, "")) !== true);
    if (unknown !== undefined) return invalid("parameter_unknown", `Received unknown parameter: ${unknown}`);
    if (action === "create") return this.#create(params);
    const intent = this.intents.get(id ?? "");
    if (intent === undefined) return missing("payment_intent");
    return action === "confirm" ? this.#confirm(intent, params) : this.#cancel(intent, params);
  }

  #create(params: Params): Answer {
    const amount = Number(params.get("amount"));
    const named = params.get("payment_method") ?? "";
    const method = this.methods.get(named);
    if (!Number.isSafeInteger(amount)) return invalid("parameter_invalid_integer", "Invalid integer: amount");
    if (amount < LEAST_AMOUNT) return invalid("amount_too_small", "Amount must be at least $0.50 usd");
    if (method === undefined) return missing("payment_method");
    if (method.customer === null || method.customer !== params.get("customer")) {
      return invalid("payment_method_customer_mismatch", "The PaymentMethod does not belong to the Customer.");
    }
    this.#ids += 1;
    const intent: Intent = {
      ...{ id: `pi_${this.#ids}`, amount, currency: params.get("currency") ?? "", amountReceived: 0 },
      ...{ status: "requires_confirmation", customer: method.customer, paymentMethod: named, error: null },
      metadata: metadataOf(params),
      createdAt: this.#clock.now(),
      ...{ returnUrl: null, cancellationReason: null, charge: null },
    };
    this.intents.set(intent.id, intent);
    if (params.get("confirm") === "true") this.#attempt(intent, params.get("off_session") === "true");
    return this.#conclude(intent, params);
  }

  #confirm(intent: Intent, params: Params): Answer {
    if (!["requires_confirmation", "requires_payment_method"].includes(intent.status)) return this.#unexpected(intent);
    intent.returnUrl = params.get("return_url") ?? null;
    intent.error = null;
    this.#attempt(intent, false);
    return this.#conclude(intent, params);
  }

  #cancel(intent: Intent, params: Params): Answer {
    const isOpen = ["requires_confirmation", "requires_payment_method", "requires_action"].includes(intent.status);
    if (!isOpen) return this.#unexpected(intent);
    intent.status = "canceled";
    intent.cancellationReason = params.get("cancellation_reason") ?? null;
    // Stripe clears the error when an intent is updated
    intent.error = null;
    return this.#conclude(intent, params);
  }

  #attempt(intent: Intent, isOffSession: boolean): void {
    const behaviour = this.methods.get(intent.paymentMethod)?.behaviour ?? "succeed";
    if (behaviour === "succeed") {
      this.succeed(intent);
      return;
    }
    if (behaviour === "process") {
      intent.status = "processing";
      intent.charge = this.#charge("pending", null);
      return;
    }
    if (behaviour === "authenticate" && !isOffSession) {
      intent.status = "requires_action";
      return;
    }
    intent.status = "requires_payment_method";
    intent.error =
      behaviour === "decline"
        ? { code: "card_declined", decline_code: "insufficient_funds", message: "Your card has insufficient funds." }
        : { code: "authentication_required", message: "Your card was declined. It requires authentication." };
    intent.charge = this.#charge("failed", intent.error.code);
  }

  #conclude(intent: Intent, params: Params): Answer {
    if (intent.error === null) return { status: 200, body: this.#view(intent, isExpanded(params)) };
    return refuse(402, { type: "card_error", ...intent.error, payment_intent: this.#view(intent, false) });
  }

  #unexpected(intent: Intent): Answer {
    const message = `You cannot do this with a PaymentIntent that has a status of ${intent.status}.`;
    const code = "payment_intent_unexpected_state";
    return refuse(400, { type: "invalid_request_error", code, message, payment_intent: this.#view(intent, false) });
  }

  #read(path: string, query: URLSearchParams): Answer {
    const [, , collection, id] = path.split("/");
    if (collection === "webhook_endpoints") {
      const data = this.endpoints.map((endpoint) => ({ ...objects.webhook_endpoint, ...endpoint }));
      return { status: 200, body: { object: "list", data } };
    }
    if (collection === "customers") return this.#readCustomer(id ?? "");
    if (collection === "payment_methods") return this.#readMethod(id ?? "");
    if (id === undefined) return { status: 200, body: { object: "list", data: [] } };
    if (id === "search") return this.#search(query.get("query") ?? "");
    const intent = this.intents.get(id);
    if (intent === undefined) return missing("payment_intent");
    return { status: 200, body: this.#view(intent, isExpanded(new Map(query))) };
  }

  #readCustomer(id: string): Answer {
    const customer = this.customers.get(id);
    if (customer === undefined) return missing("customer");
    const { metadata, defaultMethod } = customer;
    const settings = { default_payment_method: defaultMethod };
    return { status: 200, body: { ...objects.customer, id, metadata, invoice_settings: settings } };
  }

  #readMethod(id: string): Answer {
    const method = this.methods.get(id);
    if (method === undefined) return missing("payment_method");
    return { status: 200, body: { ...objects.payment_method, id, customer: method.customer } };
  }

  #search(query: string): Answer {
    const [, paymentId] = /^metadata\['paymentId'\]:'(\w+)'$/.exec(query) ?? [];
    if (paymentId === undefined) return invalid("invalid_query", `Invalid search query: ${query}`);
    const isFound = ({ metadata, createdAt }: Intent) =>
      metadata.paymentId === paymentId && this.#clock.now() - createdAt >= INDEX_MS;
    const data = [...this.intents.values()].filter(isFound).map((intent) => this.#view(intent, false));
    return { status: 200, body: { object: "search_result", data, has_more: false } };
  }

  #charge(status: Charge["status"], failureCode: string | null): Charge {
    this.#ids += 1;
    return { id: `ch_${this.#ids}`, status, failureCode, amountRefunded: 0, disputed: false };
  }

  #view(intent: Intent, hasCharge: boolean): object {
    const { id, amount, currency, amountReceived, status, customer, paymentMethod, metadata, error } = intent;
    const url = `https://hooks.stripe.com/redirect/${id}`;
    const needsAction = status === "requires_action" && intent.returnUrl !== null;
    return {
      ...objects.payment_intent,
      ...{ id, amount, currency, amount_received: amountReceived, status, customer, metadata },
      payment_method: paymentMethod,
      last_payment_error:
        error === null ? null : { type: "card_error", ...error, payment_method: { id: paymentMethod } },
      next_action: needsAction
        ? { type: "redirect_to_url", redirect_to_url: { url, return_url: intent.returnUrl } }
        : null,
      canceled_at: status === "canceled" ? Math.floor(this.#clock.now() / 1_000) : null,
      cancellation_reason: intent.cancellationReason,
      latest_charge: hasCharge ? this.#viewCharge(intent) : (intent.charge?.id ?? null),
    };
  }

  #viewCharge({ id, charge, amount, currency, metadata }: Intent): object | null {
    if (charge === null) return null;
    const failure = { failure_code: charge.failureCode, failure_message: charge.failureCode && "It was declined." };
    return {
      ...objects.charge,
      ...{ id: charge.id, amount, currency, metadata, payment_intent: id, status: charge.status, ...failure },
      ...{ amount_refunded: charge.amountRefunded, disputed: charge.disputed, outcome: null },
    };
  }
}

/** Signs a body as Stripe does: https://docs.stripe.com/webhooks#verify-manually */
export function signStripe(body: string, now: number, secret = WEBHOOK_SECRET): Record<string, string> {
  const timestamp = Math.floor(now / 1_000);
  const signature = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex");
  return { "content-type": "application/json", "stripe-signature": `t=${timestamp},v1=${signature}` };
}

function nameOperation(path: string): string {
  const [, , collection, id, action] = path.split("/");
  if (id === "search") return `${collection} search`;
  return [collection, id && "one", action].filter((part) => part !== undefined).join(" ");
}

function isExpanded(params: Params): boolean {
  return params.get("expand[0]") === "latest_charge";
}

function metadataOf(params: Params): Record<string, string> {
  const entries = [...params].flatMap(([name, value]) => {
    const [, field] = /^metadata\[(\w+)\]$/.exec(name) ?? [];
    return field === undefined ? [] : [[field, value]];
  });
  return Object.fromEntries(entries);
}

function refuse(status: number, error: object): Answer {
  return { status, body: { error } };
}

function invalid(code: string, message: string): Answer {
  return refuse(400, { type: "invalid_request_error", code, message });
}

function missing(what: string): Answer {
  return refuse(404, { type: "invalid_request_error", code: "resource_missing", message: `No such ${what}` });
}

function send(response: ServerResponse, { status, body }: Answer): void {
  reply(response, status, body);
}
