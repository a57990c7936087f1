// Claims due callbacks, round-robin by tenant: the tenant with the fewest attempts in flight comes first.

import {
  type CallKey,
  type DueCall,
  type DueLane,
  findDueCall,
  findDueLane,
  findNextTenantDue,
  type LaneKey,
  leaseCall,
  leaseLane,
  leaseTenant,
  listDueTenants,
  lockLanes,
  refreshCall,
  refreshLane,
  refreshTenant,
  tryLockLanes,
} from "../../domain/callbacks/queue-rows.ts";
import {
  findNextCallback,
  giveUpCallback,
  giveUpCallbacks,
  isGone,
  listGoneCalls,
  type NextCallback,
  type TenantUrl,
} from "../../domain/callbacks/rows.ts";
import { isPatienceOver } from "../../domain/callbacks/rules.ts";
import { reached } from "../../platform/probes.ts";
import { scheduleJob } from "../../store/jobs.ts";
import type { DueFloor } from "../../store/queue/queue.ts";
import type { Transaction } from "../../store/store.ts";
import type { JobHandler } from "../jobs/runner.ts";
import type { Claim } from "../lease-loop.ts";

/** Maximum number of lanes examined per claim. */
const MOST_TENANTS = 16;
/** Number of tenants that a claim chooses from, in addition to one per slot. */
const MORE_TENANTS = 64;
/** Maximum number of callbacks of one call that are given up each time the call is examined. */
const MOST_GIVEN_UP = 8;
/** Delay before a tenant whose callbacks cannot be signed is tried again. */
const UNSIGNED_MS = 30_000;

/** A claimed callback, to be posted outside any transaction. */
export interface CallbackTask {
  readonly call: CallKey;
  /** The receiver's `rests` count when the attempt began. */
  readonly rests: number;
  readonly callback: NextCallback;
  readonly token: string;
  /** Secrets to sign the callback with. */
  readonly secrets: readonly string[];
}

export interface CallbackClaimContext {
  readonly tx: Transaction;
  readonly now: number;
  /** Identifies the claim. Needed to record an outcome. */
  readonly token: string;
  readonly leaseMs: number;
  /** Due time from which this process's claims read, so that they skip older index entries. */
  readonly floor: DueFloor;
  /** Latest time at which this process claims again. @default never */
  readonly nextClaimBy?: number | undefined;
  /** Updated as the claim takes slots. */
  readonly slots: Slots;
  /** Returns undefined if the tenant's secrets cannot be opened. */
  readonly readSecrets: (tenantId: number) => Promise<readonly string[] | undefined>;
}

/** Result of examining a lane: a task, some other progress, or nothing to do. */
type TenantClaim = CallbackTask | "moved" | "idle";

/** Leases as many due callbacks as have a slot and fit into one transaction. */
export async function claimCallbacks(context: CallbackClaimContext): Promise<Claim<CallbackTask>> {
  const { tx, now, slots, floor, nextClaimBy: until = Number.MAX_SAFE_INTEGER } = context;
  const mostTenants = slots.taken + slots.free + MORE_TENANTS;
  const tenants = new Set(await listDueTenants(tx, { now, limit: mostTenants, floor }));
  const isCut = tenants.size === mostTenants;
  const lock = createLock(tx);
  const tasks: CallbackTask[] = [];
  let isAnyLeftOut = false;
  for (let seen = 0; seen < MOST_TENANTS; seen += 1) {
    const tenantId = slots.chooseTenant(tenants);
    if (tenantId === undefined) {
      const nextDueAt = await findNextTenantDue(tx, { now, until });
      return { tasks, isMoreDue: isAnyLeftOut || (isCut && seen > 0), nextDueAt };
    }
    if (!(await lock(tenantId))) {
      tenants.delete(tenantId);
      isAnyLeftOut = true;
      continue;
    }
    const claimed = await claimOfTenant(context, tenantId);
    tenants.delete(tenantId);
    if (claimed === "idle") continue;
    // moved to the end, behind tenants with the same number of attempts in flight
    tenants.add(tenantId);
    if (claimed === "moved") continue;
    tasks.push(claimed);
  }
  return { tasks, isMoreDue: true, nextDueAt: undefined };
}

/**
 * Creates a function that locks a tenant's lanes. For the first tenant it waits; for further tenants it returns false
 * if another transaction holds the locks. Blocking while holding another tenant's rows could deadlock two claims.
 */
function createLock(tx: Transaction): (tenantId: number) => Promise<boolean> {
  const locked = new Set<number>();
  return async (tenantId) => {
    if (locked.has(tenantId)) return true;
    if (locked.size === 0) lockLanes(tx, tenantId);
    else if (!(await tryLockLanes(tx, tenantId))) return false;
    locked.add(tenantId);
    return true;
  };
}

async function claimOfTenant(context: CallbackClaimContext, tenantId: number): Promise<TenantClaim> {
  const { tx, now } = context;
  const lane = await findDueLane(tx, tenantId, now);
  if (lane === undefined) {
    await refreshTenant(tx, tenantId, now);
    return "idle";
  }
  const secrets = await context.readSecrets(tenantId);
  if (secrets === undefined) {
    await leaseTenant(tx, tenantId, now + UNSIGNED_MS);
    return "idle";
  }
  return claimOfLane(context, lane, secrets);
}

async function claimOfLane(
  context: CallbackClaimContext,
  lane: DueLane,
  secrets: readonly string[],
): Promise<TenantClaim> {
  const { tx, now, token, slots } = context;
  if (await leaseIfBlocked(context, lane)) return "moved";
  const call = await findDueCall(tx, lane, now);
  const callback = call === undefined ? undefined : await takeCallback(context, call);
  if (call === undefined || callback === undefined) {
    await refreshLane(tx, lane, now);
    return "moved";
  }
  slots.take(call);
  if (!(await leaseIfBlocked(context, lane))) await refreshLane(tx, lane, now);
  return { call, rests: lane.rests, callback, token, secrets };
}

/** Leases the lane if no further attempt may start in it. Returns whether it did. */
async function leaseIfBlocked({ tx, now, leaseMs, slots }: CallbackClaimContext, lane: DueLane): Promise<boolean> {
  const obstacle = slots.findObstacle(lane);
  if (obstacle === undefined) return false;
  // when the blocking attempt ends, its process wakes the lane; the lease expires only if that process has died
  await leaseLane(tx, lane, { until: now + leaseMs, isWaiting: obstacle === "receiver", now });
  return true;
}

/** Leases the call and returns its next callback. Returns undefined if there is none, or if it was given up. */
async function takeCallback(context: CallbackClaimContext, call: DueCall): Promise<NextCallback | undefined> {
  const { tx, now, token, leaseMs } = context;
  if (await isGone(tx, call)) {
    await giveUpGoneCall(tx, call, { limit: MOST_GIVEN_UP, now });
    return undefined;
  }
  const callback = await findNextCallback(tx, call.requestId, now);
  if (callback === undefined || isPatienceOver(callback.patienceFrom, now)) {
    if (callback !== undefined) {
      reached("a callback is given up");
      await giveUpCallback(tx, callback.callbackId, now);
    }
    await refreshCall(tx, call);
    return undefined;
  }
  await leaseCall(tx, call, { token, expiresAt: now + leaseMs });
  return callback;
}

const URL_GONE = "callbacks.url-gone";
/** Callbacks given up per batch, and the pause between batches. Both keep the database writer free for requests. */
const BITE = 32;
const BREATH_MS = 2;

/** Describes the job that gives up all callbacks waiting for a URL whose receiver answered 410. */
export function goneUrlJob({ tenantId, url }: TenantUrl, dueAt: number) {
  return { tenantId, kind: URL_GONE, subject: JSON.stringify({ tenantId, url }), dueAt };
}

/** Handlers of the callbacks' jobs. */
export const callbackJobs: Readonly<Record<string, JobHandler>> = {
  [URL_GONE]: async ({ tx, now }, subject) => {
    const gone = JSON.parse(subject) as TenantUrl;
    lockLanes(tx, gone.tenantId);
    const calls = await listGoneCalls(tx, gone, BITE);
    const [first] = calls;
    if (first === undefined) return;
    let left = BITE;
    for (const call of calls) {
      if (left === 0) break;
      left -= await giveUpGoneCall(tx, call, { limit: left, now });
    }
    // all calls of a URL share one receiver, and so one lane
    await refreshLane(tx, first, now);
    await scheduleJob(tx, goneUrlJob(gone, now + BREATH_MS));
  },
};

/** Gives up at most `limit` callbacks of a call whose URL is gone. Returns their number. */
async function giveUpGoneCall(
  tx: Transaction,
  call: CallKey,
  { limit, now }: { limit: number; now: number },
): Promise<number> {
  const { requestId } = call;
  const given = await giveUpCallbacks(tx, { requestId, limit, lastOutcome: "410", now });
  await refreshCall(tx, call);
  return given;
}

export interface SlotCounts {
  readonly total: number;
  /** Maximum slots at one receiver, shared by all tenants. */
  readonly perReceiver: number;
}

/**
 * Attempts in flight in this process. A tenant may start another attempt if it holds fewer slots than are free: a
 * single tenant gets half of the slots, two tenants get a third each. The last free slot goes to a tenant that has
 * none.
 */
export class Slots {
  readonly #counts: SlotCounts;
  #taken = 0;
  #byTenant = new Map<number, number>();
  #byReceiver = new Map<string, number>();
  #byLane = new Map<string, number>();

  constructor(counts: SlotCounts) {
    this.#counts = counts;
  }

  get taken(): number {
    return this.#taken;
  }

  get free(): number {
    return this.#counts.total - this.#taken;
  }

  /** Copies the counts, so that a claim can change them provisionally. */
  copy(): Slots {
    const copy = new Slots(this.#counts);
    copy.#taken = this.#taken;
    copy.#byTenant = new Map(this.#byTenant);
    copy.#byReceiver = new Map(this.#byReceiver);
    copy.#byLane = new Map(this.#byLane);
    return copy;
  }

  take({ tenantId, receiver }: LaneKey): void {
    this.#taken += 1;
    add(this.#byTenant, tenantId, 1);
    add(this.#byReceiver, receiver, 1);
    add(this.#byLane, nameLane(tenantId, receiver), 1);
  }

  leave({ tenantId, receiver }: LaneKey): void {
    this.#taken -= 1;
    add(this.#byTenant, tenantId, -1);
    add(this.#byReceiver, receiver, -1);
    add(this.#byLane, nameLane(tenantId, receiver), -1);
  }

  /** Returns the tenant with the fewest slots among those that may take another. Returns undefined if none may. */
  chooseTenant(tenantIds: Iterable<number>): number | undefined {
    let chosen: number | undefined;
    let fewest = this.free;
    for (const tenantId of tenantIds) {
      const taken = this.#byTenant.get(tenantId) ?? 0;
      if (taken >= fewest) continue;
      chosen = tenantId;
      fewest = taken;
    }
    return chosen;
  }

  freeAt(receiver: string): number {
    return this.#counts.perReceiver - (this.#byReceiver.get(receiver) ?? 0);
  }

  /**
   * Returns what blocks the lane: its own attempts, or other attempts at its receiver. Returns undefined if nothing
   * does. A receiver that rested gets one attempt at a time until it answers.
   */
  findObstacle({ tenantId, receiver, rests }: DueLane): "itself" | "receiver" | undefined {
    const taken = this.#byLane.get(nameLane(tenantId, receiver)) ?? 0;
    const most = rests > 0 ? Math.min(1, this.freeAt(receiver)) : this.freeAt(receiver);
    if (taken < most) return undefined;
    return taken > 0 ? "itself" : "receiver";
  }
}

function nameLane(tenantId: number, receiver: string): string {
  return `${tenantId} ${receiver}`;
}

function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
