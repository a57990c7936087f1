/** Digests of recipients for journals: with a key that stays in the folder, since a phone number is soon guessed. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readErrorCode } from "../../failures/thrown.ts";

const DIGEST_DIGITS = 24;

/** Returns the function that makes digests with the folder's key, which is made on first use. */
export function createRecipientDigest(folder: string): (recipient: string) => string {
  const key = readKey(join(folder, "recipients.key"), folder);
  return (recipient) => createHmac("sha256", key).update(recipient).digest("hex").slice(0, DIGEST_DIGITS);
}

function readKey(path: string, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const own = `${path}.${randomUUID()}`;
  writeFileSync(own, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
  try {
    // whole or not at all, and only the first of two processes
    linkSync(own, path);
  } catch (error) {
    if (readErrorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(own, { force: true });
  }
  return readFileSync(path, "utf8");
}
