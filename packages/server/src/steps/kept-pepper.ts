// The pepper of a data folder, and the check that it is the one which the database's credentials were hashed with.

import { existsSync } from "node:fs";
import { type DataFolder, readPepper } from "../platform/data-folder.ts";
import { derivePepperCheck } from "../platform/shared-key.ts";
import { hasValidCredentials } from "../store/credentials.ts";
import { findPepperCheck, setPepperCheck } from "../store/lineage.ts";
import type { Transaction } from "../store/store.ts";

/**
 * Returns the folder's pepper, made where there is none, and notes the check of it. Throws for a pepper that is lost, or
 * not the one that the database's credentials were hashed with: none of them would work.
 */
export async function readKeptPepper(tx: Transaction, folder: DataFolder): Promise<string> {
  const pepper = await requirePepper(tx, folder);
  const check = derivePepperCheck(pepper);
  if ((await findPepperCheck(tx)) !== check) await setPepperCheck(tx, check);
  return pepper;
}

/** The same, and notes nothing. */
export async function requirePepper(tx: Transaction, folder: DataFolder): Promise<string> {
  const { pepperFile } = folder;
  if (!existsSync(pepperFile) && (await hasValidCredentials(tx))) throw new PepperLost(`there is no ${pepperFile}`);
  const pepper = readPepper(folder);
  const known = await findPepperCheck(tx);
  if (known === undefined || known === derivePepperCheck(pepper) || !(await hasValidCredentials(tx))) return pepper;
  throw new PepperLost(`${pepperFile} is another pepper`);
}

class PepperLost extends Error {
  override readonly name = "PepperLost";

  constructor(what: string) {
    super(
      `${what}, and no credential works without the one that it was hashed with: put that back from a backup. If it is lost for good, revoke every key (msgd keys list, msgd keys revoke <apiKey>), and a new pepper is made for those that come`,
    );
  }
}
