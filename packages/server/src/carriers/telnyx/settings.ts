// The settings of a carrier of texts over Telnyx's API.

import { checkText, type DocumentFault, type DocumentObject, fault } from "../../domain/document-checks.ts";
import type { CarrierSettings } from "../kind.ts";
import { checkSecret, checkSender, digestAccount, isPublicUrl, number, text } from "../settings-document.ts";
import { readPublicKey } from "./signature.ts";

/** Texts over Telnyx's Messaging API, version 2. */
export interface TelnyxSettings extends CarrierSettings {
  readonly kind: "telnyx";
  readonly apiKey: string;
  /** Verifies Telnyx's requests: 32 bytes in base64. */
  readonly publicKey: string;
  /** Sender: an E.164 number, a short code, or a name of up to 11 letters and digits. */
  readonly from: string;
  /** Messaging profile of the sender. A name needs one. */
  readonly messagingProfileId?: string;
  /** Whether a merchant's texts are sent from its newest active, assigned, SMS-capable number. */
  readonly merchantNumbers: boolean;
  /** Whether Telnyx answers STOP, START and HELP itself, so that msgd records them without an answer. */
  readonly answersKeywords: boolean;
  /** Number of simultaneous requests, 1 to 100. */
  readonly connections: number;
  /** URL of the API, for a proxy or a test. */
  readonly baseUrl: string;
}

export const telnyxSchema = {
  required: ["apiKey", "publicKey", "from"],
  properties: {
    apiKey: text(200),
    publicKey: text(64),
    from: text(16),
    messagingProfileId: text(36),
    merchantNumbers: { type: "boolean" },
    answersKeywords: { type: "boolean" },
    connections: number(1, 100),
    baseUrl: text(),
  },
};

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

export function findTelnyxFaults(document: DocumentObject): DocumentFault[] {
  return [
    ...checkSecret(document, "apiKey"),
    ...checkText(document, "publicKey", (given) => readPublicKey(given) !== undefined, "32 bytes in base64"),
    ...checkSender(document, "from"),
    ...checkText(document, "messagingProfileId", (given) => UUID.test(given), "a UUID"),
    ...checkProfile(document),
    ...checkText(document, "baseUrl", isPublicUrl, "an https URL without a query"),
  ];
}

function checkProfile(document: DocumentObject): DocumentFault[] {
  const { from, messagingProfileId } = document.fields;
  const isName = typeof from === "string" && /[A-Za-z]/.test(from);
  if (!isName || messagingProfileId !== undefined) return [];
  return [fault(document, "messagingProfileId", "expected the messaging profile of the sender, which is a name")];
}

export function completeTelnyxSettings(document: object): TelnyxSettings {
  return {
    ...{ merchantNumbers: true, answersKeywords: true, connections: 20, baseUrl: "https://api.telnyx.com" },
    ...document,
  } as TelnyxSettings;
}

/** Returns the columns that are stored unsealed. The public key belongs to the account, and Telnyx's ids are unique. */
export function toTextColumns({ publicKey, from, merchantNumbers }: TelnyxSettings) {
  const account = digestAccount("telnyx", publicKey);
  return { sender: from, merchantNumbers: merchantNumbers ? 1 : 0, account } as const;
}
