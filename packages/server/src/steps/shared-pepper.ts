// The pepper of a database that instances share, and the check that they share the secret key it depends on.

import { createSecretBox } from "../platform/secret-box.ts";
import { deriveKeyCheck, derivePepper } from "../platform/shared-key.ts";
import { addInstallation, findInstallation } from "../store/installation.ts";
import type { Transaction } from "../store/store.ts";

const BINDING = "pepper of the installation";

/**
 * Returns the pepper that the database's credentials are hashed with. Throws for another secret key than the database
 * was first used with: no credential would work, and no secret open.
 */
export async function readSharedPepper(tx: Transaction, secretKey: Buffer): Promise<string> {
  const keyCheck = deriveKeyCheck(secretKey);
  const known = (await findInstallation(tx)) ?? (await addInstallation(tx, { keyCheck, sealedPepper: null }));
  if (known.keyCheck !== keyCheck) {
    throw new Error(
      "MSGD_SECRET_KEY is not the one that this database was first used with, so no credential would work and no secret open: set the one that its other instances have",
    );
  }
  if (known.sealedPepper === null) return derivePepper(secretKey);
  return createSecretBox(() => [secretKey]).open(known.sealedPepper, BINDING);
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
