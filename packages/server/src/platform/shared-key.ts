// What the instances on one database derive from the secret key that they share, and a data folder from its pepper.

import { hkdfSync } from "node:crypto";

const BYTES = 32;

/** Returns the pepper that is hashed into every secret of a database that instances share. */
export function derivePepper(secretKey: Buffer): string {
  return derive(secretKey, "msgd: pepper of credentials");
}

/** Returns what tells one secret key from another, and reveals nothing of it: it may be stored in the database. */
export function deriveKeyCheck(secretKey: Buffer): string {
  return derive(secretKey, "msgd: check of the secret key");
}

/** The same for a pepper. */
export function derivePepperCheck(pepper: string): string {
  return derive(Buffer.from(pepper), "msgd: check of the pepper");
}

/** HKDF with SHA-256 (RFC 5869). The secret is random, so it needs no salt. */
function derive(secret: Buffer, purpose: string): string {
  return Buffer.from(hkdfSync("sha256", secret, "", purpose, BYTES)).toString("base64url");
}
