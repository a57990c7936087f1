// Reseals secrets with another key, and manages the pepper of a data folder or of a database that instances share.

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
import { bindCallbackSecret, bindCarrier, bindPassword, bindProcessor, bindSecondFactor } from "./credentials.ts";
import { hasValidCredentials } from "./rows.ts";

interface Resealed {
  readonly count: number;
  /** A line for each secret in use that could not be opened, with its owner and the reason. */
  readonly unopened: readonly string[];
}

/**
 * Reseals, with the first key of the box, all secrets that were sealed with its other keys, one page per call of `run`.
 * Safe to run while servers run, and to repeat: secrets sealed with the first key are skipped.
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
  /** Description for error texts. */
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
  processors({ key, tenantId }) {
    const name = String(key[0]);
    return { name: `the processor ${name}`, binding: bindProcessor({ name, tenantId }) };
  },
  second_factors: ({ key: [id] }) => ({
    name: `the second factor of user ${id}`,
    binding: bindSecondFactor(Number(id)),
  }),
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
    if (secret instanceof SealedError) {
      if (row.isInUse === 1) unopened.push(`${name}: ${secret.message}`);
    } else if (await column.replace(tx, row, box.seal(secret, binding))) count += 1;
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
 * Returns the folder's pepper, which is created if there is none, and stores its check value. Throws if the pepper is lost
 * or is not the one with which the database's credentials were hashed: none of them would work.
 */
export async function readKeptPepper(tx: Transaction, folder: DataFolder): Promise<string> {
  const pepper = await requirePepper(tx, folder);
  const check = derivePepperCheck(pepper);
  if ((await findPepperCheck(tx)) !== check) await setPepperCheck(tx, check);
  return pepper;
}

/** Like `readKeptPepper`, but writes nothing to the database. */
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
      `${what}, and no credential works without the one that it was hashed with: restore that pepper from a backup. If it is lost, revoke every key (msgd keys list, msgd keys revoke <apiKey>): then msgd makes a new pepper for new keys`,
    );
  }
}

const BINDING = "pepper of the installation";

/** The secret keys of a command or server. The first one seals; all can open. */
type SecretKeys = readonly [Buffer, ...Buffer[]];

/**
 * Returns the pepper with which the database's credentials are hashed. Throws unless `keys` include the key that the
 * database was first used or last resealed with: no credential would work, and no secret could be opened.
 */
export async function readSharedPepper(tx: Transaction, keys: SecretKeys): Promise<string> {
  const firstUse = { keyCheck: deriveKeyCheck(keys[0]), sealedPepper: null };
  return openPepper((await findInstallation(tx)) ?? (await addInstallation(tx, firstUse)), keys);
}

function openPepper({ keyCheck, sealedPepper }: Installation, keys: SecretKeys): string {
  const key = keys.find((candidate) => deriveKeyCheck(candidate) === keyCheck);
  if (key === undefined) {
    throw new Error(
      "MSGD_SECRET_KEY is not the key that this database is used with, so no credential would work and no secret could be opened: set the key of its other instances. To replace the key, put the new one before it, separated by a comma, until msgd secrets reseal has run",
    );
  }
  return sealedPepper === null ? derivePepper(key) : createSecretBox(() => [key]).open(sealedPepper, BINDING);
}

/**
 * Stores the pepper of credentials that will be transferred into a new database. Throws if the database has been used and
 * so already has a pepper.
 */
export async function bringPepper(tx: Transaction, secretKey: Buffer, pepper: string): Promise<void> {
  const sealedPepper = createSecretBox(() => [secretKey]).seal(pepper, BINDING);
  const known = await addInstallation(tx, { keyCheck: deriveKeyCheck(secretKey), sealedPepper });
  if (known.sealedPepper !== sealedPepper) throw new Error("the database already has a pepper: use an empty database");
}

/** Returns whether the pepper is still sealed with a key other than the first. */
export async function needsReseal(tx: Transaction, keys: SecretKeys): Promise<boolean> {
  const known = await findInstallation(tx);
  return known !== undefined && known.keyCheck !== deriveKeyCheck(keys[0]);
}

/** Reseals the pepper with the first key; then instances need no other key. Returns whether it was sealed with another. */
export async function resealPepper(tx: Transaction, keys: SecretKeys): Promise<boolean> {
  lockInstallation(tx);
  if (!(await needsReseal(tx, keys))) return false;
  const sealedPepper = createSecretBox(() => keys).seal(await readSharedPepper(tx, keys), BINDING);
  await saveInstallationKey(tx, { keyCheck: deriveKeyCheck(keys[0]), sealedPepper });
  return true;
}
