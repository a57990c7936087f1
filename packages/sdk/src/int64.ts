/**
 * JSON whose whole numbers stay exact. A double is exact for whole numbers up to 2^53 - 1; the contract's int64 extends
 * to 2^63 - 1, and JSON.parse silently rounds the numbers between.
 */

/** A whole number of a JSON text that a double cannot hold. */
export interface UnsafeInteger {
  /** Its position, as a JSON Pointer (RFC 6901). */
  pointer: string;
  /** Its digits as written. */
  digits: string;
}

/** The value of a JSON text, and the first integer in it that is a bigint. */
export interface ExactJson {
  value: unknown;
  unsafe?: UnsafeInteger | undefined;
}

/**
 * Like `JSON.parse`, but a whole number (written without fraction and exponent) that a double cannot hold is a `bigint`.
 *
 * @throws {SyntaxError} As `JSON.parse` does; its message may quote the text.
 */
export function parseJson(text: string): unknown {
  return readJson(text).value;
}

/** Like `parseJson`, and also reports the first bigint. */
export function readJson(text: string): ExactJson {
  const value: unknown = JSON.parse(text);
  return LONG_INTEGER.test(text) ? readExactly(text) : { value };
}

/**
 * Like `JSON.stringify`, but a `bigint` is written as bare digits.
 *
 * @throws {TypeError} For a value that JSON cannot represent, such as one that contains itself.
 */
export function stringifyJson(value: unknown): string {
  // If an application has given bigints a `toJSON`, JSON.stringify would silently write quoted digits.
  if (!("toJSON" in BigInt.prototype)) {
    try {
      return JSON.stringify(value);
    } catch {
      // The value contains a bigint, or cannot be written and fails below as well.
    }
  }
  return stringifyExactly(value);
}

/**
 * 2^53 has 16 digits. May also match digits in a string, which only costs time. Each digit is written out, as V8 then skips
 * most of a text; with `\d{16}` it reads all of it, in five times the time.
 */
const LONG_INTEGER = /(?:^|[-,:[\s])\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d\d/;

/**
 * Reads a text that `JSON.parse` has accepted. Turns each unsafe integer into a string with a random mark before it, parses
 * the text again, and replaces these strings by bigints, without recursion: deep nesting could exhaust the stack.
 */
function readExactly(text: string): ExactJson {
  const mark = newMark();
  let isInText = false;
  const marked = text.replace(/\\.|"|-?\d[-+.\deE]*/g, (token) => {
    if (token === '"') isInText = !isInText;
    const isExact = isInText || !/^-?\d+$/.test(token) || Number.isSafeInteger(Number(token));
    return isExact ? token : `"${mark}${token}"`;
  });
  let unsafe: UnsafeInteger | undefined;
  const root = { "": JSON.parse(marked) as unknown };
  const holders: [holder: Record<string, unknown>, path: string][] = [[root, ""]];
  // The map grows during the loop.
  for (const [holder, above] of holders) {
    for (const [key, value] of Object.entries(holder)) {
      const path = `${above}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      if (typeof value === "object" && value) holders.push([value as Record<string, unknown>, path]);
      else if (typeof value === "string" && value.startsWith(mark)) {
        const digits = value.slice(mark.length);
        // This also works for a property `__proto__`, which JSON.parse creates as an own property.
        holder[key] = BigInt(digits);
        // Drop the slash of the root's own key.
        unsafe ??= { pointer: path.slice(1), digits };
      }
    }
  }
  return { value: root[""], unsafe };
}

/** A random mark that no existing text contains. */
function newMark(): string {
  return globalThis.crypto.randomUUID();
}

/** Writes each bigint as a string that begins with a mark, then removes the quotes and the mark. */
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
