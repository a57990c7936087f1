/**
 * JSON whose whole numbers stay what they are. A double is exact for whole numbers up to 2^53 - 1; the contract's int64
 * goes on to 2^63 - 1, and JSON.parse rounds what lies between without a word.
 */

const BACKSLASH = 0x5c;
/** 2^53 has 16 digits: a whole number of fewer is exact. */
const UNSAFE_DIGITS = 16;

/**
 * As `JSON.parse`, but a whole number (written without fraction and exponent) that a double cannot hold is a `bigint`.
 *
 * @throws {SyntaxError} As `JSON.parse` does; its message may quote the text.
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  return hasLongInteger(text) ? parseExactly(text) : value;
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
 * Reads what `JSON.parse` has accepted, so that nothing is left to check. No number passes through a text or a mark that
 * the other side could write too, and there is no recursion that deep nesting could exhaust.
 */
function parseExactly(text: string): unknown {
  const root: unknown[] = [];
  const parents: object[] = [];
  let parent: object = root;
  let key: string | undefined;
  const put = (value: unknown) => {
    if (Array.isArray(parent)) parent.push(value);
    else setOwn(parent, key as string, value);
    key = undefined;
  };
  for (let at = 0; at < text.length; ) {
    const start = at;
    const character = text.charAt(at);
    at += 1;
    if (character === '"') {
      at = endOfText(text, at);
      const string = JSON.parse(text.slice(start, at)) as string;
      if (key === undefined && !Array.isArray(parent)) key = string;
      else put(string);
    } else if (character === "{" || character === "[") {
      const child = character === "{" ? {} : [];
      put(child);
      parents.push(parent);
      parent = child;
    } else if (character === "}" || character === "]") {
      parent = parents.pop() as object;
    } else if (character === "-" || isDigit(character.charCodeAt(0))) {
      while (isInNumber(text.charCodeAt(at))) at += 1;
      put(exactNumber(text.slice(start, at)));
    } else if (character === "t" || character === "f" || character === "n") {
      put(character === "n" ? null : character === "t");
      at += character === "f" ? 4 : 3;
    }
  }
  return root[0];
}

/** Where the text that began before `at` ends: behind a quote that no odd count of backslashes precedes. */
function endOfText(text: string, at: number): number {
  for (let quote = text.indexOf('"', at); ; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
}

/** An assignment to `__proto__` would set the prototype instead. */
function setOwn(owner: object, key: string, value: unknown): void {
  if (key !== "__proto__") Reflect.set(owner, key, value);
  else Object.defineProperty(owner, key, { value, writable: true, enumerable: true, configurable: true });
}

function exactNumber(token: string): number | bigint {
  const value = Number(token);
  return Number.isSafeInteger(value) || /[.e]/i.test(token) ? value : BigInt(token);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isInNumber(code: number): boolean {
  return isDigit(code) || code === 0x2b || code === 0x2d || code === 0x2e || code === 0x45 || code === 0x65;
}

/**
 * Writes each bigint as a text that begins with a mark, and then takes the quotes and the mark away. Each bigint brings
 * the mark into the output once, so that a count no higher than theirs proves that nothing else brought it; otherwise a
 * longer mark is tried.
 */
function stringifyExactly(value: unknown): string {
  for (let mark = "int64:"; ; mark += mark) {
    let bigints = 0;
    const text = JSON.stringify(value, function (this: Record<string, unknown>, key: string, seen: unknown) {
      const held = this[key];
      const exact = typeof held === "bigint" ? held : seen;
      if (typeof exact !== "bigint") return seen;
      bigints += 1;
      return mark + exact;
    });
    if (bigints === 0) return text;
    const parts = text.split(`"${mark}`);
    if (parts.length - 1 === bigints)
      return parts.map((part, index) => (index ? part.replace('"', "") : part)).join("");
  }
}
