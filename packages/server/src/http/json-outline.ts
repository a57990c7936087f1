// What the text of a body tells that its value does not, or only at a price: how much is in it, and numbers that
// JSON.parse rounds to whole ones.

/**
 * The contract's integers are members of the body itself. Whatever is further down is refused for what it lies in, and is
 * not looked at: many numbers may share names there, of any length.
 */
const DEEPEST_INTEGER = 1;

export interface JsonOutline {
  /** Where most of the values are, as a JSON Pointer, when there are more than were asked for; nothing after is read. */
  readonly crowded: string | undefined;
  /**
   * By JSON Pointer, numbers with a fraction that a double loses, such as 9007199254740991.4, as they are written: those
   * that stand where the contract may have an integer.
   */
  readonly lostFractions: ReadonlyMap<string, string>;
}

interface Frame {
  readonly isList: boolean;
  /** Members or items so far, less one. */
  count: number;
  /** The present member's name, as it is written. */
  name: string;
}

/** Reads JSON, or what is meant to be JSON, up to `mostValues` objects, lists, members and items. */
export function outlineJson(text: string, mostValues: number): JsonOutline {
  const lostFractions = new Map<string, string>();
  const frames: Frame[] = [];
  let frame: Frame | undefined;
  let isName = false;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case QUOTE: {
        const end = endOfText(text, at + 1);
        if (isName && frame !== undefined) frame.name = text.slice(at, end);
        isName = false;
        at = end - 1;
        break;
      }
      case OPEN_BRACE:
      case OPEN_BRACKET:
        isName = text.charCodeAt(at) === OPEN_BRACE;
        frame = { isList: !isName, count: 0, name: "" };
        frames.push(frame);
        values += 1;
        break;
      case CLOSE_BRACE:
      case CLOSE_BRACKET:
        frames.pop();
        frame = frames.at(-1);
        isName = false;
        break;
      case COMMA:
        if (frame === undefined) break;
        frame.count += 1;
        isName = !frame.isList;
        values += 1;
        break;
      default:
        if (isInNumber(text.charCodeAt(at))) {
          const start = at;
          while (isInNumber(text.charCodeAt(at + 1))) at += 1;
          if (frames.length > DEEPEST_INTEGER || at - start < SHORTEST_LOSS) break;
          const token = text.slice(start, at + 1);
          if (losesFraction(token)) lostFractions.set(pointerTo(frames), token);
        }
    }
    if (values > mostValues) return { crowded: pointerToMost(frames), lostFractions };
  }
  return { crowded: undefined, lostFractions };
}

/**
 * Whether a number may stand in the text that loses its fraction: 17 digits, as 16 of them a double holds, or an
 * exponent too small for it. May be true for other things that are in the text, such as a name.
 */
export function mayLoseFraction(text: string): boolean {
  // so many digits in a row stand at one of these places at least
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
/** `1e-400` less one. */
const SHORTEST_LOSS = 5;

/** Whether the number is not whole as it is written, and is as a double. */
function losesFraction(token: string): boolean {
  if (!Number.isInteger(Number(token))) return false;
  const [, whole = "", fraction = "", exponent = "0"] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([-+]?\d+))?$/.exec(token) ?? [];
  const digits = whole + fraction;
  let last = digits.length;
  while (last > 0 && digits.charCodeAt(last - 1) === 0x30) last -= 1;
  return last > 0 && last > whole.length + Number(exponent);
}

/** Where the text that began before `at` ends: behind a quote that no odd count of backslashes precedes. */
function endOfText(text: string, at: number): number {
  for (let quote = text.indexOf('"', at); quote !== -1; quote = text.indexOf('"', quote + 1)) {
    let backslashes = 0;
    while (text.charCodeAt(quote - 1 - backslashes) === BACKSLASH) backslashes += 1;
    if (backslashes % 2 === 0) return quote + 1;
  }
  return text.length;
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
