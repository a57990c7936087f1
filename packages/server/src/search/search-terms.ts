// Converts messages and searches to terms of the index. A term begins with its scope, a tenant or one of its merchants, so
// that a search reads only the entries of that scope.

import {
  type Search,
  type SearchCondition,
  type SearchedMessage,
  searchedValues,
  textOf,
  wordsOf,
} from "../domain/recipients/search-language.ts";

/** Limits a search to the messages of a tenant or of one of its merchants. */
export interface SearchScope {
  readonly tenantId: number;
  readonly merchantId: string | undefined;
}

/** Returns whether the message is in the scope. */
export function isIn(
  { tenantId, merchantId }: SearchScope,
  message: { readonly tenantId: number; readonly merchantId: string },
): boolean {
  return message.tenantId === tenantId && (merchantId === undefined || message.merchantId === merchantId);
}

/** A message in the index: its terms, and the words of its text, each separated by spaces. */
export interface SearchDocument {
  readonly terms: string;
  readonly words: string;
}

/** Lengths of indexed address prefixes (exchange, area, country), in descending order. */
const PREFIXES = [8, 5, 3];
/** Maximum number of words of a text that are indexed. */
const MOST_WORDS = 400;

/** Term of a message whose state may still change. A search by state always includes these, to check them. */
const OPEN = "open";

/** Converts a tenant's message to a document of the index. */
export function toDocument(
  tenantId: number,
  message: SearchedMessage & { readonly mayChange: boolean },
): SearchDocument {
  const { merchantId, channel, type, status, reason, project } = message;
  const to = message.to.toLowerCase();
  const facets = [`channel:${channel}`, `type:${type}`, `status:${status}`];
  if (message.mayChange) facets.push(OPEN);
  if (reason !== null) facets.push(`reason:${reason}`);
  if (project !== null) facets.push(`project:${project}`);
  const scopes = [scopeTerm({ tenantId, merchantId: undefined }), scopeTerm({ tenantId, merchantId })];
  const terms = scopes.flatMap((scope) => [scope, ...facets.map((facet) => `${scope}/${facet}`)]);
  terms.push(`${scopes[0]}/to:${to}`);
  for (const length of PREFIXES) if (to.length >= length) terms.push(`${scopes[0]}/to:${to.slice(0, length)}*`);
  return { terms: terms.join(" "), words: wordsOf(textOf(message)).slice(0, MOST_WORDS).join(" ") };
}

/**
 * Converts a search to an FTS5 expression; undefined if it cannot match anything. The expression may match more messages
 * than the search, for example by an address prefix, so `isFound` must check each.
 */
export function toMatch(scope: SearchScope, { conditions }: Search): string | undefined {
  const merchantIds = new Set(conditions.filter(isOfMerchant).map(({ value }) => value));
  if (scope.merchantId !== undefined) merchantIds.add(scope.merchantId);
  if (merchantIds.size > 1) return undefined;
  const [merchantId] = merchantIds;
  const term = scopeTerm({ tenantId: scope.tenantId, merchantId });
  // the terms in `scoped` have the scope as a prefix; words have no prefix, and addresses have the tenant as a prefix
  const scoped: string[] = [];
  const others: string[] = [];
  const unwanted: string[] = [];
  const open = ofTerms(`${term}/${OPEN}`);
  for (const about of ["channel", "type", "status"] as const) {
    const values = listLeft(about, conditions);
    if (values.length === 0) return undefined;
    if (values.length < searchedValues[about].length) {
      const wanted = values.map((value) => ofTerms(`${term}/${about}:${value}`));
      scoped.push(`(${[...wanted, ...(about === "status" ? [open] : [])].join(" OR ")})`);
    }
  }
  for (const { isNot, ...condition } of conditions) {
    if (condition.about === "reason") {
      const reason = ofTerms(`${term}/reason:${condition.value}`);
      if (isNot) unwanted.push(`(${reason} NOT ${open})`);
      else scoped.push(`(${reason} OR ${open})`);
    } else if (condition.about === "project") {
      (isNot ? unwanted : scoped).push(ofTerms(`${term}/project:${condition.value}`));
    } else if (condition.about === "text") (isNot ? unwanted : others).push(ofWords(condition.words));
    else if (condition.about === "to" && !isNot) others.push(...ofAddress(scope.tenantId, condition.value));
    else if (condition.about === "merchant" && isNot) {
      unwanted.push(ofTerms(scopeTerm({ ...scope, merchantId: condition.value })));
    }
  }
  const all = [...(scoped.length === 0 ? [ofTerms(term)] : scoped), ...others].join(" AND ");
  return unwanted.length === 0 ? all : `(${all}) NOT (${unwanted.join(" OR ")})`;
}

function isOfMerchant(condition: SearchCondition): condition is Extract<SearchCondition, { about: "merchant" }> {
  return condition.about === "merchant" && !condition.isNot;
}

/** Lists the values that the conditions allow. */
export function listLeft(about: "channel" | "type" | "status", conditions: readonly SearchCondition[]): string[] {
  const values: readonly string[] = searchedValues[about];
  const own = conditions.flatMap((condition) => (condition.about === about ? condition : []));
  return values.filter((value) => own.every((condition) => (condition.value === value) !== condition.isNot));
}

/** Lists the terms of an address; none if it is shorter than every prefix. */
function ofAddress(tenantId: number, value: string): string[] {
  const scope = scopeTerm({ tenantId, merchantId: undefined });
  const [longest = 0] = PREFIXES;
  if (value.length > longest) return [`${ofTerms(`${scope}/to:${value}`)} *`];
  const length = PREFIXES.find((prefix) => prefix <= value.length);
  return length === undefined ? [] : [ofTerms(`${scope}/to:${value.slice(0, length)}*`)];
}

function ofWords(words: readonly string[]): string {
  return `words : ${quote(words.join(" "))}`;
}

/** Returns the term of a scope. The `/` after the tenant's number is unambiguous, as no merchant id contains one. */
function scopeTerm({ tenantId, merchantId }: SearchScope): string {
  return merchantId === undefined ? `t${tenantId}` : `t${tenantId}/${merchantId}`;
}

function ofTerms(term: string): string {
  return `terms : ${quote(term)}`;
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
