// Sends due callbacks, and wakes up when the next one is due. Any number of dispatchers may share a store.

import { stopSubscription } from "../../domain/callbacks/event-rows.ts";
import {
  endLease,
  type LaneKey,
  listLeasedCalls,
  listWaitingLanes,
  lockLanes,
  refreshCall,
  refreshLane,
  releaseCall,
  restLane,
  wakeLane,
} from "../../domain/callbacks/queue-rows.ts";
import { markGone, noteLostAttempt, recordCallbackAttempt } from "../../domain/callbacks/rows.ts";
import { decideCallback, isTaken, restMs, signWebhook } from "../../domain/callbacks/rules.ts";
import type { Clock } from "../../platform/clock.ts";
import { reached } from "../../platform/probes.ts";
import { systemRandomness } from "../../platform/randomness.ts";
import { SealedError } from "../../platform/secret-box.ts";
import { scheduleJob } from "../../store/jobs.ts";
import { DueFloor } from "../../store/queue/queue.ts";
import type { AttemptResult, Transaction } from "../../store/store.ts";
import { type Claim, LeaseLoop, type WorkerOptions } from "../lease-loop.ts";
import { type CallbackTask, claimCallbacks, goneUrlJob, Slots } from "./claim.ts";
import { MessageEventTurns } from "./message-events.ts";
import type { Poster, PostResult } from "./post.ts";

export interface CallbackDispatcherOptions extends WorkerOptions {
  readonly poster: Poster;
  /** Returns the secrets with which a tenant's callbacks are signed, newest first. */
  readonly readSecrets: (tx: Transaction, owner: { tenantId: number; now: number }) => Promise<string[]>;
  /** Called when recording an outcome has scheduled a job. @default nothing */
  readonly notifyJobs?: () => void;
  /** Maximum attempts in flight at one receiver; one tenant gets at most half. @default 16 */
  readonly perReceiver?: number;
  /** Maximum attempts in flight; one tenant gets at most half. @default 128 */
  readonly concurrency?: number;
  /** Lease of an attempt, in milliseconds. Must be longer than an attempt takes. @default 30000 */
  readonly leaseMs?: number;
  /** Time for which `stop` waits for attempts in flight, in milliseconds. @default 2000 */
  readonly drainMs?: number;
}

const defaults = {
  notifyJobs: () => {},
  randomness: systemRandomness,
  isAlone: false,
  perReceiver: 16,
  concurrency: 128,
  leaseMs: 30_000,
  drainMs: 2_000,
  pollIntervalMs: undefined,
  trustsClock: undefined,
  dueHorizonMs: undefined,
};

/** Number of attempts of a dead process that are released per transaction. */
const BITE = 16;

export function createCallbackDispatcher(options: CallbackDispatcherOptions): CallbackDispatcher {
  return new CallbackDispatcher({ ...defaults, ...options });
}

export class CallbackDispatcher {
  readonly #settings: Required<CallbackDispatcherOptions>;
  readonly #loop: LeaseLoop<CallbackTask>;
  readonly #slots: Slots;
  readonly #floor: DueFloor;
  readonly #events: MessageEventTurns;
  /** Tenants for which the log already says that their secrets cannot be opened. */
  readonly #unsigned = new Set<number>();

  constructor(settings: Required<CallbackDispatcherOptions>) {
    this.#settings = settings;
    this.#slots = new Slots({ total: settings.concurrency, perReceiver: settings.perReceiver });
    const { clock, randomness, logger, pollIntervalMs, trustsClock } = settings;
    this.#floor = new DueFloor(clock.elapsed);
    this.#events = new MessageEventTurns(settings.store);
    this.#loop = new LeaseLoop({
      clock,
      randomness,
      countRoom: () => this.#slots.free,
      claim: (token) => this.#claim(token),
      perform: (task) => this.#perform(task),
      onError: (error) => logger.error({ err: error }, "failed to claim callbacks; retrying"),
      pollIntervalMs,
      trustsClock,
    });
  }

  async start(): Promise<void> {
    const { isAlone, store, clock } = this.#settings;
    if (isAlone) while ((await store.write((tx) => expireLeases(tx, clock.now(), BITE))) === BITE);
    this.#loop.start();
  }

  /** Signals that a commit may have added a callback. */
  notify(): void {
    this.#loop.notify();
  }

  /** Whether anything is running rather than waiting for the clock. A virtual clock polls this. */
  isBusy(): boolean {
    return this.#loop.isClaiming || this.#loop.underWay > 0;
  }

  /** Stops claiming, and waits for the attempts in flight. Attempts that outlast `drainMs` are aborted and repeated later. */
  async stop(): Promise<void> {
    const { poster, clock, drainMs } = this.#settings;
    await this.#loop.stop();
    const cancelBound = clock.after(drainMs, () => poster.close());
    await this.#loop.finish();
    cancelBound();
    poster.close();
  }

  async #claim(token: string): Promise<Claim<CallbackTask>> {
    const { store, clock, leaseMs, dueHorizonMs } = this.#settings;
    await this.#events.take();
    return store.write(async (tx) => {
      const now = clock.now();
      const known = new Map<number, readonly string[] | undefined>();
      const readSecrets = async (tenantId: number) => {
        if (!known.has(tenantId)) known.set(tenantId, await this.#readSecrets(tx, tenantId, now));
        return known.get(tenantId);
      };
      const nextClaimBy = dueHorizonMs === undefined ? undefined : now + dueHorizonMs;
      const limits = { floor: this.#floor, nextClaimBy, slots: this.#slots.copy() };
      const hasEvents = await this.#events.findNext(tx);
      const claim = await claimCallbacks({ tx, now, token, leaseMs, readSecrets, ...limits });
      return hasEvents ? { ...claim, isMoreDue: true } : claim;
    });
  }

  /** Returns undefined if the tenant's secrets cannot be opened. Then only this tenant's callbacks wait. */
  async #readSecrets(tx: Transaction, tenantId: number, now: number): Promise<string[] | undefined> {
    try {
      const secrets = await this.#settings.readSecrets(tx, { tenantId, now });
      this.#unsigned.delete(tenantId);
      return secrets;
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
      const text =
        "a tenant's callbacks wait because they cannot be signed: set the right MSGD_SECRET_KEY, or create a new secret with msgd callbacks secret --rotate";
      if (!this.#unsigned.has(tenantId)) this.#settings.logger.error({ err: error, tenantId }, text);
      this.#unsigned.add(tenantId);
      return undefined;
    }
  }

  async #perform(task: CallbackTask): Promise<void> {
    const { poster, clock, store, randomness, logger, notifyJobs } = this.#settings;
    const { tenantId, receiver } = task.call;
    const { webhookId, attempts } = task.callback;
    this.#slots.take(task.call);
    const result = await postCallback(poster, task, clock);
    // free the slot before recording: recordCallback finds the lanes that wait for a slot
    this.#slots.leave(task.call);
    if (!isTaken(result)) {
      const details = { webhookId, tenantId, receiver, attempt: attempts + 1, outcome: result.outcome };
      logger.warn(details, "a callback was not accepted");
    }
    try {
      const record = { random: randomness.fraction, freeAtReceiver: this.#slots.freeAt(receiver) };
      const { hasJob, waiting } = await store.write((tx) =>
        recordCallback(tx, task, result, { ...record, now: clock.now() }),
      );
      if (hasJob) notifyJobs();
      // if this process dies before it wakes these lanes, their leases expire
      await Promise.all(waiting.map((lane) => store.write((tx) => wakeLane(tx, lane, clock.now()))));
    } catch (error) {
      reached("an attempt was not recorded");
      logger.error({ err: error, webhookId }, "failed to record a callback attempt; the callback will be sent again");
    }
    // a slot is free now, and another attempt may be due
    this.#loop.notify();
  }
}

/** Posts the callback, signed with each of the task's secrets. Never rejects. */
function postCallback(poster: Poster, { callback, secrets }: CallbackTask, clock: Clock): Promise<PostResult> {
  const { webhookId, url, body } = callback;
  const headers = {
    "content-type": "application/json",
    "user-agent": "msgd",
    ...signWebhook({ webhookId, body, now: clock.now() }, secrets),
  };
  return poster.post({ url, headers, body });
}

/** Outcomes after which a receiver rests: a timeout of the attempt, of the connection, or of the name servers. */
const SILENCES: ReadonlySet<string> = new Set(["timeout", "ETIMEDOUT", "ETIMEOUT"]);

interface RecordContext {
  readonly now: number;
  readonly random: () => number;
  /** Number of further attempts that may start at the receiver. */
  readonly freeAtReceiver: number;
}

/** Work that remains after the outcome is committed. */
interface Recorded {
  /** Whether a job was scheduled. */
  readonly hasJob: boolean;
  /** Other tenants' lanes for which the receiver has room again. Each is locked and woken in its own transaction. */
  readonly waiting: readonly LaneKey[];
}

/**
 * Records the attempt, the due time of the next one, and whether the receiver rests. If another process has taken over
 * the callback, the callback is left unchanged.
 */
async function recordCallback(
  tx: Transaction,
  task: CallbackTask,
  result: PostResult,
  { now, random, freeAtReceiver }: RecordContext,
): Promise<Recorded> {
  const { call, callback, token } = task;
  tx.note({ kind: "callback-attempt", result: classify(result) });
  lockLanes(tx, call.tenantId);
  const isOurs = await releaseCall(tx, call, token);
  if (!isOurs) reached("an outcome came after another process took the callback");
  const isUnwanted = isOurs && result.status === 410;
  if (isUnwanted) {
    reached("a receiver answered 410");
    const gone = { tenantId: call.tenantId, url: callback.url };
    await markGone(tx, gone, now);
    await stopSubscription(tx, gone, now);
    await scheduleJob(tx, goneUrlJob(gone, now));
  }
  if (isOurs) {
    await recordOutcome(tx, task, result, { now, random });
    await refreshCall(tx, call);
  }
  await settleLane(tx, task, result, { now, random });
  await refreshLane(tx, call, now);
  return { hasJob: isUnwanted, waiting: await listWaitingLanes(tx, call.receiver, freeAtReceiver) };
}

const statuses = { delivered: "DELIVERED", gone: "FAILED", failed: "FAILED", retry: "PENDING" } as const;

async function recordOutcome(
  tx: Transaction,
  { callback }: CallbackTask,
  result: PostResult,
  context: { now: number; random: () => number },
): Promise<void> {
  const { callbackId, patienceFrom } = callback;
  const { now } = context;
  const lastOutcome = result.outcome;
  // an attempt aborted by this server does not count
  if (isInterrupted(result)) {
    reached("an attempt was interrupted");
    return noteLostAttempt(tx, { callbackId, lastOutcome, now });
  }
  const attempts = callback.attempts + 1;
  const decision = decideCallback(result, { attempt: attempts, patienceFrom }, context);
  const status = statuses[decision.kind];
  const next = decision.kind === "retry" ? decision : { patienceFrom, nextAttemptAt: null };
  await recordCallbackAttempt(tx, { callbackId, now, attempts, lastOutcome, status, ...next });
}

/** Ends the attempt's lease or, if the receiver timed out, makes it rest. A rest uses up no attempts of other callbacks. */
async function settleLane(
  tx: Transaction,
  { call, rests }: CallbackTask,
  result: PostResult,
  { now, random }: { now: number; random: () => number },
): Promise<void> {
  if (SILENCES.has(result.outcome)) {
    reached("a receiver rests");
    await restLane(tx, { ...call, rests }, now + restMs(rests + 1, random));
  } else await endLease(tx, call, { isAnswered: !isInterrupted(result) });
}

/**
 * Releases up to `limit` attempts whose process is known to be dead. The attempts do not count, because their outcome
 * is unknown. Returns how many were released.
 */
async function expireLeases(tx: Transaction, now: number, limit: number): Promise<number> {
  const calls = await listLeasedCalls(tx, limit);
  for (const call of calls) {
    reached("an attempt of a dead process is repeated");
    lockLanes(tx, call.tenantId);
    await refreshCall(tx, call);
    await endLease(tx, call, { isAnswered: false });
    await refreshLane(tx, call, now);
    for (const lane of await listWaitingLanes(tx, call.receiver, 1)) await wakeLane(tx, lane, now);
  }
  return calls.length;
}

const classes: Readonly<Record<number, AttemptResult>> = { 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx" };

/**
 * Maps an outcome to one of a few metric labels, because there are many system and TLS codes and a receiver may send any
 * status.
 */
function classify({ status, outcome }: PostResult): AttemptResult {
  if (status !== undefined) return classes[Math.floor(status / 100)] ?? "other";
  if (SILENCES.has(outcome)) return "timeout";
  if (outcome === "interrupted") return outcome;
  return outcome === "not allowed" || outcome === "PRIVATE_ADDRESS" ? "not_allowed" : "unreachable";
}

function isInterrupted({ outcome }: PostResult): boolean {
  return outcome === "interrupted";
}
