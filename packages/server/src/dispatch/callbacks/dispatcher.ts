// Sends due callbacks, and wakes when the next is due. Any number of dispatchers may share a store.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import { SealedError } from "../../platform/secret-box.ts";
import { decideCallback, isTaken, restMs, signWebhook } from "../../rules/callbacks.ts";
import {
  endHold,
  holdLines,
  type LineKey,
  listLeasedCalls,
  listWaitingLines,
  refreshCall,
  refreshLine,
  releaseCall,
  restLine,
  wakeLine,
} from "../../store/callback-lines.ts";
import { markGone, noteLostAttempt, recordCallbackAttempt } from "../../store/callbacks.ts";
import { scheduleJob } from "../../store/jobs.ts";
import { DueFloor } from "../../store/queue/queue.ts";
import type { AttemptResult, Store, Transaction } from "../../store/store.ts";
import { type Claim, LeaseLoop } from "../lease-loop.ts";
import { type CallbackTask, claimCallbacks, goneUrlJob, Slots } from "./claim.ts";
import type { Poster, PostResult } from "./post.ts";

export interface CallbackDispatcherOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly poster: Poster;
  /** The secrets that a tenant's callbacks are signed with, newest first. */
  readonly readSecrets: (tx: Transaction, owner: { tenantId: number; now: number }) => Promise<string[]>;
  /** Called when a record has scheduled a step. @default nothing */
  readonly notifyJobs?: () => void;
  /** Of the jitter of retries and rests too. @default the machine's own */
  readonly randomness?: Randomness;
  /** True if no other process sends from the store: leases found at the start are stale. @default false */
  readonly isAlone?: boolean;
  /** Maximum attempts in flight at one receiver; one tenant gets at most half. @default 16 */
  readonly perReceiver?: number;
  /** Maximum attempts in flight; one tenant gets at most half. @default 128 */
  readonly concurrency?: number;
  /** Lease of an attempt, in milliseconds. Longer than an attempt takes. @default 30000 */
  readonly leaseMs?: number;
  /** How long `stop` waits for attempts in flight, in milliseconds. @default 2000 */
  readonly drainMs?: number;
  /** How often to look for callbacks that other processes have enqueued, in milliseconds. @default never */
  readonly looksEveryMs?: number | undefined;
  /** See `LeaseLoopOptions.trustsClock`. */
  readonly trustsClock?: (() => boolean) | undefined;
  /** How far ahead a claim looks for what falls due next, in milliseconds. @default without end */
  readonly looksAheadMs?: number | undefined;
}

export interface CallbackDispatcher {
  start(): Promise<void>;
  /** Signals that a commit may have added a callback. */
  notify(): void;
  /** Whether anything is running rather than waiting for the clock. A virtual clock watches this. */
  isBusy(): boolean;
  /** Claims nothing more, and waits for the attempts in flight; those that outlast `drainMs` are made again later. */
  stop(): Promise<void>;
}

const defaults = {
  notifyJobs: () => {},
  randomness: systemRandomness,
  isAlone: false,
  perReceiver: 16,
  concurrency: 128,
  leaseMs: 30_000,
  drainMs: 2_000,
  looksEveryMs: undefined,
  trustsClock: undefined,
  looksAheadMs: undefined,
};

/** Attempts of a dead process released per unit of work: 1 to 2 ms. */
const BITE = 16;

export function createCallbackDispatcher(options: CallbackDispatcherOptions): CallbackDispatcher {
  return new LineDispatcher({ ...defaults, ...options });
}

class LineDispatcher implements CallbackDispatcher {
  readonly #settings: Required<CallbackDispatcherOptions>;
  readonly #loop: LeaseLoop<CallbackTask>;
  readonly #slots: Slots;
  readonly #floor: DueFloor;
  /** Tenants whose secrets could not be opened, as already logged. */
  readonly #unsigned = new Set<number>();

  constructor(settings: Required<CallbackDispatcherOptions>) {
    this.#settings = settings;
    this.#slots = new Slots({ total: settings.concurrency, perReceiver: settings.perReceiver });
    const { clock, randomness, logger, looksEveryMs, trustsClock } = settings;
    this.#floor = new DueFloor(clock.elapsed);
    this.#loop = new LeaseLoop({
      clock,
      randomness,
      countRoom: () => this.#slots.free,
      claim: (token) => this.#claim(token),
      perform: (task) => this.#perform(task),
      onError: (error) => logger.error({ err: error }, "callbacks could not be looked up; they are tried again"),
      looksEveryMs,
      trustsClock,
    });
  }

  async start(): Promise<void> {
    const { isAlone, store, clock } = this.#settings;
    if (isAlone) while ((await store.write((tx) => expireLeases(tx, clock.now(), BITE))) === BITE);
    this.#loop.start();
  }

  notify(): void {
    this.#loop.notify();
  }

  isBusy(): boolean {
    return this.#loop.isClaiming || this.#loop.underWay > 0;
  }

  async stop(): Promise<void> {
    const { poster, clock, drainMs } = this.#settings;
    await this.#loop.stop();
    const cancelBound = clock.after(drainMs, () => poster.close());
    await this.#loop.finish();
    cancelBound();
    poster.close();
  }

  #claim(token: string): Promise<Claim<CallbackTask>> {
    const { store, clock, leaseMs, looksAheadMs } = this.#settings;
    return store.write((tx) => {
      const now = clock.now();
      const known = new Map<number, readonly string[] | undefined>();
      const readSecrets = async (tenantId: number) => {
        if (!known.has(tenantId)) known.set(tenantId, await this.#readSecrets(tx, tenantId, now));
        return known.get(tenantId);
      };
      const nextLookAt = looksAheadMs === undefined ? undefined : now + looksAheadMs;
      const look = { floor: this.#floor, nextLookAt, slots: this.#slots.copy() };
      return claimCallbacks({ tx, now, token, leaseMs, readSecrets, ...look });
    });
  }

  /** Undefined if the tenant's secrets cannot be opened: only its own callbacks wait. */
  async #readSecrets(tx: Transaction, tenantId: number, now: number): Promise<string[] | undefined> {
    try {
      const secrets = await this.#settings.readSecrets(tx, { tenantId, now });
      this.#unsigned.delete(tenantId);
      return secrets;
    } catch (error) {
      if (!(error instanceof SealedError)) throw error;
      const text =
        "a tenant's callbacks cannot be signed, and wait: set the right MSGD_SECRET_KEY, or make a new secret with msgd callbacks secret --rotate";
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
    // before the record, which finds lines that wait for the slot
    this.#slots.leave(task.call);
    if (!isTaken(result)) {
      const details = { webhookId, tenantId, receiver, attempt: attempts + 1, outcome: result.outcome };
      logger.warn(details, "a callback was not taken");
    }
    try {
      const record = { random: randomness.fraction, freeAtReceiver: this.#slots.freeAt(receiver) };
      const { hasStep, waiting } = await store.write((tx) =>
        recordCallback(tx, task, result, { ...record, now: clock.now() }),
      );
      if (hasStep) notifyJobs();
      // if this process dies before, their holds end by themselves
      await Promise.all(waiting.map((line) => store.write((tx) => wakeLine(tx, line, clock.now()))));
    } catch (error) {
      reached("an attempt was not recorded");
      logger.error({ err: error, webhookId }, "a callback's attempt was not recorded; it is made again");
    }
    // a slot is free, and another attempt may be due
    this.#loop.notify();
  }
}

// One attempt at one callback, and the record of its outcome.

/** Posts the callback, signed now with each of the task's secrets. Never rejects. */
function postCallback(poster: Poster, { callback, secrets }: CallbackTask, clock: Clock): Promise<PostResult> {
  const { webhookId, url, body } = callback;
  const headers = {
    "content-type": "application/json",
    "user-agent": "msgd",
    ...signWebhook({ webhookId, body, now: clock.now() }, secrets),
  };
  return poster.post({ url, headers, body });
}

/** Our timeout, the system's connect timeout, and the DNS timeout. A refusal is immediate and costs nothing. */
const SILENCES: ReadonlySet<string> = new Set(["timeout", "ETIMEDOUT", "ETIMEOUT"]);

interface RecordContext {
  readonly now: number;
  readonly random: () => number;
  /** How many more attempts may be in flight at the receiver. */
  readonly freeAtReceiver: number;
}

/** What a record leaves to be done once it is committed. */
interface Recorded {
  /** Whether it scheduled a step. */
  readonly hasStep: boolean;
  /** Other tenants' lines for which the receiver has room again. Each is woken in a unit of its own, which holds it. */
  readonly waiting: readonly LineKey[];
}

/**
 * Records the attempt, when the next one is due, and whether the receiver rests. The callback stays unchanged if
 * another process took it over.
 */
async function recordCallback(
  tx: Transaction,
  task: CallbackTask,
  result: PostResult,
  { now, random, freeAtReceiver }: RecordContext,
): Promise<Recorded> {
  const { call, callback, token } = task;
  tx.note({ kind: "callback-attempt", result: classify(result) });
  holdLines(tx, call.tenantId);
  const isOurs = await releaseCall(tx, call, token);
  if (!isOurs) reached("an attempt's outcome came when the callback was another's");
  const isUnwanted = isOurs && result.status === 410;
  if (isUnwanted) await closeUrl(tx, { tenantId: call.tenantId, url: callback.url }, now);
  if (isOurs) {
    await recordOutcome(tx, task, result, { now, random });
    await refreshCall(tx, call);
  }
  await settleLine(tx, task, result, { now, random });
  await refreshLine(tx, call, now);
  return { hasStep: isUnwanted, waiting: await listWaitingLines(tx, call.receiver, freeAtReceiver) };
}

/** Stops posting to the URL for existing calls; a step gives up the waiting callbacks. */
async function closeUrl(tx: Transaction, gone: { tenantId: number; url: string }, now: number): Promise<void> {
  reached("a receiver wants nothing more");
  await markGone(tx, gone, now);
  await scheduleJob(tx, goneUrlJob(gone, now));
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
  // aborted by this server: the attempt does not count
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

/** Rests a receiver that timed out: it held a slot the whole time. Its waiting callbacks keep their attempts. */
async function settleLine(
  tx: Transaction,
  { call, rests }: CallbackTask,
  result: PostResult,
  { now, random }: { now: number; random: () => number },
): Promise<void> {
  if (SILENCES.has(result.outcome)) {
    reached("a receiver rests");
    await restLine(tx, { ...call, rests }, now + restMs(rests + 1, random));
  } else await endHold(tx, call, { isAnswered: !isInterrupted(result) });
}

/**
 * Releases up to `limit` attempts whose process is known to be dead. They do not count, as their outcome is unknown.
 * Returns how many there were.
 */
async function expireLeases(tx: Transaction, now: number, limit: number): Promise<number> {
  const calls = await listLeasedCalls(tx, limit);
  for (const call of calls) {
    reached("an attempt of a dead process is made again");
    holdLines(tx, call.tenantId);
    await refreshCall(tx, call);
    await endHold(tx, call, { isAnswered: false });
    await refreshLine(tx, call, now);
    for (const line of await listWaitingLines(tx, call.receiver, 1)) await wakeLine(tx, line, now);
  }
  return calls.length;
}

const classes: Readonly<Record<number, AttemptResult>> = { 2: "2xx", 3: "3xx", 4: "4xx", 5: "5xx" };

/** The class of an outcome: system and TLS codes are many, and a receiver may make up its status. */
function classify({ status, outcome }: PostResult): AttemptResult {
  if (status !== undefined) return classes[Math.floor(status / 100)] ?? "other";
  if (SILENCES.has(outcome)) return "timeout";
  if (outcome === "interrupted") return outcome;
  return outcome === "not allowed" || outcome === "PRIVATE_ADDRESS" ? "not_allowed" : "unreachable";
}

function isInterrupted({ outcome }: PostResult): boolean {
  return outcome === "interrupted";
}
