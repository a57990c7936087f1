// The form of API keys and secrets: a prefix for the kind, random base62, and a checksum, so that a scanner or a client
// can detect a typo before any lookup.

import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_DIGITS = 6;

export type KeyOwner = "tenant" | "merchant";
/** The mode of the key's tenant. */
export type KeyMode = "live" | "test";

const API_KEY = /^mk[tm]_(?:live|test)_[0-9A-Za-z]{28}$/;
const API_SECRET = /^mks_[0-9A-Za-z]{46}$/;

/** `random` gives a whole number below its argument, each as likely as any other. */
type Random = (below: number) => number;

/** `mkt_live_…` or `mkm_test_…`: 22 random digits (131 bits) and 6 of checksum. */
export function makeApiKey(owner: KeyOwner, mode: KeyMode, random: Random): string {
  return withChecksum(`mk${owner === "tenant" ? "t" : "m"}_${mode}_${randomDigits(22, random)}`);
}

/** `mks_…`: 40 random digits (238 bits) and 6 of checksum. */
export function makeApiSecret(random: Random): string {
  return withChecksum(`mks_${randomDigits(40, random)}`);
}

/** Returns whether the text has the form of an API key and its checksum holds. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text) && hasChecksum(text);
}

/** Returns whether the text has the form of a secret and its checksum holds. */
export function isApiSecret(text: string): boolean {
  return API_SECRET.test(text) && hasChecksum(text);
}

/** The stored hash of a secret, in hex: SHA-256 over the pepper and 238 random bits, which needs no slow hash. */
export function hashSecret(apiSecret: string, pepper: string): string {
  return hash("sha256", pepper + apiSecret, "hex");
}

function hasChecksum(text: string): boolean {
  return withChecksum(text.slice(0, -CHECKSUM_DIGITS)) === text;
}

function withChecksum(text: string): string {
  let rest = crc32(text);
  let checksum = "";
  for (let index = 0; index < CHECKSUM_DIGITS; index += 1) {
    checksum = DIGITS.charAt(rest % DIGITS.length) + checksum;
    rest = Math.floor(rest / DIGITS.length);
  }
  return text + checksum;
}

function randomDigits(count: number, random: Random): string {
  return Array.from({ length: count }, () => DIGITS.charAt(random(DIGITS.length))).join("");
}

const LABEL = /^[A-Za-z0-9._-]{1,64}$/;

/** The form of a label, for error texts. */
export const PROJECT_WORDS = "1 to 64 letters, digits, dots, underscores and hyphens";

/** Returns whether the text can be a label, by which test runs or people share a server in development. */
export function isProject(text: string): boolean {
  return LABEL.test(text);
}

/** The binding of a SIP password: sealed with it, the password opens for no other owner. */
export function bindPassword(tenantId: number, userId: number): string {
  return JSON.stringify(["sip-password", tenantId, userId]);
}

/** The binding of a secret that callbacks are signed with. */
export function bindCallbackSecret(tenantId: number): string {
  return `callback secret of tenant ${tenantId}`;
}

/** The binding of a carrier's settings. */
export function bindCarrier({ name, tenantId, channel }: { name: string; tenantId: number; channel: string }): string {
  return JSON.stringify(["carrier", name, tenantId, channel]);
}
