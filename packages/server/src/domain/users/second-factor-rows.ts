// Stores the second factors of users, and their recovery codes. Callers lock the user first.

import { findCount, listValues, type Transaction } from "../../store/store.ts";

export interface SecondFactorRow {
  readonly sealedSecret: string;
  readonly createdAt: number;
  /** When the user entered a first code; null until then. */
  readonly confirmedAt: number | null;
  /** The step of the last accepted code; null before the first. */
  readonly lastStep: number | null;
}

/** Finds the user's second factor, confirmed or not, and locks the row for update. */
export function findSecondFactor(tx: Transaction, userId: number): Promise<SecondFactorRow | undefined> {
  return tx.get<SecondFactorRow>(
    `SELECT sealed_secret AS "sealedSecret", created_at AS "createdAt", confirmed_at AS "confirmedAt",
            last_step AS "lastStep"
       FROM second_factors WHERE user_id = $1 FOR UPDATE`,
    userId,
  );
}

/** Adds an unconfirmed second factor, or replaces the user's. */
export async function saveSecondFactor(
  tx: Transaction,
  { userId, sealedSecret, now }: { userId: number; sealedSecret: string; now: number },
): Promise<void> {
  await tx.run(
    `INSERT INTO second_factors (user_id, sealed_secret, created_at) VALUES ($1, $2, $3)
     ON CONFLICT (user_id) DO UPDATE
       SET sealed_secret = $2, created_at = $3, confirmed_at = NULL, last_step = NULL`,
    userId,
    sealedSecret,
    now,
  );
}

/** Records the step of an accepted code. The first one confirms the second factor. */
export async function noteStep(
  tx: Transaction,
  { userId, step, now }: { userId: number; step: number; now: number },
): Promise<void> {
  await tx.run(
    "UPDATE second_factors SET last_step = $2, confirmed_at = COALESCE(confirmed_at, $3) WHERE user_id = $1",
    userId,
    step,
    now,
  );
}

/** Deletes the user's second factor, with its recovery codes. */
export async function deleteSecondFactor(tx: Transaction, userId: number): Promise<void> {
  await tx.run("DELETE FROM recovery_codes WHERE user_id = $1", userId);
  await tx.run("DELETE FROM second_factors WHERE user_id = $1", userId);
}

/** Replaces the user's recovery codes. */
export async function saveRecoveryCodes(tx: Transaction, userId: number, hashes: readonly string[]): Promise<void> {
  await tx.run("DELETE FROM recovery_codes WHERE user_id = $1", userId);
  for (const hash of hashes) {
    await tx.run("INSERT INTO recovery_codes (user_id, code_hash) VALUES ($1, $2)", userId, hash);
  }
}

export function listRecoveryCodes(tx: Transaction, userId: number): Promise<string[]> {
  return listValues(tx, `SELECT code_hash AS "codeHash" FROM recovery_codes WHERE user_id = $1`, userId);
}

export function countRecoveryCodes(tx: Transaction, userId: number): Promise<number> {
  return findCount(tx, "SELECT COUNT(*) AS count FROM recovery_codes WHERE user_id = $1", userId);
}

export async function deleteRecoveryCode(tx: Transaction, userId: number, hash: string): Promise<void> {
  await tx.run("DELETE FROM recovery_codes WHERE user_id = $1 AND code_hash = $2", userId, hash);
}
