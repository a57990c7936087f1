// The normal form of phone numbers. Consent is keyed by it, as by that of email addresses: one recipient must have one form.

import { PHONE_NUMBER_PATTERN } from "@msgctl/contract/constants";
import {
  type CountryCode,
  type NumberingPlan as LibraryPlan,
  Metadata,
  parsePhoneNumberFromString,
} from "libphonenumber-js/core";
import metadata from "libphonenumber-js/min/metadata";
import { beginningsIn, isNorthAmericanZone } from "./number-zones.ts";

/** The rules on which all countries of one calling code agree. */
interface NumberingPlan {
  nationalLengths: ReadonlySet<number>;
  /** Lengths that are possible in one of the countries. */
  possibleLengths: ReadonlySet<number>;
  /** Matches national digits that parsing might rewrite, such as a trunk prefix given by mistake (`+44 0…`). */
  rewritten: RegExp | undefined;
  /** Matches all national digits that parsing rewrites, local numbers among them, which it may lengthen. */
  prefixed: RegExp | undefined;
}

const plans: ReadonlyMap<string, NumberingPlan> = new Map(
  Object.entries(metadata.country_calling_codes).map(([callingCode, countries]) => [callingCode, readPlan(countries)]),
);

/**
 * The E.164 form of a phone number; undefined for an invalid one: not `+` and 7 to 15 digits, a calling code that no
 * plan has, or a length that is neither valid nor possible there. The lookup settles nearly every number;
 * libphonenumber's parser, some thirty times slower, decides the rest. Its results are cached for a while, as a number
 * is validated before it is stored.
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

/** Numbers of the largest batch. */
const MOST_KEPT = 10_000;
const lately = new Map<string, string | undefined>();

function parseSlowly(value: string): string | undefined {
  const parsed = parsePhoneNumberFromString(value, { extract: false }, metadata);
  if (parsed === undefined || !(parsed.isPossible() || parsed.isValid())) return undefined;
  // parsing removes one prefix of a number that may have two; the stored form must read back as itself
  return parsed.number === value ? value : parsePhoneNumber(parsed.number);
}

/** The calling code of an E.164 number, such as 44; undefined for an invalid number. */
export function callingCodeOf(e164: string): string | undefined {
  return parsePhoneNumberFromString(e164, { extract: false }, metadata)?.countryCallingCode;
}

/** The E.164 form of a number as it is dialled in a calling code; undefined for an invalid one. */
export function parseNationalNumber(digits: string, callingCode: string): string | undefined {
  const parsed = parsePhoneNumberFromString(digits, { defaultCallingCode: callingCode, extract: false }, metadata);
  return parsed === undefined ? undefined : parsePhoneNumber(parsed.number);
}

/** Returns whether the number is of a range that its country has given out. */
export function isValidPhoneNumber(e164: string): boolean {
  return parsePhoneNumberFromString(e164, { extract: false }, metadata)?.isValid() === true;
}

/** The country of an E.164 number, by ISO 3166-1; undefined for one of no country, such as +800. */
export function countryOfPhoneNumber(e164: string): string | undefined {
  return parsePhoneNumberFromString(e164, { extract: false }, metadata)?.country;
}

/** Returns whether the number is valid and in its final form; undefined if only the parser can tell. */
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

/** Calling codes of no country, such as 800. */
const worldwide = Object.keys((metadata as { nonGeographic?: object }).nonGeographic ?? {});

/** The library's own parser asks for the prefix this way; its type declaration leaves the method out. */
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
 * Removes a number as it is dialled within its town, `([457]\d{6})$|`, from a prefix if no national number has its
 * length: +1 has 22 of them, which would be tried for each number.
 */
function withoutLocalNumber(prefix: string, nationalLengths: ReadonlySet<number>): string {
  return prefix.replace(/^\((?:\[[\d-]+\]|\d)\\d\{(\d)\}\)\$\|/, (localNumber, digits) =>
    nationalLengths.has(1 + Number(digits)) ? localNumber : "",
  );
}

/** A number as a person has written it. */
export interface WrittenNumber {
  readonly e164: string;
  /** Whether its country was unknown, and this is a guess. */
  readonly isGuess: boolean;
}

/**
 * Reads a number in any notation, such as (202) 555-0150 or tel:+44-20-7946-0018: without a country it is one of the
 * time zone's, or a guess if that is of no single country. Undefined for numbers that no country has assigned.
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

/** Digits with what people put between them. */
const WRITTEN = /^\+?[\s(]*\d[\d\s().\-/\u00a0\u2010-\u2015]{5,28}$/;

/** The calling code of the only country that has a time zone; undefined for others, such as UTC. */
function callingCodeOfZone(timezone: string): string | undefined {
  if (isNorthAmericanZone(timezone)) return "1";
  const codes = new Set(
    beginningsIn(timezone).map((beginning) =>
      [1, 2, 3].map((end) => beginning.slice(0, end)).find((it) => plans.has(it)),
    ),
  );
  return codes.size === 1 ? [...codes][0] : undefined;
}
