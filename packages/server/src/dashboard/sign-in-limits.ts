// How often somebody may fail to sign in: to an account, and from an address. Instances count together.

import { createHmac } from "node:crypto";
import { isIP } from "node:net";
import { CLOCK_FAULT_MS } from "../platform/clock.ts";
import {
  type CountedTime,
  countFailedSignIn,
  findFailedSignIns,
  forgetFailedSignIns,
} from "../store/failed-sign-ins.ts";
import type { Transaction } from "../store/store.ts";

/** Failures count from the first one on, for so long. */
const WINDOW_MS = 15 * 60_000;
/** An account takes more, lest somebody keep its owner out from one address. */
const MOST_FAILURES = { account: 100, address: 30 };

export interface SignInAttempt {
  readonly email: string;
  readonly address: string;
  readonly pepper: string;
  readonly now: number;
}

/** How long the attempt has to wait, in milliseconds; 0 if it need not. */
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

export async function countFailure(tx: Transaction, attempt: SignInAttempt): Promise<void> {
  const time = { ...countedTime(attempt), now: attempt.now };
  // in one order, whoever else counts
  for (const [subject] of subjectsOf(attempt).sort()) await countFailedSignIn(tx, { subject, ...time });
}

function countedTime({ now }: SignInAttempt): CountedTime {
  return { from: now - WINDOW_MS + 1, until: now + CLOCK_FAULT_MS };
}

/** Those of the account: its owner has signed in. */
export async function forgetFailures(tx: Transaction, attempt: SignInAttempt): Promise<void> {
  const [[account]] = subjectsOf(attempt);
  await forgetFailedSignIns(tx, account);
}

type Subject = [digest: string, most: number];

/** Digests: somebody may have typed a password in the place of the address. */
function subjectsOf({ email, address, pepper }: SignInAttempt): [account: Subject, address: Subject] {
  const digest = (text: string) => createHmac("sha256", pepper).update(text).digest("base64url");
  return [
    [digest(`account ${email.trim().toLowerCase()}`), MOST_FAILURES.account],
    [digest(`address ${networkOf(address)}`), MOST_FAILURES.address],
  ];
}

/** An IPv4 address, or the network of 64 bits that an IPv6 address is in: whoever has one has all of it. */
export function networkOf(address: string): string {
  const plain = address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
  if (isIP(plain) !== 6) return plain;
  const [before = "", after] = plain.toLowerCase().split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => "0"), ...tail];
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(":");
}
