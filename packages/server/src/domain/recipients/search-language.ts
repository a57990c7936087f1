// The one language in which messages are searched for, in the dashboard and at the terminal:
//
//     to:+1202 status:failed -type:otp after:2026-11-01 "your code"
//
// All conditions must hold; a `-` before one negates it. A word without a name is searched in the text that was sent,
// unless it can only be an id, an address or a phone number in any notation; quotation marks keep words together. A
// term that is not understood is a fault, and never left out.

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

/** The longest search, in UTF-16 units. */
export const SEARCH_MAX_LENGTH = 512;
/** The most conditions of a search. */
export const SEARCH_MAX_CONDITIONS = 16;

/** Values of the listed conditions; a reason may also be missing. */
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
  /** The label under which a server in development accepted it. */
  | { readonly about: "project"; readonly value: string }
  /** Beginning of the recipient's address, in lower case. */
  | { readonly about: "to"; readonly value: string }
  /** Words that follow one another in the text. */
  | { readonly about: "text"; readonly words: readonly string[] }
);

/** A search, all of whose conditions hold. */
export interface Search {
  readonly conditions: readonly SearchCondition[];
  /** Accepted then or later, in epoch milliseconds; undefined for any time. */
  readonly from: number | undefined;
  /** Accepted before then. */
  readonly until: number | undefined;
}

/** A recipient's address, or its beginning, in a search: its range in UTF-16 units, and the way it was read. */
export interface SearchedAddress {
  readonly start: number;
  readonly end: number;
  readonly value: string;
  /** Whether its notation differs from that of messages, such as (202) 555-0150. */
  readonly isRewritten: boolean;
}

/** A term of a search that is not understood: its range in UTF-16 units, and the allowed forms. */
export interface SearchFault {
  readonly start: number;
  readonly end: number;
  readonly detail: string;
}

/** Time and time zone of a search, for days and for numbers without a country. */
export interface SearchSurroundings {
  readonly now: number;
  readonly timezone: string;
}

/** A search that was read, and the addresses in it. */
export interface ReadSearch {
  readonly search: Search;
  readonly addresses: readonly SearchedAddress[];
}

/** Reads a search. Gives its faults if it has any. */
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

/** The fields of a message that a search reads. */
export interface SearchedMessage {
  readonly messageId: string;
  readonly merchantId: string;
  readonly channel: Schemas["Channel"];
  readonly type: string;
  readonly status: Schemas["MessageStatus"];
  readonly reason: string | null;
  readonly to: string;
  /** Of an email; null for others. */
  readonly subject: string | null;
  readonly content: string;
  /** Time of its acceptance, in epoch milliseconds. */
  readonly createdAt: number;
  /** Its label, in development; null for others. */
  readonly project: string | null;
}

/** Returns whether the search finds the message. */
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

/** All of a message's text that can be looked for. */
export function textOf({ subject, content }: Pick<SearchedMessage, "subject" | "content">): string {
  return subject === null ? content : `${subject} ${content}`;
}

const wordsRead = new WeakMap<SearchedMessage, readonly string[]>();

/** The words of a message, which many searches may be compared with. */
function readWords(message: SearchedMessage): readonly string[] {
  const words = wordsRead.get(message) ?? wordsOf(textOf(message));
  wordsRead.set(message, words);
  return words;
}

function hasWords(words: readonly string[], wanted: readonly string[]): boolean {
  return words.some((_word, start) => wanted.every((word, index) => words[start + index] === word));
}

/** The words of a text in a search: letters and digits, in lower case. */
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
  /** Undefined for a term without one. */
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

/** The longest beginning of a text that is one phone number with blanks in it; undefined without one. */
function readSpacedNumber(text: string, { timezone }: SearchSurroundings): string | undefined {
  const [run = ""] = /^\+?[\d\s().\-/\u00a0\u2010-\u2015]+(?=\s|$)/.exec(text) ?? [];
  const words = run.trim().match(/\s*\S+/g) ?? [];
  for (let length = words.length; length > 1; length -= 1) {
    const written = words.slice(0, length).join("");
    if (readWrittenNumber(written, timezone) !== undefined) return written;
  }
  // the beginning of a number with its country, as far as it is known
  const isBeginning =
    run.startsWith("+") && words.length > 1 && words.every((word) => word.trim().length <= LONGEST_GROUP);
  return isBeginning && run.replace(/\D/g, "").length <= LONGEST_NUMBER ? run.trim() : undefined;
}

/** The most digits of a number, and of the groups of it without a blank. */
const LONGEST_NUMBER = 15;
const LONGEST_GROUP = 6;

function isOfRecipient(name: string): boolean {
  return name === "to" || name === "tel";
}

type Read = SearchCondition | { readonly from: number } | { readonly until: number } | { readonly detail: string };

function readTerm(term: Term, surroundings: SearchSurroundings): Read {
  const { isNot, name, value, quotes } = term;
  if (quotes === "unclosed") return { detail: "expected a quotation mark at the end too" };
  if (name === undefined) return readNameless(term, surroundings);
  if (value === "") return { detail: `expected a value after ${name}:` };
  if (isListed(name)) return readListed(name, term);
  if (isOfRecipient(name)) return readNumber(term, surroundings) ?? { about: "to", isNot, value: value.toLowerCase() };
  if (name === "id") return { about: "id", isNot, value };
  if (name === "merchant") return readMerchant(term);
  if (name === "project") return readProject(term);
  if (name !== "after" && name !== "before") {
    const detail = `expected ${names.join(":, ")}: or a text, received ${showText(name, SHOWN)}:; in quotation marks it is a text`;
    return { detail };
  }
  if (isNot) return { detail: `expected ${name === "after" ? "before" : "after"}: in place of -${name}:` };
  const at = readTime(value, surroundings);
  if (at === undefined) return { detail: `${TIMES}, received ${showText(value, SHOWN)}` };
  return name === "after" ? { from: at } : { until: at };
}

const names = [...Object.keys(searchedValues), "merchant", "project", "to", "id", "after", "before"];
const TIMES =
  "expected a day such as 2026-11-01, a time such as 2026-11-01T09:30:00Z, or how long ago, such as 90m or 7d";
/** Longest quotation of a term that is not understood, in UTF-16 units. */
const SHOWN = 40;

/** Reads a term without a name: an id, an address or a number is searched as such. */
function readNameless(term: Term, surroundings: SearchSurroundings): Read {
  const { isNot, value, quotes } = term;
  if (quotes === "none") {
    if (/^msg_\w+$/.test(value)) return { about: "id", isNot, value };
    if (/^[^@]+@[^@]+\.[^@]+$/.test(value)) return { about: "to", isNot, value: value.toLowerCase() };
    const number = readNumber(term, surroundings);
    if (number !== undefined) return number;
  }
  const words = wordsOf(value);
  if (words.length === 0) return { detail: "expected a letter or a digit to look for" };
  return { about: "text", isNot, words };
}

/** A phone number in any notation, or the beginning of one with its country; undefined for other texts. */
function readNumber({ isNot, value }: Term, { timezone }: SearchSurroundings): Read | undefined {
  if (isDayText(value)) return undefined;
  const number = readWrittenNumber(value, timezone);
  if (number?.isGuess === true) {
    const shown = showText(value, SHOWN);
    return {
      detail: `did you mean ${number.e164}? Which country ${shown} is of is not known; in quotation marks it is a text`,
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

/** A day that there is, of a year from 1970 on. */
function isDay(day: string): boolean {
  const at = Date.parse(`${day}T00:00:00Z`);
  return at >= 0 && new Date(at).toISOString().startsWith(day);
}

/**
 * The conditions for an audit, without texts and with contacts masked, such as `to:+1202•••00`, `-type:OTP`, `text:(2 words)`
 * and `after:2026-11-01T00:00:00.000Z`.
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

/** An id such as `msg_…` or 12; a number, an address or a name that was pasted instead is masked. */
export function maskId(text: string): string {
  return /^(?:[a-z]+_(?=\w*\d)(?!\d{7,}$)\w+|\d{1,9})$/.test(text) ? text : maskContact(text);
}

/** A merchant's id, or another name that a tenant gave; a phone number that was pasted instead is masked. */
export function maskName(text: string): string {
  return /^(?:\D?\d){7,}$/.test(text) ? maskContact(text) : text;
}
