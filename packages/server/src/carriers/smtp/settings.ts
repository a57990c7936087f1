// The settings of a carrier of mail over SMTP.

import { createPrivateKey } from "node:crypto";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { checkText, type DocumentFault, type DocumentObject, fault, objectOf } from "../../domain/document-checks.ts";
import { readMailbox } from "../../domain/mailboxes.ts";
import { LONGEST_RETURN_NAME } from "../../domain/message-tokens.ts";
import type { CarrierSettings } from "../kind.ts";
import {
  checkCa,
  checkHost,
  isHost,
  isLoopback,
  isParsed,
  isPublicUrl,
  number,
  oneOf,
  pem,
  serverFields,
  text,
} from "../settings-document.ts";

/** Mail by SMTP, to a relay or a submission server. */
export interface SmtpSettings extends CarrierSettings {
  readonly kind: "smtp";
  readonly host: string;
  readonly port: number;
  /** `starttls`: nothing but the wish to encrypt goes over an open connection. */
  readonly tls: "none" | "starttls" | "tls";
  /** Certificates in PEM, one of which has to have signed the server's. @default those of Node.js */
  readonly ca?: string;
  readonly user?: string;
  readonly password?: string;
  /** An address, with a name or without: `Acme <no-reply@acme.example>`. */
  readonly from: string;
  readonly replyTo?: string;
  /** Where bounces are to go: mail to it, and to any tag of it, has to reach `--bounces`. @default the address of `from` */
  readonly returnPath?: string;
  /**
   * Where links in its mails lead to this server, under a tenant's own name.
   * @default the server's public URL; mails for MARKETING have no link to unsubscribe without either
   */
  readonly publicUrl?: string;
  readonly dkim?: DkimSettings;
  /** Connections at once, 1 to 100. */
  readonly connections: number;
}

export interface DkimSettings {
  readonly domain: string;
  readonly selector: string;
  /** RSA, in PEM. */
  readonly privateKey: string;
}

const LEAST_DKIM_BITS = 1_024;

export const smtpSchema = {
  required: ["host", "from"],
  properties: {
    ...serverFields,
    tls: oneOf("none", "starttls", "tls"),
    ca: pem,
    user: text(),
    password: text(),
    from: text(),
    replyTo: text(),
    returnPath: text(),
    publicUrl: text(),
    dkim: {
      type: "object",
      additionalProperties: false,
      required: ["domain", "selector", "privateKey"],
      properties: { domain: text(), selector: text(), privateKey: pem } satisfies Record<keyof DkimSettings, object>,
    },
    connections: number(1, 100),
  },
};

export function findSmtpFaults(document: DocumentObject): DocumentFault[] {
  return [
    ...checkHost(document),
    ...checkCa(document),
    ...checkCredentials(document),
    ...checkText(document, "from", isMailbox, "an address, with a name or without: Acme <no-reply@acme.example>"),
    ...checkText(document, "replyTo", isMailbox, "an address, with a name or without"),
    ...checkText(document, "returnPath", isReturnPath, returnPathWords),
    ...checkText(document, "publicUrl", isPublicUrl, "an https URL without a query, such as https://msg.acme.example"),
    ...checkDkim(document),
  ];
}

const ports = { none: 25, starttls: 587, tls: 465 } as const;

export function completeSmtpSettings(document: object): SmtpSettings {
  const { tls = "starttls" } = document as SmtpSettings;
  return { tls, connections: 8, port: ports[tls], ...document } as SmtpSettings;
}

const returnPathWords = `an address without +, of at most ${LONGEST_RETURN_NAME} characters before the @, such as bounces@acme.example`;

function isMailbox(given: string): boolean {
  return readMailbox(given) !== undefined;
}

function isReturnPath(given: string): boolean {
  const address = parseEmailAddress(given);
  const [name = ""] = address?.split("@") ?? [];
  return address !== undefined && name.length <= LONGEST_RETURN_NAME && !name.includes("+");
}

function checkCredentials(root: DocumentObject): DocumentFault[] {
  const { user, password, tls = "starttls", host } = root.fields;
  if ((user === undefined) !== (password === undefined)) {
    const missing = user === undefined ? "user" : "password";
    return [fault(root, missing, "expected beside the other: a user and a password, or neither")];
  }
  if (password !== undefined && tls === "none" && !isLoopback(String(host))) {
    return [fault(root, "tls", "expected starttls or tls: with none, the password is read by whoever is on the way")];
  }
  return [];
}

function checkDkim(root: DocumentObject): DocumentFault[] {
  const { dkim } = root.fields;
  if (typeof dkim !== "object" || dkim === null) return [];
  const object = objectOf(dkim, "/dkim");
  return [
    ...checkText(object, "domain", isHost, "the domain that signs, such as acme.example"),
    ...checkText(object, "selector", (given) => /^[\w-]+(\.[\w-]+)*$/.test(given), "a label such as msgd2026"),
    ...checkDkimKey(object),
  ];
}

function checkDkimKey(object: DocumentObject): DocumentFault[] {
  const { privateKey } = object.fields;
  if (typeof privateKey !== "string") return [];
  const bits = isParsed(() => createPrivateKey(privateKey))
    ? createPrivateKey(privateKey).asymmetricKeyDetails?.modulusLength
    : undefined;
  if (bits !== undefined && bits >= LEAST_DKIM_BITS) return [];
  const received = bits === undefined ? "" : `, received one of ${bits} bits`;
  return [
    fault(
      object,
      "privateKey",
      `expected an RSA key in PEM, of ${LEAST_DKIM_BITS} bits or more, without a passphrase${received}`,
    ),
  ];
}
