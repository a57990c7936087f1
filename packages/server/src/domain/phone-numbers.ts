// Parses phone numbers to their normal form. Consent is stored by this form, so each recipient must have exactly one.

import { PHONE_NUMBER_PATTERN } from "@msgctl/contract/constants";
import {
  type CountryCode,
  type NumberingPlan as LibraryPlan,
  Metadata,
  parsePhoneNumberFromString,
} from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";
import { beginningsIn, isNorthAmericanZone } from "./number-zones.ts";

/** Rules that hold for all countries of a calling code. */
interface NumberingPlan {
  nationalLengths: ReadonlySet<number>;
  /** Lengths that are possible in at least one of the countries. */
  possibleLengths: ReadonlySet<number>;
  /** Matches national digits that parsing might rewrite, such as a trunk prefix given by mistake (`+44 0…`). */
  rewritten: RegExp | undefined;
  /** Matches all national digits that parsing rewrites. Includes local numbers: parsing may add an area code to them. */
  prefixed: RegExp | undefined;
}

const plans: ReadonlyMap<string, NumberingPlan> = new Map(
  Object.entries(metadata.country_calling_codes).map(([callingCode, countries]) => [callingCode, readPlan(countries)]),
);

/**
 * The E.164 form of a phone number. Undefined if it is invalid: not `+` and 7 to 15 digits, an unknown calling code, or a
 * length that is neither valid nor possible for it. A lookup decides nearly every number; the others need libphonenumber's
 * parser, which is some thirty times slower. Its results are cached, because each number is validated and then parsed
 * again to be stored.
 */
export function parsePhoneNumber(value: string): string | undefined {
  if (!PHONE_NUMBER_PATTERN.test(value)) return undefined;
  const isPlain = judgeNationalNumber(value);
  if (isPlain !== undefined) return isPlain ? value : undefined;
  if (!lately.has(value)) {
    if (lately.size >= MOST_KEPT) lately.clear();
    lately.set(value, parseSlowly(value));
  }
  return lately.get(value);
}

/** Returns whether the text is a phone number in its E.164 form. */
export function isPhoneNumber(text: string): boolean {
  return parsePhoneNumber(text) === text;
}

/** Size of the cache: the numbers of the largest batch. */
const MOST_KEPT = 10_000;
const lately = new Map<string, string | undefined>();

function parseSlowly(value: string): string | undefined {
  const parsed = parsePhoneNumberFromString(value, { extract: false }, metadata);
  if (parsed === undefined || !(parsed.isPossible() || parsed.isValid())) return undefined;
  // parse again: one pass removes only one prefix, and the stored form must parse to itself
  return parsed.number === value ? value : parsePhoneNumber(parsed.number);
}

/** The calling code of an E.164 number, such as 44; undefined for an invalid number. */
export function callingCodeOf(e164: string): string | undefined {
  return parsePhoneNumberFromString(e164, { extract: false }, metadata)?.countryCallingCode;
}

/** The E.164 form of a national number, as dialled in a country of the calling code; undefined if it is invalid. */
export function parseNationalNumber(digits: string, callingCode: string): string | undefined {
  const parsed = parsePhoneNumberFromString(digits, { defaultCallingCode: callingCode, extract: false }, metadata);
  return parsed === undefined ? undefined : parsePhoneNumber(parsed.number);
}

/** Returns whether the number is in a range that its country has assigned. */
export function isValidPhoneNumber(e164: string): boolean {
  return parsePhoneNumberFromString(e164, { extract: false }, metadata)?.isValid() === true;
}

/** The ISO 3166-1 country of an E.164 number; undefined for numbers without a country, such as +800. */
export function countryOfPhoneNumber(e164: string): string | undefined {
  return parsePhoneNumberFromString(e164, { extract: false }, metadata)?.country;
}

/** Returns whether the number is valid and in its normal form; undefined if only the parser can tell. */
function judgeNationalNumber(value: string): boolean | undefined {
  for (let end = 2; end <= 4; end++) {
    const plan = plans.get(value.slice(1, end));
    if (plan === undefined) continue;
    const national = value.slice(end);
    if (plan.rewritten?.test(national) === true) return undefined;
    if (plan.nationalLengths.has(national.length)) return true;
    return plan.possibleLengths.has(national.length) || plan.prefixed?.test(national) === true ? undefined : false;
  }
  return worldwide.some((callingCode) => value.startsWith(callingCode, 1)) ? undefined : false;
}

/** Calling codes without a country, such as 800. */
const worldwide = Object.keys((metadata as { nonGeographic?: object }).nonGeographic ?? {});

/** libphonenumber's parser calls this method, but the library's types do not declare it. */
interface ParsingPlan extends LibraryPlan {
  nationalPrefixForParsing(): string | undefined;
}

function readPlan(countries: readonly CountryCode[]): NumberingPlan {
  const reader = new Metadata(metadata);
  const prefixes = new Set<string>();
  const possibleLengths = new Set<number>();
  let lengths: number[] | undefined;
  for (const country of countries) {
    reader.selectNumberingPlan(country);
    const plan = reader.numberingPlan as ParsingPlan | undefined;
    const possible = plan?.possibleLengths() ?? [];
    for (const length of possible) possibleLengths.add(length);
    lengths = lengths?.filter((length) => possible.includes(length)) ?? possible;
    const prefix = plan?.nationalPrefixForParsing();
    if (prefix) prefixes.add(prefix);
  }
  const nationalLengths = new Set(lengths);
  const rewritten = new Set(Array.from(prefixes, (prefix) => withoutLocalNumber(prefix, nationalLengths)));
  return {
    nationalLengths,
    possibleLengths,
    rewritten: beginningWith(rewritten),
    prefixed: beginningWith(prefixes),
  };
}

function beginningWith(prefixes: ReadonlySet<string>): RegExp | undefined {
  return prefixes.size === 0 ? undefined : new RegExp(`^(?:${[...prefixes].join("|")})`);
}

/**
 * Removes the pattern of a local number, such as `([457]\d{6})$|`, from a prefix if no national number has its length.
 * Otherwise the 22 such patterns of +1 would be tried for each number.
 */
function withoutLocalNumber(prefix: string, nationalLengths: ReadonlySet<number>): string {
  return prefix.replace(/^\((?:\[[\d-]+\]|\d)\\d\{(\d)\}\)\$\|/, (localNumber, digits) =>
    nationalLengths.has(1 + Number(digits)) ? localNumber : "",
  );
}

/** A number parsed from free notation. */
export interface WrittenNumber {
  readonly e164: string;
  /** Whether the country is a guess. */
  readonly isGuess: boolean;
}

/**
 * Parses a number in any notation, such as (202) 555-0150 or tel:+44-20-7946-0018. A number without a country code is
 * assumed to be in the country of the time zone; if the zone has no single country, the result is a guess. Undefined for
 * numbers that no country has assigned.
 */
export function readWrittenNumber(text: string, timezone: string): WrittenNumber | undefined {
  const written = text.trim().replace(/^tel:/i, "");
  if (!WRITTEN.test(written)) return undefined;
  const international = written.replace(/^00(?=[\s1-9])/, "+");
  if (international.startsWith("+")) {
    const parsed = parsePhoneNumberFromString(international, { extract: false }, metadata);
    const e164 = parsed?.isPossible() === true ? parsePhoneNumber(parsed.number) : undefined;
    return e164 === undefined ? undefined : { e164, isGuess: false };
  }
  const callingCode = callingCodeOfZone(timezone);
  const national = parseNationalNumber(written, callingCode ?? "1");
  if (national !== undefined && isValidPhoneNumber(national)) {
    return { e164: national, isGuess: callingCode === undefined };
  }
  const whole = parsePhoneNumber(`+${written.replace(/\D/g, "")}`);
  return whole !== undefined && /^[1-9]\d*$/.test(written) && isValidPhoneNumber(whole)
    ? { e164: whole, isGuess: true }
    : undefined;
}

/** Digits with the usual separators. */
const WRITTEN = /^\+?[\s(]*\d[\d\s().\-/\u00a0\u2010-\u2015]{5,28}$/;

/** The calling code of a time zone; undefined for a zone of no or several countries, such as UTC. */
export function callingCodeOfZone(timezone: string): string | undefined {
  if (isNorthAmericanZone(timezone)) return "1";
  const codes = new Set(
    beginningsIn(timezone).map((beginning) =>
      [1, 2, 3].map((end) => beginning.slice(0, end)).find((it) => plans.has(it)),
    ),
  );
  return codes.size === 1 ? [...codes][0] : undefined;
}
