// Derives the pepper from the secret key that instances on one database share. Also derives check values of key and pepper.

import { hkdfSync } from "node:crypto";

const BYTES = 32;

/** Returns the pepper of a database that instances share. */
export function derivePepper(secretKey: Buffer): string {
  return derive(secretKey, "msgd: pepper of credentials");
}

/** Returns a text that identifies a secret key without revealing it, so that the database may store it. */
export function deriveKeyCheck(secretKey: Buffer): string {
  return derive(secretKey, "msgd: check of the secret key");
}

/** Returns a text that identifies a pepper, like `deriveKeyCheck`. */
export function derivePepperCheck(pepper: string): string {
  return derive(Buffer.from(pepper), "msgd: check of the pepper");
}

/** HKDF with SHA-256 (RFC 5869). The secret is random, so it needs no salt. */
function derive(secret: Buffer, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, BYTES)).toString("base64url");
}
