// Fields and checks shared by the settings documents of several kinds of carriers. A check reports faults that a JSON
// Schema cannot express, and ignores values of the wrong type, which the schema reports.

import { createHash, X509Certificate } from "node:crypto";
import { isIP } from "node:net";
import { domainToASCII } from "node:url";
import { checkText, type DocumentFault, type DocumentObject, fault } from "../domain/document-checks.ts";
import { isPhoneNumber } from "../domain/phone-numbers.ts";

const LONGEST_TEXT = 255;
const LONGEST_PEM = 65_536;
/** Longest alphanumeric sender (3GPP TS 23.040, 9.1.2.5). */
const LONGEST_NAME = 11;

/** JSON Schema of a field with text. */
export const text = (maxLength = LONGEST_TEXT) => ({ type: "string", minLength: 1, maxLength });
/** JSON Schema of a field with an integer. */
export const number = (minimum: number, maximum: number) => ({ type: "integer", minimum, maximum });
/** JSON Schema of a field with one of several strings. */
export const oneOf = (...values: string[]) => ({ type: "string", enum: values });
/** JSON Schema of a field with a key or certificates in PEM. */
export const pem = text(LONGEST_PEM);

/** Fields of every kind. */
export const rateFields = { perSecond: number(1, 100_000), perSecondOfTenant: number(1, 100_000) };
/** Fields of the kinds that connect to one server. */
export const serverFields = { host: text(253), port: number(1, 65_535) };

export function checkHost(document: DocumentObject): DocumentFault[] {
  return checkText(document, "host", isHost, "a host name or an address, without a port");
}

export function isHost(given: string): boolean {
  if (isIP(given) !== 0) return true;
  const name = domainToASCII(given);
  return name !== "" && /^[a-z\d]([a-z\d.-]*[a-z\d])?$/.test(name) && !/^[\d.]+$/.test(name);
}

export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || host === "[::1]" || (isIP(host) === 4 && host.startsWith("127."));
}

export function isPublicUrl(given: string): boolean {
  if (!URL.canParse(given)) return false;
  const { protocol, username, password, search, hash, hostname } = new URL(given);
  const isSafe = protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
  // a URL is shown
  const hasLogin = username !== "" || password !== "";
  return isSafe && !hasLogin && search === "" && hash === "";
}

export function isPrintableAscii(given: string): boolean {
  return /^[ -~]+$/.test(given);
}

export const folderWords = "an absolute path of letters, digits, . _ - and /, such as /var/spool/msgd/speech";

/** Accepts only characters without a special meaning in FreeSWITCH commands. */
export function isFolder(given: string): boolean {
  return /^(\/[\w.-]+)+$/.test(given) && !given.split("/").includes("..");
}

/** Requires printable ASCII: a secret is sent verbatim. The detail never shows the value. */
export function checkSecret(object: DocumentObject, name: string): DocumentFault[] {
  const given = object.fields[name];
  if (typeof given !== "string" || isPrintableAscii(given)) return [];
  return [fault(object, name, "expected printable ASCII")];
}

/** Checks the sender of texts in the field `name`. `punctuation` is allowed in a name, beside letters, digits and blanks. */
export function checkSender(document: DocumentObject, name: string, punctuation = ""): DocumentFault[] {
  const others = punctuation === "" ? "" : `, blanks and ${Array.from(punctuation).join(" ")}`;
  const expected = `an E.164 number, a short code of 3 to 8 digits, or up to 11 letters and digits${others}`;
  const isName = (given: string) =>
    given.length <= LONGEST_NAME && /[A-Za-z]/.test(given) && /^[A-Za-z\d ]*$/.test(without(given, punctuation));
  return checkText(
    document,
    name,
    (given) => isPhoneNumber(given) || /^\d{3,8}$/.test(given) || isName(given),
    expected,
  );
}

function without(text: string, characters: string): string {
  return Array.from(text)
    .filter((character) => !characters.includes(character))
    .join("");
}

const DIGEST_DIGITS = 24;

/** Returns the digest of an account at a carrier. `parts` identify the account. */
export function digestAccount(...parts: readonly (string | number)[]): string {
  const digest = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `account ${digest.slice(0, DIGEST_DIGITS)}`;
}

export function checkCa(object: DocumentObject): DocumentFault[] {
  const { ca } = object.fields;
  if (typeof ca !== "string" || isParsed(() => new X509Certificate(ca))) return [];
  return [fault(object, "ca", "expected certificates in PEM: -----BEGIN CERTIFICATE-----, …")];
}

export function isParsed(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}
