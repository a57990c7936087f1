import type { ProcessorKind } from "../processor-kind.ts";
import {
  completeStripeSettings,
  findStripeFaults,
  type StripeSettings,
  stripeEvents,
  stripeSchema,
} from "./settings.ts";

/** Payments over Stripe's API. */
export const stripeKind: ProcessorKind<StripeSettings> = {
  name: "stripe",
  title: "a Stripe account",
  example: { kind: "stripe", secretKey: "sk_live_…", webhookSecret: "whsec_…" },
  schema: stripeSchema,
  secrets: ["secretKey", "webhookSecret"],
  events: stripeEvents,
  // Stripe may forget an idempotency key after 24 hours (https://docs.stripe.com/api/idempotent_requests). The last hour
  // leaves room for a clock that is wrong
  repeatableMs: 23 * 60 * 60_000,
  libraries: { what: "payments over Stripe", packages: ["stripe@^23.1.0"] },
  findFaults: findStripeFaults,
  complete: completeStripeSettings,
  async open(settings, surroundings) {
    const { openStripeProcessor } = await import("./open-stripe-processor.ts");
    return openStripeProcessor(settings, surroundings);
  },
  async test(settings, surroundings) {
    const { testStripe } = await import("./test-stripe.ts");
    return testStripe(settings, surroundings);
  },
};
