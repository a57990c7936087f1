// The settings of a carrier of texts over SMPP 3.4.

import { checkText, type DocumentFault, type DocumentObject } from "../../domain/document-checks.ts";
import type { CarrierSettings } from "../kind.ts";
import {
  checkCa,
  checkHost,
  checkSecret,
  checkSender,
  digestAccount,
  isPrintableAscii,
  number,
  oneOf,
  pem,
  serverFields,
  text,
} from "../settings-document.ts";

/** Texts over SMPP 3.4. */
export interface SmppSettings extends CarrierSettings {
  readonly kind: "smpp";
  readonly host: string;
  readonly port: number;
  readonly tls: "none" | "tls";
  /** See `SmtpSettings.ca`. */
  readonly ca?: string;
  readonly systemId: string;
  readonly password: string;
  readonly systemType: string;
  /** With `separate`, each of `binds` is a session that submits and one that receives. */
  readonly bind: "transceiver" | "separate";
  /** Value of `service_type`. */
  readonly serviceType: string;
  /** An E.164 number, a short code, or a name of up to 11 characters. */
  readonly sender: string;
  /** For `sender`, and for merchants' numbers of the same form. @default by the form */
  readonly senderTon?: number;
  readonly senderNpi?: number;
  /** @default international, ISDN */
  readonly recipientTon?: number;
  readonly recipientNpi?: number;
  /** Whether a merchant's texts are sent from its newest active, assigned, SMS-capable number. */
  readonly merchantNumbers: boolean;
  /** Number of simultaneous sessions, or of pairs of them, 1 to 10. */
  readonly binds: number;
  /** Maximum number of unanswered submissions per session, 1 to 1 000. */
  readonly window: number;
  /** How a multipart text is sent: with user data headers, with SAR parameters, or whole in `message_payload`. */
  readonly longTexts: "udh" | "sar" | "payload";
  /** The carrier's default alphabet, which data_coding 0 means. */
  readonly alphabet: "gsm7" | "latin1" | "ascii";
  /** Whether the carrier gives a receipt for each part of a text, or one receipt for all parts. */
  readonly receipts: "each" | "one";
  /** How receipts write the id from the response. Some carriers use one base in responses and another in receipts. */
  readonly receiptIds: "same" | "hex-as-decimal" | "decimal-as-hex";
}

/** Values in SMPP 3.4, 5.2.5 and 5.2.6. */
const typeOfNumber = number(0, 6);
const numberingPlan = number(0, 18);

export const smppSchema = {
  required: ["host", "port", "systemId", "password", "sender"],
  properties: {
    ...serverFields,
    tls: oneOf("none", "tls"),
    ca: pem,
    // maximum lengths in SMPP: C-octet strings of 16, 9 and 13 octets, including the NUL
    systemId: text(15),
    password: text(8),
    systemType: { type: "string", maxLength: 12 },
    bind: oneOf("transceiver", "separate"),
    // a C-octet string of 6 octets, including the NUL
    serviceType: { type: "string", maxLength: 5 },
    sender: text(16),
    senderTon: typeOfNumber,
    senderNpi: numberingPlan,
    recipientTon: typeOfNumber,
    recipientNpi: numberingPlan,
    merchantNumbers: { type: "boolean" },
    binds: number(1, 10),
    window: number(1, 1_000),
    longTexts: oneOf("udh", "sar", "payload"),
    alphabet: oneOf("gsm7", "latin1", "ascii"),
    receipts: oneOf("each", "one"),
    receiptIds: oneOf("same", "hex-as-decimal", "decimal-as-hex"),
  },
};

export function findSmppFaults(document: DocumentObject): DocumentFault[] {
  return [
    ...checkHost(document),
    ...checkCa(document),
    ...checkText(document, "systemId", isPrintableAscii, "printable ASCII"),
    ...checkSecret(document, "password"),
    ...checkText(document, "systemType", isEmptyOrAscii, "printable ASCII"),
    ...checkText(document, "serviceType", isEmptyOrAscii, "printable ASCII"),
    ...checkSender(document, "sender", "&-._"),
  ];
}

function isEmptyOrAscii(given: string): boolean {
  return given === "" || isPrintableAscii(given);
}

export function completeSmppSettings(document: object): SmppSettings {
  return {
    ...{ tls: "none", systemType: "", bind: "transceiver", serviceType: "", merchantNumbers: true },
    ...{ binds: 1, window: 10, longTexts: "udh", alphabet: "gsm7", receipts: "each", receiptIds: "same" },
    ...document,
  } as SmppSettings;
}

/**
 * Returns the columns that are stored unsealed, because they are read without the carrier's settings. The carrier may send a
 * receipt on any connection of the account, and its ids are unique within the account.
 */
export function toTextColumns({ host, port, systemId, sender, merchantNumbers }: SmppSettings) {
  const account = digestAccount(host.toLowerCase().replace(/\.$/, ""), port, systemId);
  return { sender, merchantNumbers: merchantNumbers ? 1 : 0, account } as const;
}
