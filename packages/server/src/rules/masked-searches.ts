// A search for people to read later, without whom and what was looked for: of a text only how many words, of a contact what
// its owner would know it by.

import { maskContact } from "./masked-contacts.ts";
import type { Search, SearchCondition } from "./search-language.ts";

/** The conditions, such as `to:+1202•••00`, `-type:OTP`, `text:(2 words)` and `after:2026-11-01T00:00:00.000Z`. */
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

/** An id such as `msg_…` or 12; a number, an address or a name that was pasted in its place is masked. */
export function maskId(text: string): string {
  return /^(?:[a-z]+_(?=\w*\d)(?!\d{7,}$)\w+|\d{1,9})$/.test(text) ? text : maskContact(text);
}

/** A merchant's id, or another name that a tenant gave; a phone number that was pasted in its place is masked. */
export function maskName(text: string): string {
  return /^(?:\D?\d){7,}$/.test(text) ? maskContact(text) : text;
}
