// Time-based one-time passwords (RFC 6238) in the form that authenticator apps expect: SHA-1, six digits, steps of 30 seconds.

import { createHmac, timingSafeEqual } from "node:crypto";

const STEP_MS = 30_000;
const DIGITS = 6;
/** How many steps a code may be early or late, because clocks differ and typing takes time (RFC 6238, 5.2). */
const TOLERANCE = 1;
/** RFC 4226, 4: the length of SHA-1's output. */
export const SECRET_BYTES = 20;

/** The number of the step at `now`, in epoch milliseconds. */
export function stepAt(now: number): number {
  return Math.floor(now / STEP_MS);
}

/** Returns the code of a step. */
export function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const digest = createHmac("sha1", secret).update(counter).digest();
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = digest.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/**
 * Returns the step of a code that is valid at `now`; undefined for any other text. Steps up to `lastStep` are refused,
 * because a code is valid once. The time it takes does not depend on the digits.
 */
export function findStep(
  secret: Buffer,
  { code, lastStep, now }: { code: string; lastStep: number | null; now: number },
): number | undefined {
  if (!isCode(code)) return undefined;
  const present = stepAt(now);
  let found: number | undefined;
  for (let step = present - TOLERANCE; step <= present + TOLERANCE; step += 1) {
    const isEqual = timingSafeEqual(Buffer.from(codeOf(secret, step)), Buffer.from(code));
    if (isEqual && step > (lastStep ?? -1)) found = step;
  }
  return found;
}

/** Returns whether the text has the form of a code. */
export function isCode(text: string): boolean {
  return /^[0-9]{6}$/.test(text);
}

const BASE32 = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** Returns the bytes in base32 (RFC 4648) without padding. */
export function toBase32(bytes: Buffer): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => BASE32.charAt(Number.parseInt(five.padEnd(5, "0"), 2))).join("");
}

/** Returns the bytes of a text made by `toBase32`. */
export function fromBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => BASE32.indexOf(letter).toString(2).padStart(5, "0")).join("");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}

/** Returns the link that adds the secret, in base32, to an authenticator app, which shows `issuer` and `account`. */
export function toOtpauthLink({
  secret,
  issuer,
  account,
}: {
  secret: string;
  issuer: string;
  account: string;
}): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`;
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}`;
}
