/**
 * The form of keys and secrets: a prefix for the kind, random digits, and a checksum over both. The checksum reveals a
 * copy-and-paste mistake before anything is sent.
 */
import { crc32 } from "node:zlib";

export const API_KEY_EXPECTED =
  "mkt_ or mkm_, then live_ or test_, then 28 letters and digits (the last 6 are a checksum)";
export const API_SECRET_EXPECTED = "mks_, then 46 letters and digits (the last 6 are a checksum)";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_DIGITS = 6;

/** Whether the text is a key of a tenant or a merchant, with a correct checksum. */
export function isApiKey(text: string): boolean {
  return /^mk[tm]_(?:live|test)_[0-9A-Za-z]{28}$/.test(text) && isChecked(text);
}

/** Whether the text is a secret, with a correct checksum. */
export function isApiSecret(text: string): boolean {
  return /^mks_[0-9A-Za-z]{46}$/.test(text) && isChecked(text);
}

/** The text followed by its checksum: CRC-32 as 6 base-62 digits. */
export function withChecksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  while (digits.length < CHECKSUM_DIGITS) {
    digits = DIGITS.charAt(rest % DIGITS.length) + digits;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text + digits;
}

function isChecked(text: string): boolean {
  return withChecksum(text.slice(0, -CHECKSUM_DIGITS)) === text;
}

/** Enough of a key to recognise it, too little to use it: `mkt_live_4fQz…`. */
export function abbreviateKey(apiKey: string): string {
  return isApiKey(apiKey) ? `${apiKey.slice(0, 13)}…` : "…";
}
