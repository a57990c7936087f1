// The pepper of a database that instances share, and the check that they share the secret key it depends on.

import { createSecretBox } from "../platform/secret-box.ts";
import { deriveKeyCheck, derivePepper } from "../platform/shared-key.ts";
import {
  addInstallation,
  findInstallation,
  holdInstallation,
  type Installation,
  saveInstallationKey,
} from "../store/installation.ts";
import type { Transaction } from "../store/store.ts";

const BINDING = "pepper of the installation";

/** The secret keys of a command or server; the first seals. */
type SecretKeys = readonly [Buffer, ...Buffer[]];

/**
 * Returns the pepper that the database's credentials are hashed with. Throws without the secret key that the database was
 * first used with, or was resealed with: no credential would work, and no secret open.
 */
export async function readSharedPepper(tx: Transaction, keys: SecretKeys): Promise<string> {
  const firstUse = { keyCheck: deriveKeyCheck(keys[0]), sealedPepper: null };
  return openPepper((await findInstallation(tx)) ?? (await addInstallation(tx, firstUse)), keys);
}

function openPepper({ keyCheck, sealedPepper }: Installation, keys: SecretKeys): string {
  const key = keys.find((candidate) => deriveKeyCheck(candidate) === keyCheck);
  if (key === undefined) {
    throw new Error(
      "MSGD_SECRET_KEY is not the one that this database is used with, so no credential would work and no secret open: set the one that its other instances have; a new one comes before it, with a comma between, until msgd secrets reseal has run",
    );
  }
  return sealedPepper === null ? derivePepper(key) : createSecretBox(() => [key]).open(sealedPepper, BINDING);
}

/**
 * Gives a new database the pepper of credentials that it is about to get from elsewhere. Throws for one that was used
 * with a secret key before, and has a pepper.
 */
export async function bringPepper(tx: Transaction, secretKey: Buffer, pepper: string): Promise<void> {
  const sealedPepper = createSecretBox(() => [secretKey]).seal(pepper, BINDING);
  const known = await addInstallation(tx, { keyCheck: deriveKeyCheck(secretKey), sealedPepper });
  if (known.sealedPepper !== sealedPepper) throw new Error("the database has a pepper already: take an empty one");
}

/** Whether the pepper depends on another key than the first. */
export async function needsReseal(tx: Transaction, keys: SecretKeys): Promise<boolean> {
  const known = await findInstallation(tx);
  return known !== undefined && known.keyCheck !== deriveKeyCheck(keys[0]);
}

/** Has the database depend on the first key: instances need no other from then on. Returns whether that changed anything. */
export async function resealPepper(tx: Transaction, keys: SecretKeys): Promise<boolean> {
  holdInstallation(tx);
  if (!(await needsReseal(tx, keys))) return false;
  const sealedPepper = createSecretBox(() => keys).seal(await readSharedPepper(tx, keys), BINDING);
  await saveInstallationKey(tx, { keyCheck: deriveKeyCheck(keys[0]), sealedPepper });
  return true;
}
