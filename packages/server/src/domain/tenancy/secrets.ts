// Sealed secrets, sealed again with another key, and the pepper: of a data folder, or of a database that instances share.

import { existsSync } from "node:fs";
import { type DataFolder, readPepper } from "../../platform/data-folder.ts";
import { createSecretBox, SealedError, type SecretBox } from "../../platform/secret-box.ts";
import { deriveKeyCheck, derivePepper, derivePepperCheck } from "../../platform/shared-key.ts";
import {
  addInstallation,
  findInstallation,
  type Installation,
  lockInstallation,
  saveInstallationKey,
} from "../../store/installation.ts";
import { findPepperCheck, setPepperCheck } from "../../store/lineage.ts";
import { type SealedColumn, type SealedRow, sealedColumns } from "../../store/sealed-secrets.ts";
import { PAGE_ROWS, type Transaction, type Work } from "../../store/store.ts";
import { bindCallbackSecret, bindCarrier, bindPassword } from "./credentials.ts";
import { hasValidCredentials } from "./rows.ts";

interface Resealed {
  readonly count: number;
  /** The reason why each secret did not open, and its owner. */
  readonly unopened: readonly string[];
}

/**
 * Reseals with the box's first key all secrets that its other keys have sealed, a page in each call of `run`. It may
 * run beside servers, and again: secrets that the first key has sealed are left alone.
 */
export async function reseal(
  run: <T>(work: Work<T>) => Promise<T>,
  { box, now }: { box: SecretBox; now: number },
): Promise<Resealed> {
  const prefix = box.findPrefix();
  if (prefix === undefined) return { count: 0, unopened: [] };
  let count = 0;
  const unopened: string[] = [];
  for (const column of sealedColumns) {
    let after: SealedRow | undefined;
    do {
      const page = { prefix, now, after, limit: PAGE_ROWS };
      const done = await run(async (tx) => {
        const rows = await column.list(tx, page);
        return { ...(await resealRows(tx, { box, column, rows })), next: rows[PAGE_ROWS - 1] };
      });
      count += done.count;
      unopened.push(...done.unopened);
      after = done.next;
    } while (after !== undefined);
  }
  return { count, unopened };
}

interface Owner {
  /** Words for error texts. */
  readonly name: string;
  readonly binding: string;
}

const ownersOf: Readonly<Record<SealedColumn["table"], (row: SealedRow) => Owner>> = {
  sip_users: ({ key: [, id], tenantId }) => ({
    name: `the password of SIP user ${id} of tenant ${tenantId}`,
    binding: bindPassword(tenantId, Number(id)),
  }),
  callback_secrets: ({ tenantId }) => ({
    name: `a callback secret of tenant ${tenantId}`,
    binding: bindCallbackSecret(tenantId),
  }),
  carriers({ key, tenantId, channel }) {
    const [name, carried] = [String(key[0]), String(channel)];
    return { name: `the carrier ${name}, for ${carried}`, binding: bindCarrier({ name, tenantId, channel: carried }) };
  },
};

async function resealRows(
  tx: Transaction,
  { box, column, rows }: { box: SecretBox; column: SealedColumn; rows: readonly SealedRow[] },
): Promise<Resealed> {
  let count = 0;
  const unopened: string[] = [];
  for (const row of rows) {
    const { name, binding } = ownersOf[column.table](row);
    const secret = open(box, row.sealed, binding);
    if (secret instanceof SealedError) unopened.push(`${name}: ${secret.message}`);
    else if (await column.replace(tx, row, box.seal(secret, binding))) count += 1;
  }
  return { count, unopened };
}

function open(box: SecretBox, sealed: string, binding: string): string | SealedError {
  try {
    return box.open(sealed, binding);
  } catch (error) {
    if (error instanceof SealedError) return error;
    throw error;
  }
}

/**
 * Returns the folder's pepper, made if there is none, and stores its check. Throws for a pepper that is lost, or not
 * the one that the database's credentials were hashed with: none of them would work.
 */
export async function readKeptPepper(tx: Transaction, folder: DataFolder): Promise<string> {
  const pepper = await requirePepper(tx, folder);
  const check = derivePepperCheck(pepper);
  if ((await findPepperCheck(tx)) !== check) await setPepperCheck(tx, check);
  return pepper;
}

/** Returns the folder's pepper as `readKeptPepper` does, and writes nothing to the database. */
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

/** Returns whether the pepper depends on another key than the first. */
export async function needsReseal(tx: Transaction, keys: SecretKeys): Promise<boolean> {
  const known = await findInstallation(tx);
  return known !== undefined && known.keyCheck !== deriveKeyCheck(keys[0]);
}

/** Has the database depend on the first key: instances need no other from then on. Returns whether that changed anything. */
export async function resealPepper(tx: Transaction, keys: SecretKeys): Promise<boolean> {
  lockInstallation(tx);
  if (!(await needsReseal(tx, keys))) return false;
  const sealedPepper = createSecretBox(() => keys).seal(await readSharedPepper(tx, keys), BINDING);
  await saveInstallationKey(tx, { keyCheck: deriveKeyCheck(keys[0]), sealedPepper });
  return true;
}
