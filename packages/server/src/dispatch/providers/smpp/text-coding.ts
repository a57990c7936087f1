// Texts as octets: in GSM-7 where it has all characters, one septet in each octet, else in UCS-2. They are cut where
// @msgctl/contract/segments counts a segment, so that what is charged is what is sent.

import { readSeptets, toSeptets } from "@msgctl/contract/gsm-alphabet";

const GSM_7 = 0;
const UCS_2 = 8;

/** Octets of a text of one part, and of each part of several. */
interface Capacity {
  readonly single: number;
  readonly concatenated: number;
}

const septets: Capacity = { single: 160, concatenated: 153 };
const ucs2Octets: Capacity = { single: 140, concatenated: 134 };

export interface EncodedText {
  readonly dataCoding: number;
  /** At least one. */
  readonly parts: readonly Buffer[];
}

/** Encodes a text and cuts it. No escape pair and no surrogate pair is split. */
export function encodeText(text: string): EncodedText {
  const characters = Array.from(text, toSeptets);
  if (characters.every((character) => character !== undefined)) {
    return { dataCoding: GSM_7, parts: cut(characters, septets) };
  }
  return { dataCoding: UCS_2, parts: cut(Array.from(text, toUcs2), ucs2Octets) };
}

function toUcs2(character: string): readonly number[] {
  return [...Buffer.from(character, "utf16le").swap16()];
}

/** Fills parts in order; what does not fit whole opens the next one. */
function cut(characters: readonly (readonly number[])[], { single, concatenated }: Capacity): Buffer[] {
  const length = characters.reduce((sum, character) => sum + character.length, 0);
  if (length <= single) return [Buffer.from(characters.flat())];
  const parts: number[][] = [[]];
  for (const character of characters) {
    if ((parts.at(-1)?.length ?? 0) + character.length > concatenated) parts.push([]);
    parts.at(-1)?.push(...character);
  }
  return parts.map((part) => Buffer.from(part));
}

/**
 * Reads a text by its data_coding. A carrier's default alphabet is GSM-7, and Latin-1 where an octet is no septet; what is
 * none of the codings for text is read as Latin-1 too, so that nothing of it is lost.
 */
export function decodeText(octets: Buffer, dataCoding: number): string {
  const alphabet = alphabetOf(dataCoding);
  if (alphabet === UCS_2)
    return Buffer.from(octets.subarray(0, octets.length & ~1))
      .swap16()
      .toString("utf16le");
  if (alphabet === GSM_7 && octets.every((octet) => octet < 0x80)) return readSeptets(octets);
  return octets.toString("latin1");
}

/** With a message class, the alphabet is in the bits that 3GPP TS 23.038 (4) gives it. */
function alphabetOf(dataCoding: number): number {
  if (dataCoding >= 0xf0) return dataCoding & 0b0100;
  return dataCoding >= 0x10 && dataCoding < 0x40 ? dataCoding & 0b1100 : dataCoding;
}
