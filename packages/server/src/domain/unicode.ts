// Texts in Unicode. A lone half of a surrogate pair is no character: UTF-8 cannot encode it, and encoders replace it
// with U+FFFD.

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;
/** Characters that the contract takes in no text, and in no name, identifier or label. */
const forbidden = { text: /[\p{Surrogate}\0]/u, name: /[\p{Surrogate}\p{Control}]/u };
const allowed = {
  text: "no U+0000 and no half of a surrogate pair",
  name: "no control character and no half of a surrogate pair",
};

/** The first lone surrogate, escaped as in JSON, such as `\ud800`; undefined for a well-formed text. */
export function findLoneSurrogate(text: string): string | undefined {
  const [found] = LONE_SURROGATE.exec(text) ?? [];
  return found === undefined ? undefined : escapeUnit(found);
}

/**
 * The first forbidden character of a text or name, as a fault with the expected and received characters; undefined if
 * none.
 */
export function findForbidden(text: string, kind: "text" | "name"): string | undefined {
  const index = text.search(forbidden[kind]);
  if (index < 0) return undefined;
  const { name, position } = characterAt(text, index);
  return `expected ${allowed[kind]}, received ${name} as character ${position}`;
}

/** The name of the UTF-16 unit at `index`, such as U+000A, and its position among the text's characters, from 1. */
export function characterAt(text: string, index: number): { name: string; position: number } {
  const name = `U+${text.charCodeAt(index).toString(16).toUpperCase().padStart(4, "0")}`;
  return { name, position: countCharacters(text.slice(0, index)) + 1 };
}

/** The text with every lone surrogate as JSON escapes it, and after `limit` UTF-16 units an ellipsis. */
export function showText(text: string, limit: number): string {
  const shown = text.length > limit ? `${text.slice(0, endBefore(text, limit))}…` : text;
  return shown.replaceAll(LONE_SURROGATES, escapeUnit);
}

/** Characters as JSON Schema counts them: code points. */
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

/** No pair is cut in two. */
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
 * One text for each JSON value, for hashing: the members of every object in code-unit order, and before each text and
 * list its length, so that nothing needs an escape. It is faster than
 * sorted JSON.
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
