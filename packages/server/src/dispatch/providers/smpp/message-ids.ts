// One form for the id of a message, however its response and its receipts write it: padded with zeros or not, in capitals or
// not, and with some carriers in hexadecimal here and in decimal there.

import type { SmppSettings } from "../../../rules/carrier-settings.ts";

type Source = "response" | "receipt";

const bases = {
  "hex-as-decimal": { response: 16, receipt: 10 },
  "decimal-as-hex": { response: 10, receipt: 16 },
} as const;

const HEX = /^[\da-f]+$/i;

/**
 * The form of an id in which that of a response and that of its receipt are equal. What is no number stays as it is: letters
 * of either case may tell two such ids apart.
 */
export function normaliseMessageId(id: string, source: Source, receiptIds: SmppSettings["receiptIds"]): string {
  const trimmed = id.trim();
  if (!HEX.test(trimmed)) return trimmed;
  if (receiptIds === "same") return trimmed.toLowerCase().replace(/^0+(?=.)/, "");
  // where an id cannot be in its base, the carrier writes both in the other
  const isDecimal = bases[receiptIds][source] === 10 && /^\d+$/.test(trimmed);
  return BigInt(isDecimal ? trimmed : `0x${trimmed}`).toString();
}
