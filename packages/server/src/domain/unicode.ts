// Checks and formats Unicode texts. A lone surrogate is not a character: UTF-8 cannot encode it, and encoders replace it
// with U+FFFD.

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** Characters that the contract forbids in texts, and in names, identifiers and labels. */
const forbidden = { text: /[\p{Surrogate}\0]/u, name: /[\p{Surrogate}\p{Control}]/u };
const allowed = {
  text: "no U+0000 and no half of a surrogate pair",
  name: "no control character and no half of a surrogate pair",
};

/** The first lone surrogate, escaped as in JSON, such as `\ud800`; undefined if the text is well-formed. */
export function findLoneSurrogate(text: string): string | undefined {
  const [found] = LONE_SURROGATE.exec(text) ?? [];
  return found === undefined ? undefined : escapeUnit(found);
}

/**
 * Describes the first forbidden character of a text or name, as a fault with expected and received characters. Undefined
 * if there is none.
 */
export function findForbidden(text: string, kind: "text" | "name"): string | undefined {
  const index = text.search(forbidden[kind]);
  if (index < 0) return undefined;
  const { name, position } = characterAt(text, index);
  return `expected ${allowed[kind]}, received ${name} as character ${position}`;
}

/** The name of the UTF-16 unit at `index`, such as U+000A, and its position in characters, from 1. */
export function characterAt(text: string, index: number): { name: string; position: number } {
  const name = `U+${text.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0")}`;
  return { name, position: countCharacters(text.slice(0, index)) + 1 };
}

/** The text with lone surrogates escaped as in JSON, cut after `limit` UTF-16 units with an ellipsis. */
export function showText(text: string, limit: number): string {
  const shown = text.length > limit ? `${text.slice(0, endBefore(text, limit))}…` : text;
  return shown.replaceAll(LONE_SURROGATES, escapeUnit);
}

/** Counts characters like JSON Schema: in code points. */
export function countCharacters(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at++) {
    if (isLow(text.charCodeAt(at)) && isHigh(text.charCodeAt(at - 1))) {
      count -= 1;
      at += 1;
    }
  }
  return count;
}

/** The end of the first `limit` units, without splitting a surrogate pair. */
function endBefore(text: string, limit: number): number {
  return isHigh(text.charCodeAt(limit - 1)) ? limit - 1 : limit;
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16)}`;
}

/**
 * A unique text for each JSON value, for hashing. Members of objects are sorted by code units; texts, lists and objects
 * are preceded by their lengths, so that nothing needs escaping. Faster than sorted JSON.
 */
export function canonicalText(value: unknown): string {
  if (typeof value === "string") return measured(value);
  if (Array.isArray(value)) return value.reduce((text, item) => text + canonicalText(item), `[${value.length}:`);
  if (typeof value !== "object" || value === null) return `=${value};`;
  const names = Object.keys(value).sort();
  let text = `{${names.length}:`;
  for (const name of names) text += measured(name) + canonicalText((value as Record<string, unknown>)[name]);
  return text;
}

function measured(text: string): string {
  return `${text.length}:${text}`;
}
