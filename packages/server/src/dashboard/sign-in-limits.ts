// Limits failed sign-ins to an account, from a network and from a device. All instances share the counts.

import { createHmac } from "node:crypto";
import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { networkOf } from "../domain/network-addresses.ts";
import { type CountedTime, countFailedSignIn, findFailedSignIns, forgetFailedSignIns } from "../domain/users/rows.ts";
import { CLOCK_FAULT_MS } from "../platform/clock.ts";
import type { Transaction } from "../store/store.ts";

/** How long failures count, from the first one. */
const WINDOW_MS = 15 * 60_000;
/** Maximum number of failures in `WINDOW_MS`. An account's limit is higher, so that one network cannot lock its owner out. */
const MOST_FAILURES = { account: 100, network: 30, device: 30, codes: 10 };
/** Prefix lengths of the networks that are counted. One IPv6 subscriber has a whole /64. */
const COUNTED = { ipv4: 32, ipv6: 64 };

export interface SignInAttempt {
  readonly email: string;
  /** The client's address in normalized form. */
  readonly address: string;
  /** The id of a browser in which the account's user has signed in before; undefined for a stranger. */
  readonly deviceId: string | undefined;
  readonly pepper: string;
  readonly now: number;
  /**
   * Whether the password was right and only the code is checked. Strangers then have a lower limit, because a code has six
   * digits. @default false
   */
  readonly isCode?: boolean;
}

/** Returns how long the attempt has to wait, in milliseconds; 0 if it may proceed. */
export async function findWait(tx: Transaction, attempt: SignInAttempt): Promise<number> {
  let waitMs = 0;
  for (const [subject, most] of subjectsOf(attempt)) {
    const failed = await findFailedSignIns(tx, subject, countedTime(attempt));
    if (failed !== undefined && failed.failures >= most) {
      waitMs = Math.max(waitMs, failed.since + WINDOW_MS - attempt.now);
    }
  }
  return waitMs;
}

/** Counts a failure. Returns the account's or device's number of failures, including this one. */
export async function countFailure(tx: Transaction, attempt: SignInAttempt): Promise<number> {
  const time = { ...countedTime(attempt), now: attempt.now };
  const subjects = subjectsOf(attempt).map(([subject]) => subject);
  const counts = new Map<string | undefined, number>();
  // sort the subjects: two attempts that count them in different orders could deadlock
  for (const subject of subjects.toSorted()) counts.set(subject, await countFailedSignIn(tx, { subject, ...time }));
  return counts.get(subjects[0]) ?? 0;
}

function countedTime({ now }: SignInAttempt): CountedTime {
  return { from: now - WINDOW_MS + 1, until: now + CLOCK_FAULT_MS };
}

/** Resets the failures of the account and the device. Call after the owner has signed in or used a password link. */
export async function forgetFailures(
  tx: Transaction,
  { email, pepper, deviceId }: Pick<SignInAttempt, "email" | "pepper"> & { readonly deviceId?: string | undefined },
): Promise<void> {
  const subjects = [accountOf(email), codesOf(email), ...(deviceId === undefined ? [] : [deviceOf(deviceId)])];
  for (const subject of subjects.map((each) => digest(each, pepper)).sort()) await forgetFailedSignIns(tx, subject);
}

type Subject = [digest: string, most: number];

/**
 * Returns the subjects against which an attempt counts. An attempt from a known device counts only against the device, so
 * that strangers cannot lock it out.
 */
function subjectsOf({ email, address, deviceId, pepper, isCode = false }: SignInAttempt): Subject[] {
  if (deviceId !== undefined) return [[digest(deviceOf(deviceId), pepper), MOST_FAILURES.device]];
  return [
    [digest(accountOf(email), pepper), MOST_FAILURES.account],
    [digest(`address ${networkOf(address, COUNTED)}`, pepper), MOST_FAILURES.network],
    ...(isCode ? [[digest(codesOf(email), pepper), MOST_FAILURES.codes] satisfies Subject] : []),
  ];
}

function accountOf(email: string): string {
  return `account ${parseEmailAddress(email) ?? email.trim().toLowerCase()}`;
}

function codesOf(email: string): string {
  return `codes of ${accountOf(email)}`;
}

function deviceOf(deviceId: string): string {
  return `device ${deviceId}`;
}

/** Returns a digest of the subject. The subject itself is not stored: a user may type the password instead of the address. */
function digest(subject: string, pepper: string): string {
  return createHmac("sha256", pepper).update(subject).digest("base64url");
}
