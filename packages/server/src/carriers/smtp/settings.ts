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
import type { OAuthSettings } from "./access-tokens.ts";
import type { MailEventsSettings } from "./events/mail-events.ts";
import { checkMailEvents, mailEventsSchema } from "./events/settings.ts";

/** Mail over SMTP, to a relay or a submission server. */
export interface SmtpSettings extends CarrierSettings {
  readonly kind: "smtp";
  readonly host: string;
  readonly port: number;
  /** `starttls`: before encryption, only the commands that start it are sent. */
  readonly tls: "none" | "starttls" | "tls";
  /** Certificates in PEM. The server's certificate must be signed by one of them. @default the CA certificates of Node.js */
  readonly ca?: string;
  readonly user?: string;
  readonly password?: string;
  /** Logs in by XOAUTH2, instead of with a password. */
  readonly oauth?: OAuthSettings;
  /** An address, optionally with a name: `Acme <no-reply@acme.example>`. */
  readonly from: string;
  readonly replyTo?: string;
  /** Address for bounces. Mail to it, and to it with any +tag, must reach `--bounces`. @default the address of `from` */
  readonly returnPath?: string;
  /**
   * Public URL for links in mails, for example under the tenant's own domain.
   * @default the server's public URL. If neither is set, MARKETING mails have no unsubscribe link
   */
  readonly publicUrl?: string;
  /** The sender's postal address, in one or more lines, shown in MARKETING mails. */
  readonly postalAddress?: string;
  readonly dkim?: DkimSettings;
  /** Events that the provider posts. Without them, only `--bounces` tells what became of a mail. */
  readonly events?: MailEventsSettings;
  /** Number of simultaneous connections, 1 to 100. */
  readonly connections: number;
}

export interface DkimSettings {
  readonly domain: string;
  readonly selector: string;
  /** RSA private key in PEM. */
  readonly privateKey: string;
}

/** Some servers issue tokens of a few kilobytes. */
const LONGEST_TOKEN = 8_192;
const LEAST_DKIM_BITS = 1_024;

export const smtpSchema = {
  required: ["host", "from"],
  properties: {
    ...serverFields,
    tls: oneOf("none", "starttls", "tls"),
    ca: pem,
    user: text(),
    password: text(),
    oauth: {
      type: "object",
      additionalProperties: false,
      required: ["tokenUrl", "clientId", "clientSecret"],
      properties: {
        ...{ tokenUrl: text(), clientId: text(), clientSecret: text(LONGEST_TOKEN) },
        ...{ refreshToken: text(LONGEST_TOKEN), scope: text() },
      } satisfies Record<keyof OAuthSettings, object>,
    },
    from: text(),
    replyTo: text(),
    returnPath: text(),
    publicUrl: text(),
    postalAddress: text(),
    dkim: {
      type: "object",
      additionalProperties: false,
      required: ["domain", "selector", "privateKey"],
      properties: { domain: text(), selector: text(), privateKey: pem } satisfies Record<keyof DkimSettings, object>,
    },
    events: mailEventsSchema,
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
    ...checkText(document, "postalAddress", isPostalAddress, "one or more lines of text"),
    ...checkDkim(document),
    ...checkMailEvents(document),
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

function isPostalAddress(given: string): boolean {
  return /\S/.test(given) && !/[^\n\P{C}]/u.test(given);
}

function checkCredentials(root: DocumentObject): DocumentFault[] {
  const { user, password, oauth, tls = "starttls", host } = root.fields;
  if (oauth !== undefined && (user === undefined || password !== undefined)) {
    const wrong = user === undefined ? "user" : "password";
    return [fault(root, wrong, "expected a user and no password with oauth")];
  }
  if (oauth === undefined && (user === undefined) !== (password === undefined)) {
    const missing = user === undefined ? "user" : "password";
    return [fault(root, missing, "expected a user and a password, or neither")];
  }
  if (user !== undefined && tls === "none" && !isLoopback(String(host))) {
    const secret = oauth === undefined ? "password" : "access token";
    return [fault(root, "tls", `expected starttls or tls: with none, the ${secret} would be sent unencrypted`)];
  }
  return checkText(
    objectOf(oauth, "/oauth"),
    "tokenUrl",
    isPublicUrl,
    "the https URL of a token endpoint, without a query",
  );
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
