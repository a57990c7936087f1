// Takes callbacks that are due, turn by turn of their tenants: whoever has the fewest under way comes first.

import { isPatienceOver } from "../../rules/callback-retries.ts";
import {
  type CallKey,
  type DueCall,
  type DueLine,
  findDueCall,
  findDueLine,
  findNextTurn,
  holdLine,
  holdTurn,
  leaseCall,
  listDueTurns,
  refreshCall,
  refreshLine,
  refreshTurn,
} from "../../store/callback-lines.ts";
import { findNextCallback, giveUpCallback, type NextCallback } from "../../store/callbacks.ts";
import { isGone } from "../../store/gone-urls.ts";
import type { Transaction } from "../../store/store.ts";
import type { Claim } from "../lease-loop.ts";
import { giveUpGoneCall } from "./gone.ts";
import type { Slots } from "./slots.ts";

/** Looks at a line that one claim takes: 10 statements each, 2 ms in all. */
const MOST_LOOKS = 16;
/** Tenants that a claim chooses among, beside as many as may have a slot already. */
const MORE_TURNS = 64;
/** Callbacks of one call that are given up at one look. */
const MOST_GIVEN_UP = 8;
/** How soon a tenant whose callbacks cannot be signed is looked at again. */
const UNSIGNED_MS = 30_000;

/** A callback to be posted, outside of any transaction. */
export interface CallbackTask {
  readonly call: CallKey;
  /** The receiver's, when the attempt began. */
  readonly rests: number;
  readonly callback: NextCallback;
  readonly token: string;
  /** To sign it with. */
  readonly secrets: readonly string[];
}

export interface CallbackClaimContext {
  readonly tx: Transaction;
  readonly now: number;
  /** Names the claim: whoever records an outcome shows it. */
  readonly token: string;
  readonly leaseMs: number;
  /** Taken from as the claim goes on. */
  readonly slots: Slots;
  /** Undefined for a tenant whose secrets cannot be opened. */
  readonly readSecrets: (tenantId: number) => Promise<readonly string[] | undefined>;
}

/** What a look came to: a task, something else that was done, or nothing left to do. */
type Look = CallbackTask | "moved" | "idle";

/** Leases callbacks that are due, as many as have a slot and one unit of work may look at. */
export async function claimCallbacks(context: CallbackClaimContext): Promise<Claim<CallbackTask>> {
  const { tx, now, slots } = context;
  const mostTurns = slots.taken + slots.free + MORE_TURNS;
  const turns = new Set(await listDueTurns(tx, now, mostTurns));
  const isCut = turns.size === mostTurns;
  const tasks: CallbackTask[] = [];
  for (let looks = 0; looks < MOST_LOOKS; looks += 1) {
    const tenantId = slots.chooseTenant(turns);
    if (tenantId === undefined) return { tasks, isMoreDue: isCut && looks > 0, nextDueAt: await findNextTurn(tx, now) };
    const look = await lookAtTenant(context, tenantId);
    turns.delete(tenantId);
    if (look === "idle") continue;
    // behind the others that have as many
    turns.add(tenantId);
    if (look === "moved") continue;
    tasks.push(look);
  }
  return { tasks, isMoreDue: true, nextDueAt: undefined };
}

async function lookAtTenant(context: CallbackClaimContext, tenantId: number): Promise<Look> {
  const { tx, now } = context;
  const line = await findDueLine(tx, tenantId, now);
  if (line === undefined) {
    await refreshTurn(tx, tenantId, now);
    return "idle";
  }
  const secrets = await context.readSecrets(tenantId);
  if (secrets === undefined) {
    await holdTurn(tx, tenantId, now + UNSIGNED_MS);
    return "idle";
  }
  return lookAtLine(context, line, secrets);
}

async function lookAtLine(context: CallbackClaimContext, line: DueLine, secrets: readonly string[]): Promise<Look> {
  const { tx, now, token, slots } = context;
  if (await isHeldUp(context, line)) return "moved";
  const call = await findDueCall(tx, line, now);
  const callback = call === undefined ? undefined : await takeCallback(context, call);
  if (call === undefined || callback === undefined) {
    await refreshLine(tx, line, now);
    return "moved";
  }
  slots.take(call);
  if (!(await isHeldUp(context, line))) await refreshLine(tx, line, now);
  return { call, rests: line.rests, callback, token, secrets };
}

/** Puts the line aside when it may have no more under way. */
async function isHeldUp({ tx, now, leaseMs, slots }: CallbackClaimContext, line: DueLine): Promise<boolean> {
  const obstacle = slots.findObstacle(line);
  if (obstacle === undefined) return false;
  // whoever ends the attempt that it waits for has it looked at again; the time is for when that process dies
  await holdLine(tx, line, { until: now + leaseMs, isWaiting: obstacle === "receiver", now });
  return true;
}

/** Leases the call for what it has to tell next; undefined when that is nothing, or was given up. */
async function takeCallback(context: CallbackClaimContext, call: DueCall): Promise<NextCallback | undefined> {
  const { tx, now, token, leaseMs } = context;
  if (await isGone(tx, call)) {
    await giveUpGoneCall(tx, call, { limit: MOST_GIVEN_UP, now });
    return undefined;
  }
  const callback = await findNextCallback(tx, call.requestId, now);
  if (callback === undefined || isPatienceOver(callback.patienceFrom, now)) {
    if (callback !== undefined) await giveUpCallback(tx, callback.callbackId, now);
    await refreshCall(tx, call);
    return undefined;
  }
  await leaseCall(tx, call, { token, expiresAt: now + leaseMs });
  return callback;
}
