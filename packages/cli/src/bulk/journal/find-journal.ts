/** Finds a list's journal: one per service and account, since what is done at one is not done at another. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, renameSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Access } from "../../call/access/access.ts";
import { takeLock, type Waiting } from "../../call/access/lock.ts";
import { CliError } from "../../failures/errors.ts";
import { canonicalBaseUrl } from "../../flags/base-url.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { listUnderWay, lockPath } from "./journal.ts";

interface JournalQuery {
  folder: string;
  /** Prefix of the keys of the list's rows. */
  listKey: string;
  access: Access;
  /** Whether the credential belongs to the account that the list was begun with. */
  isSameAccount: boolean;
}

/**
 * Returns the path of a list's journal, existing or new. Takes over one begun with another key of the same account.
 *
 * @throws {CliError} If the list was begun with another key that is not known to be of the same account.
 */
export async function findJournal(
  { folder, listKey, access, isSameAccount }: JournalQuery,
  waiting: Waiting,
): Promise<string> {
  const { baseUrl, apiKey } = access;
  const place = digest(listKey, canonicalBaseUrl(baseUrl));
  const own = join(folder, `${place}-${digest(place, apiKey).slice(0, 16)}.jsonl`);
  if (existsSync(own)) return own;
  // the name used by earlier versions
  const former = join(folder, `${digest(listKey, baseUrl, apiKey)}.jsonl`);
  if (existsSync(former)) return takeOver(former, own, waiting);
  const others = existsSync(folder) ? journalsAt(folder, place) : [];
  const [newest] = others;
  if (newest === undefined) return own;
  if (!isSameAccount) throw begunWithAnotherKey(baseUrl);
  return takeOver(newest, own, waiting);
}

/** Most recently written first. */
function journalsAt(folder: string, place: string): string[] {
  const paths = readdirSync(folder)
    .filter((name) => name.startsWith(`${place}-`) && name.endsWith(".jsonl"))
    .map((name) => join(folder, name));
  const age = new Map(paths.map((path) => [path, statSync(path).mtimeMs]));
  return paths.sort((one, other) => (age.get(other) ?? 0) - (age.get(one) ?? 0));
}

async function takeOver(path: string, own: string, waiting: Waiting): Promise<string> {
  const lock = await takeLock(lockPath(path), waiting);
  if (lock === undefined) throw listUnderWay();
  try {
    // another run may have moved it meanwhile
    if (existsSync(path)) renameSync(path, own);
  } finally {
    lock.release();
  }
  return own;
}

export function digest(...parts: string[]): string {
  return createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 40);
}

function begunWithAnotherKey(baseUrl: string): CliError {
  const message = `this list was begun at ${baseUrl} with another API key, which may be of the same account; nothing was sent`;
  return new CliError(EXIT.usage, "begun_with_another_key", message, {
    hints: [
      "If it is of the same account, give --same-account: what was done is not done again.",
      "If it is of another, give the list a word of its own there: --idempotency-key <word>.",
    ],
  });
}
