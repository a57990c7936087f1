// The settings of a carrier that an adapter serves.

import { isSigningSecret } from "../../domain/callbacks/rules.ts";
import { checkText, type DocumentFault, type DocumentObject, fault } from "../../domain/document-checks.ts";
import type { CarrierSettings } from "../kind.ts";
import { checkMarketingCalls, type MarketingCalls, marketingCallsSchema } from "../marketing-calls.ts";
import { checkSender, digestAccount, isPublicUrl, number, text } from "../settings-document.ts";

/** Messages over an adapter that speaks the protocol of carrier.openapi.yaml. */
export interface HttpSettings extends CarrierSettings {
  readonly kind: "http";
  /** URL of the adapter. */
  readonly url: string;
  /** Signs the requests in both directions: `whsec_…`. */
  readonly secret: string;
  /** Sender of texts. @default the adapter chooses it, and reports replies by the id of the message */
  readonly sender?: string;
  /** Whether a merchant's texts are sent from its newest active, assigned, SMS-capable number. Needs a sender. */
  readonly merchantNumbers: boolean;
  /** For calls only. */
  readonly marketing?: MarketingCalls;
  /** Number of simultaneous requests, 1 to 100. */
  readonly connections: number;
}

export const httpSchema = {
  required: ["url", "secret"],
  properties: {
    url: text(),
    secret: text(100),
    sender: text(16),
    merchantNumbers: { type: "boolean" },
    marketing: marketingCallsSchema,
    connections: number(1, 100),
  },
};

export function findHttpFaults(document: DocumentObject): DocumentFault[] {
  return [
    ...checkText(document, "url", isPublicUrl, "an https URL without a query; http only on this machine"),
    ...findSecretFault(document),
    ...checkSender(document, "sender"),
    ...checkMarketingCalls(document),
  ];
}

function findSecretFault(document: DocumentObject): DocumentFault[] {
  const { secret } = document.fields;
  if (typeof secret !== "string" || isSigningSecret(secret)) return [];
  const make = 'make one with: echo "whsec_$(openssl rand -base64 32)"';
  return [fault(document, "secret", `expected whsec_ and 24 to 64 bytes in base64: ${make}`)];
}

export function completeHttpSettings(document: object): HttpSettings {
  return { merchantNumbers: true, connections: 20, ...document } as HttpSettings;
}

/** Returns the columns that are stored unsealed. The ids of parts are unique within the adapter. */
export function toTextColumns({ url, sender: given, merchantNumbers }: HttpSettings) {
  const sender = given ?? null;
  const account = digestAccount("http", new URL(url).href.replace(/\/$/, ""));
  return { sender, merchantNumbers: sender !== null && merchantNumbers ? 1 : 0, account } as const;
}
