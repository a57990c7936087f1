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
  /** An E.164 number, a short code, or a name of up to 11 letters and digits. */
  readonly sender: string;
  /** Whether a merchant's texts are sent from its newest active, assigned, SMS-capable number. */
  readonly merchantNumbers: boolean;
  /** Number of simultaneous sessions, 1 to 10. */
  readonly binds: number;
  /** Maximum number of unanswered submissions per session, 1 to 1 000. */
  readonly window: number;
  /** How a multipart text is sent: with user data headers, with SAR parameters, or whole in `message_payload`. */
  readonly longTexts: "udh" | "sar" | "payload";
  /** How receipts write the id from the response. Some carriers use one base in responses and another in receipts. */
  readonly receiptIds: "same" | "hex-as-decimal" | "decimal-as-hex";
}

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
    sender: text(16),
    merchantNumbers: { type: "boolean" },
    binds: number(1, 10),
    window: number(1, 1_000),
    longTexts: oneOf("udh", "sar", "payload"),
    receiptIds: oneOf("same", "hex-as-decimal", "decimal-as-hex"),
  },
};

export function findSmppFaults(document: DocumentObject): DocumentFault[] {
  return [
    ...checkHost(document),
    ...checkCa(document),
    ...checkText(document, "systemId", isPrintableAscii, "printable ASCII"),
    ...checkSecret(document, "password"),
    ...checkText(document, "systemType", (given) => given === "" || isPrintableAscii(given), "printable ASCII"),
    ...checkSender(document, "sender"),
  ];
}

export function completeSmppSettings(document: object): SmppSettings {
  return {
    ...{ tls: "none", systemType: "", merchantNumbers: true, binds: 1, window: 10 },
    ...{ longTexts: "udh", receiptIds: "same" },
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
