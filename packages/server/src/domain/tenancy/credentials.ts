// The format of API keys and secrets: a prefix for the kind, random base62 digits, and a checksum. Secret scanners can
// recognize them, and clients can detect a typo without a lookup.

import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_DIGITS = 6;

export type KeyOwner = "tenant" | "merchant";
/** The mode of the key's tenant. */
export type KeyMode = "live" | "test";

const API_KEY = /^mk[tm]_(?:live|test)_[0-9A-Za-z]{28}$/;
const API_SECRET = /^mks_[0-9A-Za-z]{46}$/;

/** Returns a uniformly distributed integer from 0 to below the argument. */
type Random = (below: number) => number;

/** `mkt_live_…` or `mkm_test_…`: 22 random digits (131 bits) and 6 of checksum. */
export function makeApiKey(owner: KeyOwner, mode: KeyMode, random: Random): string {
  return withChecksum(`mk${owner === "tenant" ? "t" : "m"}_${mode}_${randomDigits(22, random)}`);
}

/** `mks_…`: 40 random digits (238 bits) and 6 of checksum. */
export function makeApiSecret(random: Random): string {
  return withChecksum(`mks_${randomDigits(40, random)}`);
}

/** Returns whether the text has the format of an API key and a correct checksum. */
export function isApiKey(text: string): boolean {
  return API_KEY.test(text) && hasChecksum(text);
}

/** Returns whether the text has the format of a secret and a correct checksum. */
export function isApiSecret(text: string): boolean {
  return API_SECRET.test(text) && hasChecksum(text);
}

/** The stored hash of a secret: SHA-256 over pepper and secret, in hex. Its 238 random bits need no slow hash. */
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

/** Describes a valid project label, for error texts. */
export const PROJECT_WORDS = "1 to 64 letters, digits, dots, underscores and hyphens";

/** Returns whether the text is a valid project label. Labels let people or test runs share a server in development. */
export function isProject(text: string): boolean {
  return LABEL.test(text);
}

/** The binding of a SIP password. A password sealed with it cannot be opened for another owner. */
export function bindPassword(tenantId: number, userId: number): string {
  return JSON.stringify(["sip-password", tenantId, userId]);
}

/** The binding of the secret of a user's second factor. */
export function bindSecondFactor(userId: number): string {
  return `second factor of user ${userId}`;
}

/** The binding of a secret that signs callbacks. */
export function bindCallbackSecret(tenantId: number): string {
  return `callback secret of tenant ${tenantId}`;
}

/** The binding of a payment processor's settings. */
export function bindProcessor({ name, tenantId }: { name: string; tenantId: number }): string {
  return JSON.stringify(["processor", name, tenantId]);
}

/** The binding of a carrier's settings. */
export function bindCarrier({ name, tenantId, channel }: { name: string; tenantId: number; channel: string }): string {
  return JSON.stringify(["carrier", name, tenantId, channel]);
}
