// Turns second factors of users on and off, and accepts their codes. Callers lock the user first.

import { timingSafeEqual } from "node:crypto";
import { CLOCK_FAULT_MS } from "../../platform/clock.ts";
import { SealedError, type SecretBox } from "../../platform/secret-box.ts";
import type { Transaction } from "../../store/store.ts";
import { Refusal } from "../refusal.ts";
import { bindSecondFactor, hashSecret } from "../tenancy/credentials.ts";
import {
  deleteRecoveryCode,
  findSecondFactor,
  listRecoveryCodes,
  noteStep,
  type SecondFactorRow,
  saveRecoveryCodes,
  saveSecondFactor,
} from "./second-factor-rows.ts";
import { findStep, fromBase32, isCode } from "./totp.ts";

/** How long a new secret waits for its first code. */
const CONFIRM_MS = 15 * 60_000;
const RECOVERY_CODES = 10;
/** Without letters that look like digits. Ten of these are 50 random bits, whose hash also depends on the pepper. */
const LETTERS = "0123456789abcdefghjkmnpqrstvwxyz";
const HALF_LENGTH = 5;

interface GivenCode {
  readonly userId: number;
  /** As typed. */
  readonly code: string;
  readonly box: Pick<SecretBox, "open">;
  readonly pepper: string;
  readonly now: number;
}

/** Returns a uniformly distributed integer from 0 to below the argument. */
type Random = (below: number) => number;

/** How a user has proven the second factor. */
export interface UsedCode {
  /** How many recovery codes are left, if one of them was used. */
  readonly recoveryCodesLeft?: number;
}

/**
 * Gives the user a secret, which has no effect until it is confirmed. Throws `illegal_transition` if a second factor is on,
 * and `unavailable` without a secret key.
 */
export async function startSecondFactor(
  tx: Transaction,
  { userId, secret, box, now }: { userId: number; secret: string; box: Pick<SecretBox, "seal">; now: number },
): Promise<void> {
  if (isOn(await findSecondFactor(tx, userId))) throw alreadyOn();
  await saveSecondFactor(tx, { userId, sealedSecret: seal(box, secret, userId), now });
}

/**
 * Turns the second factor on with a first code. Returns false if the code is wrong. Throws `illegal_transition` if no secret
 * waits for a code.
 */
export async function confirmSecondFactor(tx: Transaction, given: GivenCode): Promise<boolean> {
  const { userId, now } = given;
  const waiting = await findSecondFactor(tx, userId);
  if (isOn(waiting)) throw alreadyOn();
  if (waiting === undefined || !isRecent(waiting, now)) {
    const detail = "No secret waits for a code, or it has waited for more than 15 minutes: begin again with a new one.";
    throw new Refusal("illegal_transition", detail);
  }
  return acceptCode(tx, waiting, given);
}

/** Replaces the user's recovery codes, and returns the new ones. The database has only their hashes. */
export async function renewRecoveryCodes(
  tx: Transaction,
  { userId, pepper, random }: { userId: number; pepper: string; random: Random },
): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () => makeRecoveryCode(random));
  const hashes = codes.map((code) => hashRecoveryCode(code, pepper));
  await saveRecoveryCodes(tx, userId, hashes);
  return codes;
}

/**
 * Uses a code of the user's authenticator app, or a recovery code: both are valid once. Returns undefined if the code is
 * wrong. Throws `unavailable` if the secret cannot be opened; recovery codes still work then.
 */
export async function useCode(
  tx: Transaction,
  factor: SecondFactorRow,
  given: GivenCode,
): Promise<UsedCode | undefined> {
  if (isCode(normalizeCode(given.code))) return (await acceptCode(tx, factor, given)) ? {} : undefined;
  return useRecoveryCode(tx, given);
}

/** Returns whether the user has confirmed the second factor. */
export function isOn(factor: SecondFactorRow | undefined): factor is SecondFactorRow {
  return factor !== undefined && factor.confirmedAt !== null;
}

/** Refuses an operation that needs a second factor. */
export function notOn(): Refusal {
  return new Refusal("illegal_transition", "You have no second factor: turn one on first.");
}

function alreadyOn(): Refusal {
  return new Refusal("illegal_transition", "You have a second factor. To replace it, turn it off first.");
}

/** Codes are shown in groups, and may be typed with the gaps between them. */
function normalizeCode(text: string): string {
  return text.replaceAll(/[\s-]/g, "").toLowerCase();
}

function isRecent({ createdAt }: SecondFactorRow, now: number): boolean {
  return createdAt > now - CONFIRM_MS && createdAt <= now + CLOCK_FAULT_MS;
}

async function acceptCode(
  tx: Transaction,
  { sealedSecret, lastStep }: SecondFactorRow,
  { userId, code, box, now }: GivenCode,
): Promise<boolean> {
  const secret = fromBase32(open(box, sealedSecret, userId));
  const step = findStep(secret, { code: normalizeCode(code), lastStep, now });
  if (step === undefined) return false;
  await noteStep(tx, { userId, step, now });
  return true;
}

async function useRecoveryCode(tx: Transaction, { userId, code, pepper }: GivenCode): Promise<UsedCode | undefined> {
  const presented = hashRecoveryCode(code, pepper);
  const hashes = await listRecoveryCodes(tx, userId);
  const matches = hashes.filter((hash) => timingSafeEqual(Buffer.from(hash), Buffer.from(presented)));
  if (matches.length === 0) return undefined;
  await deleteRecoveryCode(tx, userId, presented);
  return { recoveryCodesLeft: hashes.length - 1 };
}

function makeRecoveryCode(random: Random): string {
  const half = () => Array.from({ length: HALF_LENGTH }, () => LETTERS.charAt(random(LETTERS.length))).join("");
  return `${half()}-${half()}`;
}

function hashRecoveryCode(code: string, pepper: string): string {
  return hashSecret(`recovery code ${normalizeCode(code)}`, pepper);
}

function seal(box: Pick<SecretBox, "seal">, secret: string, userId: number): string {
  try {
    return box.seal(secret, bindSecondFactor(userId));
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    const detail = "The server has no secret key to seal a second factor with: the operator must set MSGD_SECRET_KEY.";
    throw new Refusal("unavailable", detail, {}, { cause: error });
  }
}

function open(box: Pick<SecretBox, "open">, sealed: string, userId: number): string {
  try {
    return box.open(sealed, bindSecondFactor(userId));
  } catch (error) {
    if (!(error instanceof SealedError)) throw error;
    const detail =
      "The server cannot check the code: the operator must set the secret key that sealed your second factor (MSGD_SECRET_KEY). A recovery code works.";
    throw new Refusal("unavailable", detail, {}, { cause: error });
  }
}
