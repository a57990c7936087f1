// The settings of a Stripe account that charges for upgrades.

import { checkText, type DocumentFault, type DocumentObject, fault } from "../../domain/document-checks.ts";
import { checkSecret, isPublicUrl, text } from "../settings-document.ts";
import { isCurrency } from "./amounts.ts";

export interface StripeSettings {
  readonly kind: "stripe";
  /** A secret key, or a restricted key. */
  readonly secretKey: string;
  /** Verifies Stripe's events. */
  readonly webhookSecret: string;
  /** The only customer whose stored methods are charged. Its default method is charged if a request names none. */
  readonly customer?: string;
  /** Currencies in which the price list holds, ISO 4217. */
  readonly currencies: readonly string[];
  /** Where Stripe sends a customer after an authentication. By default, the server's public URL. */
  readonly returnUrl?: string;
  /** URL of the API, for a proxy or a test. */
  readonly baseUrl: string;
}

/** Events that the webhook endpoint has to send. */
export const stripeEvents = [
  "payment_intent.succeeded",
  "payment_intent.processing",
  "payment_intent.requires_action",
  "payment_intent.payment_failed",
  "payment_intent.canceled",
  "charge.refunded",
  "charge.dispute.created",
  "charge.dispute.closed",
] as const;

const MOST_CURRENCIES = 20;

export const stripeSchema = {
  required: ["secretKey", "webhookSecret"],
  properties: {
    secretKey: text(),
    webhookSecret: text(),
    customer: text(),
    currencies: { type: "array", minItems: 1, maxItems: MOST_CURRENCIES, uniqueItems: true, items: text() },
    returnUrl: text(),
    baseUrl: text(),
  },
};

export function findStripeFaults(
  document: DocumentObject,
  { isForAllTenants }: { readonly isForAllTenants: boolean },
): DocumentFault[] {
  const { customer, currencies, secretKey, webhookSecret } = document.fields;
  const faults = [...checkSecret(document, "secretKey"), ...checkSecret(document, "webhookSecret")];
  // the detail never shows a secret
  if (typeof secretKey === "string" && !/^[sr]k_/.test(secretKey))
    faults.push(fault(document, "secretKey", "expected a secret key (sk_…) or a restricted key (rk_…)"));
  if (typeof webhookSecret === "string" && !/^whsec_./.test(webhookSecret))
    faults.push(fault(document, "webhookSecret", "expected the signing secret of the webhook endpoint (whsec_…)"));
  if (isForAllTenants && customer !== undefined)
    faults.push(
      fault(document, "customer", "expected none: tenants that share a processor have customers of their own"),
    );
  faults.push(...checkText(document, "customer", (given) => /^cus_\w+$/.test(given), "the id of a customer (cus_…)"));
  if (Array.isArray(currencies)) {
    currencies.forEach((code: unknown, index) => {
      if (typeof code !== "string" || isCurrency(code)) return;
      const detail = `expected a currency of two decimals or none, such as USD or JPY, received ${JSON.stringify(code)}`;
      faults.push(fault(document, `currencies/${index}`, detail));
    });
  }
  for (const name of ["returnUrl", "baseUrl"])
    faults.push(...checkText(document, name, isPublicUrl, "an https URL without a query"));
  return faults;
}

export function completeStripeSettings(document: object): StripeSettings {
  return { ...{ currencies: ["USD"], baseUrl: "https://api.stripe.com" }, ...document } as unknown as StripeSettings;
}
