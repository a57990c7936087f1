// Texts as Unicode has them. A lone half of a surrogate pair is no character: UTF-8 cannot write it, and whatever
// encodes it puts U+FFFD in its place.

const LONE_SURROGATE = /\p{Surrogate}/u;
const LONE_SURROGATES = /\p{Surrogate}/gu;

/** The first lone surrogate as JSON escapes it, such as `\ud800`; undefined for a text that is well-formed. */
export function findLoneSurrogate(text: string): string | undefined {
  const [found] = LONE_SURROGATE.exec(text) ?? [];
  return found === undefined ? undefined : escapeUnit(found);
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
