// The contract's formats, as strictly as replies must follow them. A server may accept more in requests.

import { domainToASCII } from "node:url";
import { PHONE_NUMBER_PATTERN } from "@msgctl/contract/constants";
import { isTimezone } from "@msgctl/contract/timezones";
import type { Ajv2020 } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { parsePhoneNumberFromString } from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";

const LARGEST_INT32 = 2_147_483_647;
const LONGEST_LOCAL_PART = 64;

/** Adds the contract's formats to a validator. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat("e164", isPhoneNumber);
  ajv.addFormat("email", isEmailAddress);
  ajv.addFormat("iana-timezone", isTimezone);
  ajv.addFormat("date", fullFormats.date);
  // UTC, in milliseconds
  ajv.addFormat("date-time", /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  ajv.addFormat("uri", fullFormats.uri);
  ajv.addFormat("uri-reference", fullFormats["uri-reference"]);
  // a fraction fails the type check instead
  ajv.addFormat("int64", {
    type: "number",
    validate: (value: number) => Number.isSafeInteger(value) || !Number.isInteger(value),
  });
  ajv.addFormat("int32", { type: "number", validate: (value: number) => Math.abs(value) <= LARGEST_INT32 });
  // at most six decimals
  ajv.addFormat("double", { type: "number", validate: (value: number) => Number(value.toFixed(6)) === value });
}

function isPhoneNumber(value: string): boolean {
  // the library alone would accept spaces and letters too
  if (!PHONE_NUMBER_PATTERN.test(value)) return false;
  const parsed = parsePhoneNumberFromString(value, { extract: false }, metadata);
  return parsed !== undefined && (parsed.isPossible() || parsed.isValid());
}

const EMAIL = fullFormats.email as RegExp;
/** Allows letters of any script but no slash, because `domainToASCII` would silently cut off a path. */
const DOMAIN = /^[\p{L}\p{M}\p{N}.-]+$/u;

function isEmailAddress(value: string): boolean {
  const at = value.lastIndexOf("@");
  const domain = value.slice(at + 1);
  if (at > LONGEST_LOCAL_PART || !DOMAIN.test(domain)) return false;
  return EMAIL.test(`${value.slice(0, at)}@${domainToASCII(domain)}`);
}
