// What a body's text shows that its value does not, or only at a cost: how many values it holds, and numbers that
// JSON.parse rounds to integers.

/**
 * The contract's integers are direct members of the body. Numbers further down are refused with what contains them, and
 * are not tracked: there may be many, under long names.
 */
const DEEPEST_INTEGER = 1;

interface Frame {
  readonly isList: boolean;
  /** Members or items so far, less one. */
  count: number;
  /** The current member's name, as written. */
  name: string;
}

export interface ValueCounts {
  /** Lists and their items. */
  readonly items: number;
  /** Objects and their members. */
  readonly members: number;
}

/** For texts that are limited in another way. */
export const anyNumber: ValueCounts = { items: Number.POSITIVE_INFINITY, members: Number.POSITIVE_INFINITY };

/** Scans JSON, valid or not, piece by piece, until it has more values than `most`. */
export class JsonOutline {
  readonly #most: ValueCounts;
  readonly #lostFractions = new Map<string, string>();
  readonly #frames: Frame[] = [];
  #frame: Frame | undefined;
  #items = 0;
  #members = 0;
  #crowded: string | undefined;
  #isNameNext = false;
  /** Whether the scan is inside a string, whether that is a name, and whether its next character is escaped. */
  #isInText = false;
  #isInName = false;
  #isEscaped = false;
  /** The part so far of a number that may continue. */
  #number = "";

  constructor(most: ValueCounts) {
    this.#most = most;
  }

  /** When there are too many values, the JSON Pointer to where most of them are; nothing after that is read. */
  get crowded(): string | undefined {
    return this.#crowded;
  }

  /**
   * By JSON Pointer, numbers as written whose fraction is lost in a double, such as 9007199254740991.4, where the
   * contract may have an integer.
   */
  get lostFractions(): ReadonlyMap<string, string> {
    return this.#lostFractions;
  }

  read(text: string): void {
    if (this.#crowded !== undefined || text === "") return;
    if (this.#number !== "" && !isInNumber(text.charCodeAt(0))) this.#endNumber();
    let at = this.#isInText ? this.#readText(text, 0) : 0;
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code <= SPACE) continue;
      if (isInNumber(code)) at = this.#readNumber(text, at) - 1;
      else if (code === QUOTE) at = this.#beginText(text, at) - 1;
      else if (code === OPEN_BRACE || code === OPEN_BRACKET) this.#open(code === OPEN_BRACKET);
      else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) this.#close();
      else if (code === COMMA) this.#goOn();
      if (this.#items <= this.#most.items && this.#members <= this.#most.members) continue;
      this.#crowded = pointerToMost(this.#frames);
      return;
    }
  }

  /** Called after the last piece. */
  end(): void {
    if (this.#number !== "") this.#endNumber();
  }

  #open(isList: boolean): void {
    this.#frame = { isList, count: 0, name: "" };
    this.#frames.push(this.#frame);
    this.#count(isList);
  }

  #close(): void {
    this.#frames.pop();
    this.#frame = this.#frames.at(-1);
    this.#isNameNext = false;
  }

  #goOn(): void {
    if (this.#frame === undefined) return;
    this.#frame.count += 1;
    this.#count(this.#frame.isList);
  }

  #count(isInList: boolean): void {
    this.#isNameNext = !isInList;
    if (isInList) this.#items += 1;
    else this.#members += 1;
  }

  /** Returns the end of the string that begins here, or of the piece. */
  #beginText(text: string, quote: number): number {
    this.#isInName = this.#isNameNext;
    if (this.#isInName && this.#frame !== undefined) this.#frame.name = '"';
    this.#isNameNext = false;
    this.#isInText = true;
    return this.#readText(text, quote + 1);
  }

  #readText(text: string, from: number): number {
    const isEscaped = this.#isEscaped;
    const end = endOfText(text, from, isEscaped);
    this.#isInText = end === undefined;
    this.#isEscaped = this.#isInText && isEscapedAt(text, text.length, from, isEscaped);
    if (this.#isInName && this.#frame !== undefined) this.#frame.name += text.slice(from, end);
    return end ?? text.length;
  }

  #readNumber(text: string, start: number): number {
    let end = start + 1;
    while (end < text.length && isInNumber(text.charCodeAt(end))) end += 1;
    if (this.#frames.length <= DEEPEST_INTEGER) {
      this.#number += text.slice(start, end);
      if (end < text.length) this.#endNumber();
    }
    return end;
  }

  #endNumber(): void {
    const written = this.#number;
    this.#number = "";
    if (written.length < SHORTEST_LOSS) return;
    if (losesFraction(written)) this.#lostFractions.set(pointerTo(this.#frames), written);
  }
}

/** Scans a complete text. */
export function outlineJson(text: string, most = anyNumber): JsonOutline {
  const outline = new JsonOutline(most);
  outline.read(text);
  outline.end();
  return outline;
}

/**
 * Returns whether the text may have a number whose fraction is lost in a double: one with 17 digits, as a double holds
 * 16, or with too small an exponent. May be true because of other content, such as a name.
 */
export function mayLoseFraction(text: string): boolean {
  // a run of that many digits covers at least one of these positions
  for (let at = LOSING_DIGITS - 1; at < text.length; at += LOSING_DIGITS) {
    if (isDigitOrPoint(text.charCodeAt(at)) && isInManyDigits(text, at)) return true;
  }
  return (text.includes("e-") || text.includes("E-")) && SMALL_EXPONENT.test(text);
}

function isInManyDigits(text: string, at: number): boolean {
  let start = at;
  while (isDigitOrPoint(text.charCodeAt(start - 1))) start -= 1;
  let end = at + 1;
  while (isDigitOrPoint(text.charCodeAt(end))) end += 1;
  return end - start >= LOSING_DIGITS;
}

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;

const LOSING_DIGITS = 17;
/** A double's smallest is 5e-324; the digits before the exponent make up for at most 16 of that. */
const SMALL_EXPONENT = /[\d.][eE]-0*\d{3}/;
/** The length of `1e-400`. */
const SHORTEST_LOSS = 6;

/** Returns whether the number has a fraction as written, but is an integer as a double. */
function losesFraction(token: string): boolean {
  if (!Number.isInteger(Number(token))) return false;
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? [];
  const digits = whole + fraction;
  let last = digits.length;
  while (last > 0 && digits.charCodeAt(last - 1) === 0x30) last -= 1;
  return last > 0 && last > whole.length + Number(exponent);
}

/** Returns where a string continued at `from` ends: after the first unescaped quote. Undefined if it continues. */
function endOfText(text: string, from: number, isEscaped: boolean): number | undefined {
  for (let quote = text.indexOf('"', from); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    if (!isEscapedAt(text, quote, from, isEscaped)) return quote + 1;
  }
  return undefined;
}

/** Returns whether backslashes escape the character at `at`; `isFirstEscaped` tells so of the one at `from`. */
function isEscapedAt(text: string, at: number, from: number, isFirstEscaped: boolean): boolean {
  let start = at;
  while (start > from && text.charCodeAt(start - 1) === BACKSLASH) start -= 1;
  const isOdd = (at - start) % 2 === 1;
  return start === from ? isOdd !== isFirstEscaped : isOdd;
}

function pointerToMost(frames: readonly Frame[]): string {
  const most = frames.reduce((best, { count }, index) => (count > (frames[best]?.count ?? 0) ? index : best), 0);
  return pointerTo(frames.slice(0, most));
}

/** RFC 6901. */
function pointerTo(frames: readonly Frame[]): string {
  return frames.map(({ isList, count, name }) => `/${isList ? count : escapePointer(readName(name))}`).join("");
}

function readName(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written;
  }
}

/** RFC 6901, section 3. */
export function escapePointer(name: string): string {
  return name.includes("~") || name.includes("/") ? name.replaceAll("~", "~0").replaceAll("/", "~1") : name;
}

function isInNumber(code: number): boolean {
  // digits, + - . and e, E
  return (code >= 0x30 && code <= 0x39) || code === 0x2b || code === 0x2d || code === 0x2e || (code | 0x20) === 0x65;
}

function isDigitOrPoint(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}
