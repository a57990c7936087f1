// The row that ties a database shared by instances to its secret key and pepper. A database in a data folder has no
// such table; there the pepper is a file.

import type { Transaction } from "./store.ts";

export interface Installation {
  /** Shows whether a secret key is the one that the database was first used with, without revealing the key. */
  readonly keyCheck: string;
  /** A pepper that was brought along, sealed with the secret key; null if the pepper is derived from that key. */
  readonly sealedPepper: string | null;
}

const columns = `key_check AS "keyCheck", sealed_pepper AS "sealedPepper"`;

/** Returns the row; undefined before the database is first used with a secret key. */
export function findInstallation(tx: Transaction): Promise<Installation | undefined> {
  return tx.get<Installation>(`SELECT ${columns} FROM installation`);
}

/** Adds the row and returns it; if another instance has added one meanwhile, returns that. */
export async function addInstallation(
  tx: Transaction,
  { keyCheck, sealedPepper }: Installation,
): Promise<Installation> {
  const row = await tx.get<Installation>(
    `INSERT INTO installation (installation_id, key_check, sealed_pepper) VALUES (1, $1, $2)
     ON CONFLICT (installation_id) DO UPDATE SET installation_id = excluded.installation_id RETURNING ${columns}`,
    keyCheck,
    sealedPepper,
  );
  if (row === undefined) throw new Error("the row of the installation came back empty");
  return row;
}

/** Replaces the key check and the sealed pepper after a change of the secret key. */
export async function saveInstallationKey(tx: Transaction, { keyCheck, sealedPepper }: Installation): Promise<void> {
  await tx.run("UPDATE installation SET key_check = $1, sealed_pepper = $2", keyCheck, sealedPepper);
}

/** Locks the row until the transaction ends. */
export function lockInstallation(tx: Transaction): void {
  tx.lock("SELECT installation_id FROM installation FOR UPDATE");
}

/** SQL of the time by the clock of the database's server, in epoch milliseconds. PostgreSQL only. */
export const databaseTime = "CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS BIGINT)";

export async function findDatabaseTime(tx: Transaction): Promise<number> {
  const row = await tx.get<{ now: number }>(`SELECT ${databaseTime} AS "now"`);
  if (row === undefined) throw new Error("the database returned no time");
  return row.now;
}
