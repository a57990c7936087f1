// Splits a text into SMS: 3GPP TS 23.038 (alphabets) and TS 23.040 (concatenation, whose header costs space in each segment).

import { toSeptets } from "./gsm-alphabet.ts";

export interface SegmentCount {
  encoding: "GSM-7" | "UCS-2";
  segments: number;
}

interface Capacity {
  single: number;
  concatenated: number;
}

const septets: Capacity = { single: 160, concatenated: 153 };
const codeUnits: Capacity = { single: 70, concatenated: 67 };

/** The ASCII characters that take one septet each. Most messages consist of these only. */
const PLAIN_ASCII = /^[\n\r @$_!"#%&'()*+,\-./0-9:;<=>?A-Za-z]*$/;

/** Number of SMS that carry `text`, and their encoding. An escape pair and a surrogate pair are never split. */
export function countSegments(text: string): SegmentCount {
  if (PLAIN_ASCII.test(text)) return { encoding: "GSM-7", segments: divide(text.length, septets) };
  const widths = septetWidths(text);
  if (widths !== undefined) return { encoding: "GSM-7", segments: pack(widths, septets) };
  return { encoding: "UCS-2", segments: pack(Array.from(text, utf16Width), codeUnits) };
}

function septetWidths(text: string): number[] | undefined {
  const widths: number[] = [];
  for (const character of text) {
    const width = toSeptets(character)?.length;
    if (width === undefined) return undefined;
    widths.push(width);
  }
  return widths;
}

function utf16Width(character: string): number {
  return character.length;
}

/** An empty message is still one SMS. */
function divide(length: number, capacity: Capacity): number {
  return length <= capacity.single ? 1 : Math.ceil(length / capacity.concatenated);
}

/** Fills segments in order; a character that does not fit completely opens the next one. */
function pack(widths: readonly number[], capacity: Capacity): number {
  const total = widths.reduce((sum, width) => sum + width, 0);
  if (total <= capacity.single) return 1;
  let segments = 1;
  let filled = 0;
  for (const width of widths) {
    if (filled + width > capacity.concatenated) {
      segments += 1;
      filled = 0;
    }
    filled += width;
  }
  return segments;
}
