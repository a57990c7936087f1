// The settings of a carrier of texts or calls over Twilio's API.

import type { Channel } from "../../domain/contacts.ts";
import { checkText, type DocumentFault, type DocumentObject } from "../../domain/document-checks.ts";
import { isPhoneNumber } from "../../domain/phone-numbers.ts";
import type { CarrierSettings } from "../kind.ts";
import { checkMarketingCalls, type MarketingCalls, marketingCallsSchema } from "../marketing-calls.ts";
import { checkSecret, checkSender, digestAccount, isPublicUrl, number, text } from "../settings-document.ts";

/** Texts or calls over Twilio's API, version 2010-04-01. */
export interface TwilioSettings extends CarrierSettings {
  readonly kind: "twilio";
  readonly accountSid: string;
  /** Authenticates requests, and verifies those of Twilio. */
  readonly authToken: string;
  /** Sender of texts: an E.164 number, a short code, or a name of up to 11 letters and digits. For calls, a number. */
  readonly from: string;
  /** Messaging service that contains the sender of texts. */
  readonly messagingServiceSid?: string;
  /** Whether a merchant's texts are sent from its newest active, assigned, SMS-capable number. */
  readonly merchantNumbers: boolean;
  /** Whether Twilio answers STOP, START and HELP itself, so that msgd records them without an answer. */
  readonly answersKeywords: boolean;
  /** Whether Twilio finds out if a machine answered a call, for an additional charge. */
  readonly machineDetection: boolean;
  /** For calls only. */
  readonly marketing?: MarketingCalls;
  /** Number of simultaneous requests, 1 to 100. */
  readonly connections: number;
  /** URL of the API, for a proxy or a test. */
  readonly baseUrl: string;
}

export const twilioSchema = {
  required: ["accountSid", "authToken", "from"],
  properties: {
    accountSid: text(34),
    authToken: text(64),
    from: text(16),
    messagingServiceSid: text(34),
    merchantNumbers: { type: "boolean" },
    answersKeywords: { type: "boolean" },
    machineDetection: { type: "boolean" },
    marketing: marketingCallsSchema,
    connections: number(1, 100),
    baseUrl: text(),
  },
};

export function findTwilioFaults(document: DocumentObject, { channel }: { channel: Channel }): DocumentFault[] {
  return [
    ...checkText(document, "accountSid", (given) => /^AC[\da-f]{32}$/i.test(given), "AC and 32 hexadecimal digits"),
    ...checkSecret(document, "authToken"),
    ...(channel === "VOICE"
      ? checkText(document, "from", isPhoneNumber, "an E.164 number, from which calls are placed")
      : checkSender(document, "from")),
    ...checkText(
      document,
      "messagingServiceSid",
      (given) => /^MG[\da-f]{32}$/i.test(given),
      "MG and 32 hexadecimal digits",
    ),
    ...checkMarketingCalls(document),
    ...checkText(document, "baseUrl", isPublicUrl, "an https URL without a query"),
  ];
}

export function completeTwilioSettings(document: object): TwilioSettings {
  return {
    ...{
      merchantNumbers: true,
      answersKeywords: true,
      machineDetection: false,
      connections: 20,
      baseUrl: "https://api.twilio.com",
    },
    ...document,
  } as TwilioSettings;
}

/** Returns the columns that are stored unsealed. Twilio's ids are unique within the account. */
export function toTextColumns({ accountSid, from, merchantNumbers }: TwilioSettings) {
  const account = digestAccount("twilio", accountSid.toLowerCase());
  return { sender: from, merchantNumbers: merchantNumbers ? 1 : 0, account } as const;
}
