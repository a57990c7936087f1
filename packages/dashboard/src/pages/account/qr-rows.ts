import { encode } from "uqr";

/** Encodes a text as a QR code with a margin of four modules. Returns its rows, in which true is dark. */
export function encodeRows(text: string): boolean[][] {
  return encode(text, { ecc: "M", border: 4 }).data;
}
