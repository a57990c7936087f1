// Takes the callbacks that are due, receiver by receiver, as many of each as it may have under way.

import { MOST_ATTEMPTS } from "../../rules/callback-retries.ts";
import {
  type DueCallback,
  findNextHostDue,
  giveUpCallback,
  leaseCallback,
  listDueCallbacks,
  listDueHosts,
  parkHost,
  refreshHost,
} from "../../store/callbacks.ts";
import type { Transaction } from "../../store/store.ts";

/** Receivers that one claim looks at. */
const MOST_HOSTS = 64;

export interface CallbackTask {
  readonly callback: DueCallback;
  /** From 1. */
  readonly attempt: number;
  readonly token: string;
}

export interface CallbackClaim {
  readonly tasks: CallbackTask[];
  /** Whether there may be more that is due. */
  readonly isMoreDue: boolean;
  /** When a receiver's line next has to be looked at. */
  readonly nextDueAt: number | undefined;
}

export interface CallbackClaimContext {
  readonly tx: Transaction;
  readonly now: number;
  /** Names the claim: whoever records an outcome shows it. */
  readonly token: string;
  readonly leaseMs: number;
  /** How many more the receiver may have under way. */
  readonly roomOf: (host: string) => number;
}

/** Leases up to `limit` due callbacks. */
export async function claimCallbacks(context: CallbackClaimContext, limit: number): Promise<CallbackClaim> {
  const { tx, now } = context;
  const hosts = await listDueHosts(tx, now, MOST_HOSTS);
  const tasks: CallbackTask[] = [];
  for (const host of hosts) {
    if (tasks.length === limit) return { tasks, isMoreDue: true, nextDueAt: undefined };
    tasks.push(...(await claimHost(context, host, limit - tasks.length)));
  }
  return { tasks, isMoreDue: hosts.length === MOST_HOSTS, nextDueAt: await findNextHostDue(tx) };
}

async function claimHost(context: CallbackClaimContext, host: string, limit: number): Promise<CallbackTask[]> {
  const { tx, now, token, leaseMs } = context;
  const expiresAt = now + leaseMs;
  const room = context.roomOf(host);
  const rows = room === 0 ? [] : await listDueCallbacks(tx, host, now, Math.min(room, limit));
  const tasks: CallbackTask[] = [];
  for (const callback of rows) {
    if (callback.attempts >= MOST_ATTEMPTS) {
      // whoever made the last attempt is gone, and what came of it is not known
      await giveUpCallback(tx, callback.callbackId, now);
      continue;
    }
    await leaseCallback(tx, { callbackId: callback.callbackId, token, expiresAt, now });
    tasks.push({ callback, attempt: callback.attempts + 1, token });
  }
  // the first of its attempts to end sets a full receiver's line right
  if (tasks.length === room) await parkHost(tx, host, expiresAt);
  else await refreshHost(tx, host);
  return tasks;
}
