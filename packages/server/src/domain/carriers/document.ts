// The rules of a carrier's JSON document: its JSON Schema, and what a schema cannot say. Values of the wrong type are left to
// the schema.

import { createPrivateKey, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { checkText, type DocumentFault, type DocumentObject, fault, objectOf } from "../document-checks.ts";
import { readMailbox } from "../mailboxes.ts";
import { LONGEST_RETURN_NAME } from "../message-tokens.ts";
import { isPhoneNumber } from "../phone-numbers.ts";
import { type CarriedChannel, type CarrierKind, carrierKinds, type DkimSettings } from "./rules.ts";

const LONGEST_TEXT = 255;
const LONGEST_PEM = 65_536;
const LEAST_DKIM_BITS = 1_024;

const text = (maxLength = LONGEST_TEXT) => ({ type: "string", minLength: 1, maxLength });
const number = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });
const oneOf = (...values: string[]) => ({ type: "string", enum: values });
const pem = text(LONGEST_PEM);
const rates = { perSecond: number(1, 100_000), perSecondOfTenant: number(1, 100_000) };

/** The fields of each kind, after `kind` and the address that it is reached at. */
const fields: Readonly<Record<CarrierKind, { required: readonly string[]; properties: Record<string, object> }>> = {
  smtp: {
    required: ["from"],
    properties: {
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
  },
  smpp: {
    required: ["port", "systemId", "password", "sender"],
    properties: {
      tls: oneOf("none", "tls"),
      ca: pem,
      // as long as the standard has room for: C-octet strings of 16, 9 and 13 octets
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
  },
  freeswitch: {
    required: ["password", "gateway", "callerId"],
    properties: {
      password: text(),
      gateway: text(64),
      callerId: text(16),
      callerName: text(64),
      calls: number(1, 1_000),
      speechFolder: text(),
      recordingFolder: text(),
      callRecordFolder: text(),
      presence: { type: "boolean" },
    },
  },
};

/** The JSON Schema of the documents of a kind. */
export function carrierSchema(kind: CarrierKind): object {
  const { required, properties } = fields[kind];
  return {
    type: "object",
    additionalProperties: false,
    required: ["kind", "host", ...required],
    properties: { kind: { const: kind }, host: text(253), port: number(1, 65_535), ...rates, ...properties },
  };
}

/** Which kind a document for a channel is to be; its fault if it is another. */
export function findKindFault(document: unknown, channel: CarriedChannel): DocumentFault | undefined {
  const kind = carrierKinds[channel];
  const given = objectOf(document, "").fields.kind;
  if (given === kind) return undefined;
  const received = given === undefined ? "none" : JSON.stringify(given);
  return { pointer: "/kind", detail: `expected "${kind}", which carries ${channel}, received ${received}` };
}

/** What else is wrong with a document, in the order of its fields. @param isCommon whether it is for all tenants */
export function findCarrierFaults(document: unknown, isCommon: boolean): DocumentFault[] {
  const root = objectOf(document, "");
  const kind = root.fields.kind as CarrierKind;
  return [
    ...checkText(root, "host", isHost, "a host name or an address, without a port"),
    ...checks[kind](root),
    ...(isCommon ? checkPresence(root) : []),
  ];
}

/** Phones are those of one tenant. */
function checkPresence({ fields }: DocumentObject): DocumentFault[] {
  if (fields.presence !== true) return [];
  return [
    { pointer: "/presence", detail: "expected false for all tenants: set it for the tenant that has the phones" },
  ];
}

const checks: Readonly<Record<CarrierKind, (root: DocumentObject) => DocumentFault[]>> = {
  smtp: (root) => [
    ...checkCa(root),
    ...checkCredentials(root),
    ...checkText(root, "from", isMailbox, "an address, with a name or without: Acme <no-reply@acme.example>"),
    ...checkText(root, "replyTo", isMailbox, "an address, with a name or without"),
    ...checkText(root, "returnPath", isReturnPath, returnPathWords),
    ...checkText(root, "publicUrl", isPublicUrl, "an https URL without a query, such as https://msg.acme.example"),
    ...checkDkim(root),
  ],
  smpp: (root) => [
    ...checkCa(root),
    ...checkText(root, "systemId", isPrintableAscii, "printable ASCII"),
    ...checkSecret(root, "password"),
    ...checkText(root, "systemType", (given) => given === "" || isPrintableAscii(given), "printable ASCII"),
    ...checkText(
      root,
      "sender",
      isSender,
      "an E.164 number, a short code of 3 to 8 digits, or up to 11 letters and digits",
    ),
  ],
  freeswitch: (root) => [
    ...checkSecret(root, "password"),
    ...checkText(
      root,
      "gateway",
      (given) => /^[\w.-]+$/.test(given),
      "the name of a gateway: letters, digits, . _ and -",
    ),
    ...checkText(root, "callerId", isPhoneNumber, "an E.164 number, such as +12025550199"),
    ...checkText(
      root,
      "callerName",
      (given) => /^[\p{L}\p{N} .&-]+$/u.test(given),
      "letters, digits, spaces and . & -",
    ),
    ...["speechFolder", "recordingFolder", "callRecordFolder"].flatMap((name) =>
      checkText(root, name, isFolder, folderWords),
    ),
  ],
};

const returnPathWords = `an address without +, of at most ${LONGEST_RETURN_NAME} characters before the @, such as bounces@acme.example`;

function isHost(given: string): boolean {
  if (isIP(given) !== 0) return true;
  const name = domainToASCII(given);
  return name !== "" && /^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(name) && !/^[\d.]+$/.test(name);
}

function isMailbox(given: string): boolean {
  return readMailbox(given) !== undefined;
}

function isReturnPath(given: string): boolean {
  const address = parseEmailAddress(given);
  const [name = ""] = address?.split("@") ?? [];
  return address !== undefined && name.length <= LONGEST_RETURN_NAME && !name.includes("+");
}

function isPublicUrl(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, username, search, hash, hostname } = new URL(given);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  return isSafe && username === "" && search === "" && hash === "";
}

function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}

function isPrintableAscii(given: string): boolean {
  return /^[ -~]+$/.test(given);
}

export const folderWords = "an absolute path of letters, digits, . _ - and /, such as /var/spool/msgd/speech";

/** Nothing that means something else where calls are described. */
export function isFolder(given: string): boolean {
  return /^(\/[\w.-]+)+$/.test(given) && !given.split("/").includes("..");
}

function isSender(given: string): boolean {
  return isPhoneNumber(given) || /^\d{3,8}$/.test(given) || /^(?=.*[A-Za-z])[A-Za-z\d ]{1,11}$/.test(given);
}

/** A secret is never shown, and goes over the wire as it is. */
function checkSecret(object: DocumentObject, name: string): DocumentFault[] {
  const given = object.fields[name];
  if (typeof given !== "string" || isPrintableAscii(given)) return [];
  return [fault(object, name, "expected printable ASCII")];
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

function checkCa(object: DocumentObject): DocumentFault[] {
  const { ca } = object.fields;
  if (typeof ca !== "string" || isParsed(() => new X509Certificate(ca))) return [];
  return [fault(object, "ca", "expected certificates in PEM: -----BEGIN CERTIFICATE-----, …")];
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

function isParsed(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
