/**
 * JSON whose whole numbers stay what they are. A double is exact for whole numbers up to 2^53 - 1; the contract's int64
 * goes on to 2^63 - 1, and JSON.parse rounds what lies between without a word.
 */

const BACKSLASH = 0x5c;
/** 2^53 has 16 digits: a whole number of fewer is exact. */
const UNSAFE_DIGITS = 16;

/** A whole number of a JSON text that a double cannot hold. */
export interface UnsafeInteger {
  /** Where it stands, as JSON Pointer (RFC 6901) has it. */
  pointer: string;
  /** As it is written. */
  digits: string;
}

/** What a JSON text holds, and the first integer in it that is a bigint. */
export interface ExactJson {
  value: unknown;
  unsafe: UnsafeInteger | undefined;
}

/**
 * As `JSON.parse`, but a whole number (written without fraction and exponent) that a double cannot hold is a `bigint`.
 *
 * @throws {SyntaxError} As `JSON.parse` does; its message may quote the text.
 */
export function parseJson(text: string): unknown {
  return readJson(text).value;
}

/** As `parseJson`, and tells whether there is a bigint. */
export function readJson(text: string): ExactJson {
  const value: unknown = JSON.parse(text);
  return hasLongInteger(text) ? readExactly(text) : { value, unsafe: undefined };
}

/**
 * As `JSON.stringify`, but a `bigint` is written as bare digits.
 *
 * @throws {TypeError} For what JSON cannot write, such as a value that holds itself.
 */
export function stringifyJson(value: unknown): string {
  // An application may have given bigints a `toJSON`, and would get quoted digits with no error that told of it.
  if (!("toJSON" in BigInt.prototype)) {
    try {
      return JSON.stringify(value);
    } catch {
      // A bigint, or what fails below as well.
    }
  }
  return stringifyExactly(value);
}

/**
 * Whether 16 digits in a row stand where a number can begin. Such a run covers each 16th character, so the others are
 * looked at only next to a digit. May be true for digits in a text, and then costs time, no more.
 */
function hasLongInteger(text: string): boolean {
  for (let at = UNSAFE_DIGITS - 1; at < text.length; at += UNSAFE_DIGITS) {
    if (!isDigit(text.charCodeAt(at))) continue;
    let start = at;
    while (isDigit(text.charCodeAt(start - 1))) start -= 1;
    while (isDigit(text.charCodeAt(at))) at += 1;
    // Before the first character `charAt` gives "", which every text includes.
    if (at - start >= UNSAFE_DIGITS && "-,:[ \n\r\t".includes(text.charAt(start - 1))) return true;
  }
  return false;
}

/**
 * Reads what `JSON.parse` has accepted. Each unsafe integer passes through it as a text, behind a mark that was drawn after
 * the other side had written, and is then put in its place without a recursion that deep nesting could exhaust.
 */
function readExactly(text: string): ExactJson {
  const mark = newMark();
  const token = /"|-?\d[-+.\deE]*/g;
  let marked = "";
  let from = 0;
  for (let found = token.exec(text); found; found = token.exec(text)) {
    const [digits] = found;
    if (digits === '"') token.lastIndex = endOfText(text, token.lastIndex);
    else if (/^-?\d+$/.test(digits) && !Number.isSafeInteger(Number(digits))) {
      marked += `${text.slice(from, found.index)}"${mark}${digits}"`;
      from = token.lastIndex;
    }
  }
  let unsafe: UnsafeInteger | undefined;
  const root = { "": JSON.parse(marked + text.slice(from)) as unknown };
  const holders: [holder: Record<string, unknown>, pointer: string][] = [[root, ""]];
  // It grows as it is gone through.
  for (const [holder, above] of holders) {
    for (const key of Object.keys(holder)) {
      const value = holder[key];
      const pointer = holder === root ? "" : `${above}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (typeof value === "object" && value) holders.push([value as Record<string, unknown>, pointer]);
      else if (typeof value === "string" && value.startsWith(mark)) {
        const digits = value.slice(mark.length);
        // An own `__proto__`, as JSON.parse makes it, is written like any other.
        holder[key] = BigInt(digits);
        unsafe ??= { pointer, digits };
      }
    }
  }
  return { value: root[""], unsafe };
}

/** Stands in no text that was written before. */
function newMark(): string {
  return globalThis.crypto.randomUUID();
}

/** Where the text that began before `at` ends: behind a quote that no odd count of backslashes precedes. */
function endOfText(text: string, at: number): number {
  for (let quote = text.indexOf('"', at); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

/** Writes each bigint as a text that begins with a mark, and then takes the quotes and the mark away. */
function stringifyExactly(value: unknown): string {
  const mark = newMark();
  const text: string | undefined = JSON.stringify(
    value,
    function (this: Record<string, unknown>, key: string, seen: unknown) {
      const held = this[key];
      const exact = typeof held === "bigint" ? held : seen;
      return typeof exact === "bigint" ? mark + exact : seen;
    },
  );
  return text?.replace(new RegExp(`"${mark}(-?\\d+)"`, "g"), "$1");
}
