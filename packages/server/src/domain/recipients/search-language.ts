// The search language for messages, in the dashboard and at the terminal:
//
//     to:+1202 status:failed -type:otp after:2026-11-01 "your code"
//
// All conditions must hold; a `-` before a condition negates it. A word without a name is an id, an address or a phone
// number (in any notation) if it has the form of one; otherwise it is searched for in the text of messages. Quotation
// marks keep words together. A term that cannot be parsed is a fault; it is never ignored.

import type { Schemas } from "@msgctl/contract";
import {
  CHANNEL_VALUES,
  DELIVERY_REASON_VALUES,
  MERCHANT_ID_MAX_LENGTH,
  MERCHANT_ID_PATTERN,
  MESSAGE_STATUS_VALUES,
  MESSAGE_TYPE_VALUES,
} from "@msgctl/contract/constants";
import { parseDuration, startOfDay } from "../calendar.ts";
import { maskContact } from "../contacts.ts";
import { readWrittenNumber } from "../phone-numbers.ts";
import { isProject, PROJECT_WORDS } from "../tenancy/credentials.ts";
import { showText } from "../unicode.ts";

/** Longest search, in UTF-16 units. */
export const SEARCH_MAX_LENGTH = 512;
/** Most conditions in a search. */
export const SEARCH_MAX_CONDITIONS = 16;

/** The conditions with a fixed list of values. */
export const searchedValues = {
  channel: CHANNEL_VALUES,
  status: MESSAGE_STATUS_VALUES,
  reason: DELIVERY_REASON_VALUES,
  type: MESSAGE_TYPE_VALUES,
} as const;

export type SearchCondition = { readonly isNot: boolean } & (
  | { readonly about: keyof typeof searchedValues; readonly value: string }
  | { readonly about: "merchant"; readonly value: string }
  | { readonly about: "id"; readonly value: string }
  /** Project label; development only. */
  | { readonly about: "project"; readonly value: string }
  /** Start of the recipient's address, in lower case. */
  | { readonly about: "to"; readonly value: string }
  /** Words that must follow one another in the text. */
  | { readonly about: "text"; readonly words: readonly string[] }
);

/** A search. A message matches if all conditions hold. */
export interface Search {
  readonly conditions: readonly SearchCondition[];
  /** Only messages accepted at this time or later, in epoch milliseconds; undefined for no bound. */
  readonly from: number | undefined;
  /** Only messages accepted before this time; undefined for no bound. */
  readonly until: number | undefined;
}

/** A recipient's address, or the start of one, in a search: its range in UTF-16 units, and its parsed value. */
export interface SearchedAddress {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** Whether the parsed value differs from the notation in the search, such as (202) 555-0150. */
  readonly isRewritten: boolean;
}

/** A term that cannot be parsed: its range in UTF-16 units, and the expected forms. */
export interface SearchFault {
  readonly start: number;
  readonly end: number;
  readonly detail: string;
}

/** Current time and time zone, which resolve days, durations and numbers without a country code. */
export interface SearchSurroundings {
  readonly now: number;
  readonly timezone: string;
}

/** A parsed search, and the addresses in it. */
export interface ReadSearch {
  readonly search: Search;
  readonly addresses: readonly SearchedAddress[];
}

/** Parses a search. Returns its faults if it has any. */
export function parseSearch(
  text: string,
  surroundings: SearchSurroundings,
): ReadSearch | { readonly faults: readonly SearchFault[] } {
  const whole = { start: 0, end: text.length };
  if (text.length > SEARCH_MAX_LENGTH) {
    const detail = `expected at most ${SEARCH_MAX_LENGTH} characters, received ${text.length}`;
    return { faults: [{ ...whole, detail }] };
  }
  const terms = splitTerms(text, surroundings);
  if (terms.length > SEARCH_MAX_CONDITIONS) {
    const detail = `expected at most ${SEARCH_MAX_CONDITIONS} conditions, received ${terms.length}`;
    return { faults: [{ ...whole, detail }] };
  }
  const faults: SearchFault[] = [];
  const conditions: SearchCondition[] = [];
  const froms: number[] = [];
  const untils: number[] = [];
  const addresses: SearchedAddress[] = [];
  for (const term of terms) {
    const read = readTerm(term, surroundings);
    if ("detail" in read) faults.push({ start: term.start, end: term.end, detail: read.detail });
    else if ("from" in read) froms.push(read.from);
    else if ("until" in read) untils.push(read.until);
    else {
      conditions.push(read);
      if (read.about === "to") {
        const { start, end } = term;
        const isRewritten = term.value.toLowerCase() !== read.value;
        addresses.push({ start, end, value: read.value, isRewritten });
      }
    }
  }
  if (faults.length > 0) return { faults };
  const from = froms.length === 0 ? undefined : Math.max(...froms);
  const until = untils.length === 0 ? undefined : Math.min(...untils);
  return { search: { conditions, from, until }, addresses };
}

/** The fields of a message that a search examines. */
export interface SearchedMessage {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Schemas["Channel"];
  readonly type: string;
  readonly status: Schemas["MessageStatus"];
  readonly reason: string | null;
  readonly to: string;
  /** Subject of an email; null for other channels. */
  readonly subject: string | null;
  readonly content: string;
  /** When it was accepted, in epoch milliseconds. */
  readonly createdAt: number;
  /** Project label, in development; null if it has none. */
  readonly project: string | null;
}

/** Returns whether the message matches the search. */
export function isFound(
  message: SearchedMessage,
  { conditions, from = 0, until = Number.POSITIVE_INFINITY }: Search,
): boolean {
  const { createdAt } = message;
  if (createdAt < from || createdAt >= until) return false;
  return conditions.every((condition) => holds(message, condition) !== condition.isNot);
}

function holds(message: SearchedMessage, condition: SearchCondition): boolean {
  if (condition.about === "text") return hasWords(readWords(message), condition.words);
  if (condition.about === "to") return message.to.toLowerCase().startsWith(condition.value);
  if (condition.about === "merchant") return message.merchantId === condition.value;
  if (condition.about === "id") return message.messageId === condition.value;
  return message[condition.about] === condition.value;
}

/** All searchable text of a message. */
export function textOf({ subject, content }: Pick<SearchedMessage, "subject" | "content">): string {
  return subject === null ? content : `${subject} ${content}`;
}

const wordsRead = new WeakMap<SearchedMessage, readonly string[]>();

/** The words of a message, cached because the message may be compared with many searches. */
function readWords(message: SearchedMessage): readonly string[] {
  const words = wordsRead.get(message) ?? wordsOf(textOf(message));
  wordsRead.set(message, words);
  return words;
}

function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_word, start) => wanted.every((word, index) => words[start + index] === word));
}

/** Splits a text into searchable words: letters and digits, in lower case. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  );
}

interface Term {
  readonly start: number;
  readonly end: number;
  readonly isNot: boolean;
  /** The text before the colon; undefined if there is none. */
  readonly name: string | undefined;
  readonly value: string;
  readonly quotes: "none" | "both" | "unclosed";
}

const TERMS = /(?=\S)(?<not>-?)(?:(?<name>[A-Za-z]+):)?(?:"(?<quoted>[^"]*)(?<closing>"?)|(?<bare>[^\s"]*))/g;

function splitTerms(text: string, surroundings: SearchSurroundings): Term[] {
  const terms: Term[] = [];
  const pattern = new RegExp(TERMS);
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { 0: whole, index, groups = {} } = found;
    const { not, name, quoted, closing, bare = "" } = groups;
    const term = { start: index, end: index + whole.length, isNot: not === "-", name: name?.toLowerCase() };
    if (quoted !== undefined) terms.push({ ...term, value: quoted, quotes: closing === "" ? "unclosed" : "both" });
    else {
      const isAddress = name === undefined || isOfRecipient(name.toLowerCase());
      const value =
        (isAddress ? readSpacedNumber(text.slice(term.end - bare.length), surroundings) : undefined) ?? bare;
      const end = term.end - bare.length + value.length;
      terms.push({ ...term, end, value, quotes: "none" });
      pattern.lastIndex = end;
    }
  }
  return terms;
}

/** The longest start of a text that is one phone number with spaces in it; undefined if there is none. */
function readSpacedNumber(text: string, { timezone }: SearchSurroundings): string | undefined {
  const [run = ""] = /^\+?[\d\s().\-/\u00a0\u2010-\u2015]+(?=\s|$)/.exec(text) ?? [];
  const words = run.trim().match(/\s*\S+/g) ?? [];
  for (let length = words.length; length > 1; length -= 1) {
    const written = words.slice(0, length).join("");
    if (readWrittenNumber(written, timezone) !== undefined) return written;
  }
  // an incomplete number that starts with a country code
  const isBeginning =
    run.startsWith("+") && words.length > 1 && words.every((word) => word.trim().length <= LONGEST_GROUP);
  return isBeginning && run.replace(/\D/g, "").length <= LONGEST_NUMBER ? run.trim() : undefined;
}

/** Most digits of a number, and of a group of digits between spaces. */
const LONGEST_NUMBER = 15;
const LONGEST_GROUP = 6;

function isOfRecipient(name: string): boolean {
  return name === "to" || name === "tel";
}

type Read = SearchCondition | { readonly from: number } | { readonly until: number } | { readonly detail: string };

function readTerm(term: Term, surroundings: SearchSurroundings): Read {
  const { isNot, name, value, quotes } = term;
  if (quotes === "unclosed") return { detail: "expected a closing quotation mark" };
  if (name === undefined) return readNameless(term, surroundings);
  if (value === "") return { detail: `expected a value after ${name}:` };
  if (isListed(name)) return readListed(name, term);
  if (isOfRecipient(name)) return readNumber(term, surroundings) ?? { about: "to", isNot, value: value.toLowerCase() };
  if (name === "id") return { about: "id", isNot, value };
  if (name === "merchant") return readMerchant(term);
  if (name === "project") return readProject(term);
  if (name !== "after" && name !== "before") {
    const detail = `expected ${names.join(":, ")}: or a text, received ${showText(name, SHOWN)}:; to search for it as text, use quotation marks`;
    return { detail };
  }
  if (isNot) return { detail: `expected ${name === "after" ? "before" : "after"}: instead of -${name}:` };
  const at = readTime(value, surroundings);
  if (at === undefined) return { detail: `${TIMES}, received ${showText(value, SHOWN)}` };
  return name === "after" ? { from: at } : { until: at };
}

const names = [...Object.keys(searchedValues), "merchant", "project", "to", "id", "after", "before"];
const TIMES =
  "expected a day such as 2026-11-01, a time such as 2026-11-01T09:30:00Z, or how long ago, such as 90m or 7d";
/** Most UTF-16 units of a term that a fault quotes. */
const SHOWN = 40;

/** Parses a term without a name: as an id, an address or a number if it has such a form, else as text. */
function readNameless(term: Term, surroundings: SearchSurroundings): Read {
  const { isNot, value, quotes } = term;
  if (quotes === "none") {
    if (/^msg_\w+$/.test(value)) return { about: "id", isNot, value };
    if (/^[^@]+@[^@]+\.[^@]+$/.test(value)) return { about: "to", isNot, value: value.toLowerCase() };
    const number = readNumber(term, surroundings);
    if (number !== undefined) return number;
  }
  const words = wordsOf(value);
  if (words.length === 0) return { detail: "expected at least one letter or digit" };
  return { about: "text", isNot, words };
}

/** Parses a phone number in any notation, or the start of one with a country code; undefined for other texts. */
function readNumber({ isNot, value }: Term, { timezone }: SearchSurroundings): Read | undefined {
  if (isDayText(value)) return undefined;
  const number = readWrittenNumber(value, timezone);
  if (number?.isGuess === true) {
    const shown = showText(value, SHOWN);
    return {
      detail: `did you mean ${number.e164}? The country of ${shown} is not known; to search for it as text, use quotation marks`,
    };
  }
  if (number !== undefined) return { about: "to", isNot, value: number.e164 };
  const digits = value.replace(/[\s().\-/\u00a0\u2010-\u2015]/g, "");
  return /^\+\d+$/.test(digits) ? { about: "to", isNot, value: digits } : undefined;
}

function isDayText(value: string): boolean {
  return /^\d{4}-\d\d-\d\d$/.test(value);
}

function isListed(name: string): name is keyof typeof searchedValues {
  return Object.hasOwn(searchedValues, name);
}

function readListed(about: keyof typeof searchedValues, { isNot, value }: Term): Read {
  const known: readonly string[] = searchedValues[about];
  const wanted = value.toUpperCase();
  if (known.includes(wanted)) return { about, isNot, value: wanted };
  return { detail: `expected ${about}: with one of ${known.join(", ")}, received ${showText(value, SHOWN)}` };
}

function readMerchant({ isNot, value }: Term): Read {
  if (value.length <= MERCHANT_ID_MAX_LENGTH && MERCHANT_ID_PATTERN.test(value))
    return { about: "merchant", isNot, value };
  return { detail: `expected merchant: with a merchant's id, received ${showText(value, SHOWN)}` };
}

function readProject({ isNot, value }: Term): Read {
  if (isProject(value)) return { about: "project", isNot, value };
  return { detail: `expected project: with a label of ${PROJECT_WORDS}, received ${showText(value, SHOWN)}` };
}

function readTime(value: string, { now, timezone }: SearchSurroundings): number | undefined {
  const agoMs = parseDuration(value);
  if (agoMs !== undefined) return now - agoMs;
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d))?$/.exec(value) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  if (time === undefined) return startOfDay(day, timezone);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : at;
}

/** Returns whether the text is a day that exists, in 1970 or later. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return at >= 0 && new Date(at).toISOString().startsWith(day);
}

/**
 * Describes the conditions for an audit, without texts and with masked contacts: `to:+1202•••00`, `-type:OTP`,
 * `text:(2 words)`, `after:2026-11-01T00:00:00.000Z`.
 */
export function tellSearch({ conditions, from, until }: Search): string[] {
  const told = conditions.map((condition) => `${condition.isNot ? "-" : ""}${condition.about}:${tellValue(condition)}`);
  if (from !== undefined) told.push(`after:${new Date(from).toISOString()}`);
  if (until !== undefined) told.push(`before:${new Date(until).toISOString()}`);
  return told;
}

function tellValue(condition: SearchCondition): string {
  if (condition.about === "text") return `(${condition.words.length} words)`;
  if (condition.about === "to") return maskContact(condition.value);
  if (condition.about === "id") return maskId(condition.value);
  return maskName(condition.value);
}

/** Returns an id such as `msg_…` or 12 unchanged. Masks anything else, such as a pasted number, address or name. */
export function maskId(text: string): string {
  return /^(?:[a-z]+_(?=\w*\d)(?!\d{7,}$)\w+|\d{1,9})$/.test(text) ? text : maskContact(text);
}

/** Returns a merchant's id, or another name chosen by a tenant, unchanged. Masks a phone number pasted in its place. */
export function maskName(text: string): string {
  return /^(?:\D?\d){7,}$/.test(text) ? maskContact(text) : text;
}
