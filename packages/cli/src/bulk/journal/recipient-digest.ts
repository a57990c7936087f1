/** Keyed digests of recipients for journals. Without the key, which stays in the folder, phone numbers could be guessed. */
import { createHmac, randomBytes, randomUUID } from "node:crypto";
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeFolder } from "../../call/access/make-folder.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { notNoted } from "./journal.ts";

const DIGEST_DIGITS = 24;

/**
 * Returns a function that digests recipients with the folder's key. The first use creates the key.
 *
 * @throws {CliError} If the key cannot be written.
 */
export function createRecipientDigest(folder: string): (recipient: string) => string {
  const path = join(folder, "recipients.key");
  try {
    if (!existsSync(path)) makeKey(path, folder);
    const key = readFileSync(path, "utf8");
    return (recipient) => createHmac("sha256", key).update(recipient).digest("hex").slice(0, DIGEST_DIGITS);
  } catch (error) {
    throw notNoted(path, error);
  }
}

/** Creates the file completely or not at all. If two processes compete, the file of the first one stays. */
function makeKey(path: string, folder: string): void {
  makeFolder(folder);
  const own = `${path}.${randomUUID()}`;
  try {
    writeFileSync(own, randomBytes(32).toString("hex"), { mode: 0o600, flush: true });
    linkSync(own, path);
  } catch (error) {
    if (readErrorCode(error) !== "EEXIST") throw error;
  } finally {
    rmSync(own, { force: true });
  }
}
