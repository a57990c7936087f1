// Dispatches accepted messages. Lanes claim due messages (claim.ts), a task runner submits them (task-runner.ts), and
// the providers' answers are recorded (outcomes.ts). docs/architecture.md follows a message through these files.

import type { Carriers } from "../../carriers/carriers.ts";
import type { ProviderEvent } from "../../carriers/provider.ts";
import { defaultPrices } from "../../domain/billing/rules.ts";
import type { RecipientDigest } from "../../domain/contacts.ts";
import { expireLeases, isLeasedBy, type OutboxRow, setAside } from "../../domain/messages/outbox-rows.ts";
import { OTP_VALIDITY_MS, PATIENCE_MS, receiptDueAt } from "../../domain/messages/rules.ts";
import type { ConsentPolicy, PriceList, RegistrationPolicy, StopCoverage } from "../../domain/policies.ts";
import { reached, sometimes } from "../../platform/probes.ts";
import { systemRandomness } from "../../platform/randomness.ts";
import { allEnded } from "../../store/batching.ts";
import { QueueFloors } from "../../store/queue/engine.ts";
import { CommitInDoubt, StoreUnavailable, type Transaction, type Work } from "../../store/store.ts";
import { runUntilKnown } from "../commit-in-doubt.ts";
import { LeaseLoop, type WorkerOptions } from "../lease-loop.ts";
import { CarrierQueues, type Lane } from "./carrier-queues.ts";
import {
  CarriersChanged,
  type ClaimContext,
  claimDue,
  type DueClaimOptions,
  kindOf,
  type LeftToOthers,
  type MessageClaim,
  type NoteExamined,
  type Task,
  tookNothing,
} from "./claim.ts";
import { EventRecorder } from "./events.ts";
import type { WriteOutcome } from "./outcomes.ts";
import { Pace } from "./pace.ts";
import { createMemoryMark, type HandOverMark, HistoryInDoubt, HistoryWatch, restoreWhereOlder } from "./restoration.ts";
import { TaskRunner } from "./task-runner.ts";

export interface DispatcherOptions extends WorkerOptions {
  readonly carriers: Carriers;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  /** Decides what happens to an SMS whose sender is not fully registered. @default "open" */
  readonly registration?: RegistrationPolicy;
  /** @default defaultPrices */
  readonly prices?: PriceList;
  /** Called when callbacks may have been enqueued. @default nothing */
  readonly notifyCallbacks?: () => void;
  /** Remembers the last hand-over. @default in memory */
  readonly mark?: HandOverMark;
  /** Returns the share of their time, 0 to 1, for which callers wait for this process. See `Pace`. @default full speed */
  readonly heldUp?: (() => number) | undefined;
  /** Maximum submissions in flight. Look-ups have a quarter of this number in addition. @default 256 */
  readonly concurrency?: number;
  /** Timeout of a provider's answer, in milliseconds. @default 10000 */
  readonly callTimeoutMs?: number;
  /** Time after acceptance within which a one-time password may be handed over, in milliseconds. @default 600000 */
  readonly otpValidityMs?: number;
  /**
   * Lease of a claim, in milliseconds. Must be longer than a call, so that no two processes share a message. @default
   * 20000
   */
  readonly leaseMs?: number;
  /** Time for which `stop` waits for calls in flight, in milliseconds. @default 5000 */
  readonly drainMs?: number;
}

/** While this much long content is in memory, nothing more is claimed. Short contents never add up to it. */
const MOST_HELD_BYTES = 16 * 1_048_576;
/** Time for which a message is set aside if it could not be handled. */
const SET_ASIDE_MS = 5 * 60_000;
/** Outage after which carriers repeat their reports only at long intervals. */
const NOTICED_MS = 10 * 60_000;

const defaults = {
  randomness: systemRandomness,
  registration: "open" as const,
  stopCovers: "sms" as const,
  prices: defaultPrices,
  notifyCallbacks: () => {},
  isAlone: false,
  heldUp: undefined,
  concurrency: 256,
  callTimeoutMs: 10_000,
  leaseMs: 20_000,
  otpValidityMs: OTP_VALIDITY_MS,
  drainMs: 5_000,
  pollIntervalMs: undefined,
  trustsClock: undefined,
  dueHorizonMs: undefined,
};

/** Creates a dispatcher. Any number may share a store, and no two handle the same message at once. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const settings = { ...defaults, ...options, mark: options.mark ?? createMemoryMark() };
  if (settings.leaseMs > settings.callTimeoutMs) return new Dispatcher(settings);
  const { leaseMs, callTimeoutMs } = settings;
  throw new RangeError(`leaseMs is ${leaseMs}: it must be longer than callTimeoutMs, which is ${callTimeoutMs}.`);
}

export class Dispatcher {
  readonly #settings: Required<DispatcherOptions>;
  readonly #runner: TaskRunner;
  readonly #events: EventRecorder;
  readonly #paces: readonly Pace[];
  readonly #lanes: Readonly<Record<Task["kind"], LeaseLoop<Task>>>;
  readonly #queues: CarrierQueues;
  readonly #history: HistoryWatch;
  readonly #listening = new Listening();
  /** Number of outcomes being recorded. Calls to providers do not count, because they may wait for the clock. */
  #outcomes = 0;

  constructor(settings: Required<DispatcherOptions>) {
    this.#settings = settings;
    this.#history = new HistoryWatch(settings);
    this.#queues = new CarrierQueues({
      ...settings,
      openLane: (lane) => this.#openLane(lane),
      claim: (token, work) => this.#commitClaim(token, work),
      notifyOthers: () => this.notify(),
    });
    const noteReach = (provider: string, unreached: string | undefined) => this.#queues.noteReach(provider, unreached);
    const write: WriteOutcome = (work, priority) => this.#writeOutcome(work, priority);
    this.#runner = new TaskRunner({ ...settings, write, noteReach });
    this.#events = new EventRecorder({ ...settings, write });
    const { clock, heldUp, concurrency } = settings;
    const [pace, lookupPace] = [new Pace(clock, heldUp), new Pace(clock, heldUp)];
    this.#paces = [pace, lookupPace];
    // separate lanes, so that slow look-ups do not delay sends, and slow sends do not delay look-ups
    this.#lanes = {
      submit: this.#openDueLane("submit", pace, concurrency),
      find: this.#openDueLane("find", lookupPace, Math.ceil(concurrency / 4)),
    };
  }

  /** Starts receiving reports from providers and handling due messages. */
  async start(): Promise<void> {
    const { isAlone, store, clock, carriers, callTimeoutMs, logger } = this.#settings;
    // nothing is handed over until it is known which messages must be looked up first
    if (isAlone) await store.write((tx) => expireLeases(tx, clock.now()));
    await this.#history.begin();
    await restoreWhereOlder({ store, clock, providers: carriers.all, callTimeoutMs, logger });
    this.#listening.begin(clock.now());
    await carriers.start((provider, event) => this.record(provider, event), this.#queues);
    for (const lane of Object.values(this.#lanes)) lane.start();
  }

  /** Signals that a commit has added to the outbox. */
  notify(): void {
    for (const pace of this.#paces) pace.noteArrival();
    this.#lanes.submit.notify();
  }

  /** Records a report of the provider with this name. Resolves when the report is durable. */
  async record(provider: string, event: ProviderEvent): Promise<void> {
    if (await this.#watchWrite(this.#events.record(provider, event))) this.notify();
    // if the event proved that the carrier accepted the message, the submit lane must claim it when its receipt is due
    const { carriers, clock } = this.#settings;
    const isReviewed = carriers.named(provider)?.review !== undefined;
    this.#lanes.submit.notifyAt(receiptDueAt(clock.now(), isReviewed));
  }

  /** Whether the dispatcher or a provider is working rather than waiting for the clock. A virtual clock polls this. */
  isBusy(): boolean {
    const isWorking = this.#outcomes > 0 || this.#loops.some(({ isClaiming }) => isClaiming);
    return isWorking || this.#history.isReviewing || this.#settings.carriers.isBusy();
  }

  /** Stops claiming, and waits for the calls in flight. Calls that outlast `drainMs` are left in doubt. */
  async stop(): Promise<void> {
    const { clock, carriers, drainMs } = this.#settings;
    await Promise.all([carriers, ...this.#loops].map((part) => part.stop()));
    const cancelBound = clock.at(clock.now() + drainMs, () => this.#runner.abandonCalls());
    await Promise.all(this.#loops.map((part) => part.finish()));
    cancelBound();
  }

  get #loops(): readonly (CarrierQueues | LeaseLoop<Task>)[] {
    return [this.#queues, ...Object.values(this.#lanes)];
  }

  /** Opens the lane for one kind of claim. Messages in a carrier's queue have that queue's own lane. */
  #openDueLane(kind: Task["kind"], pace: Pace, concurrency: number): LeaseLoop<Task> {
    const { clock, logger } = this.#settings;
    const floors = new QueueFloors(clock.elapsed);
    return this.#openLane({
      pace,
      countRoom: (underWay) => concurrency - underWay,
      claim: (token, limit, noteExamined) =>
        this.#watchWrite(this.#claimDue(token, { kind, limit, scan: floors.beginScan(), noteExamined })),
      onError: (error) => logger.error({ err: error }, "failed to claim messages from the outbox; retrying"),
    });
  }

  /**
   * Opens a lane that claims at its pace and performs the tasks. It claims nothing while too much long content is in
   * memory.
   */
  #openLane({ pace, countRoom, claim, onError, leavesRoom = false }: Lane): LeaseLoop<Task> {
    const { clock, randomness, pollIntervalMs, trustsClock } = this.#settings;
    const careful = new CarefulClaims(this.#settings);
    let heldBytes = 0;
    return new LeaseLoop({
      clock,
      randomness,
      pollIntervalMs,
      trustsClock,
      leavesRoom,
      onError,
      restsUntil: () => pace.restsUntil,
      countRoom: (underWay) => (heldBytes < MOST_HELD_BYTES ? countRoom(underWay) : 0),
      claim: async (token, room) => {
        let found: Pick<MessageClaim, "oldestDueAt" | "isMoreDue"> = { oldestDueAt: undefined, isMoreDue: false };
        try {
          const most = pace.beginClaim();
          const limit = sometimes("a claim is of one") ? 1 : Math.min(most, room);
          const claimed = await careful.claim(limit, (some, noteExamined) => claim(token, some, noteExamined));
          found = claimed;
          return claimed;
        } finally {
          pace.endClaim(found);
        }
      },
      perform: async (task) => {
        const bytes = task.kind === "submit" ? (task.message.longBytes ?? 0) : 0;
        heldBytes += bytes;
        try {
          const dueAgain = await this.#runner.perform(task);
          if (dueAgain !== undefined) this.#lanes[dueAgain.kind].notifyAt(dueAgain.dueAt);
        } finally {
          heldBytes -= bytes;
        }
      },
    });
  }

  /** Claims due messages. If carriers were set or removed in the meantime, reloads the carriers and claims again. */
  async #claimDue(token: string, options: Omit<DueClaimOptions, "nextClaimBy">): Promise<MessageClaim> {
    const { clock, dueHorizonMs, carriers } = this.#settings;
    for (;;) {
      try {
        return await this.#commitClaim(token, (context) => {
          const nextClaimBy = dueHorizonMs === undefined ? undefined : clock.now() + dueHorizonMs;
          return claimDue(context, { ...options, nextClaimBy });
        });
      } catch (error) {
        if (!(error instanceof CarriersChanged)) throw error;
        await carriers.refresh();
      }
    }
  }

  /**
   * Commits a claim. If the commit is in doubt, finds out whether it succeeded, because no other process knows its
   * leases.
   */
  async #commitClaim(token: string, work: (context: ClaimContext) => Promise<MessageClaim>): Promise<MessageClaim> {
    const { store, clock } = this.#settings;
    let claim: MessageClaim | undefined;
    try {
      claim = await store.write(async (tx) => {
        claim = undefined;
        [claim] = await allEnded([work(this.#contextOf(tx, token)), this.#history.check(tx, { isOfAll: true })]);
        return claim;
      }, "claim");
    } catch (error) {
      if (error instanceof HistoryInDoubt) await this.#history.review();
      const [first] = claim?.tasks ?? [];
      if (!(error instanceof CommitInDoubt) || claim === undefined) throw error;
      // the claim may have been committed, and an extra claim does no harm
      this.#tellOthers(claim);
      if (first === undefined) throw error;
      const lookUp = () => store.write((tx) => isLeasedBy(tx, first.message.messageId, token));
      const isDone = await runUntilKnown(lookUp, { clock, isInDoubt: true });
      if (!isDone) throw error;
      reached("a claim in doubt had been committed");
      return claim;
    }
    this.#tellOthers(claim);
    return claim;
  }

  /** Commits outcomes, hand-overs and events of messages. `isBusy` counts these writes. */
  async #writeOutcome<T>(work: Work<T>, priority?: "together"): Promise<T> {
    this.#outcomes += 1;
    try {
      return await this.#settings.store.write(async (tx) => {
        // the check is sent first and together with the work, so that it needs no extra round trip
        const [, done] = await allEnded([this.#history.check(tx, { isOfAll: false }), work(tx)]);
        return done;
      }, priority);
    } catch (error) {
      if (error instanceof HistoryInDoubt && !this.#history.isReviewing) await this.#history.review();
      throw error;
    } finally {
      this.#outcomes -= 1;
    }
  }

  /** Tells `Listening` whether the database accepts writes. */
  async #watchWrite<T>(write: Promise<T>): Promise<T> {
    const { clock } = this.#settings;
    try {
      const done = await write;
      this.#listening.noteSuccess(clock.now());
      return done;
    } catch (error) {
      if (error instanceof StoreUnavailable) this.#listening.noteFailure(clock.now());
      throw error;
    }
  }

  #tellOthers({ entered, queued, hasCallbacks }: LeftToOthers): void {
    this.#queues.wake(entered);
    for (const kind of queued) this.#lanes[kind].notify();
    if (hasCallbacks) this.#settings.notifyCallbacks();
  }

  #contextOf(tx: Transaction, token: string): ClaimContext {
    const { clock } = this.#settings;
    const now = clock.now();
    const listeningSince = this.#listening.sinceWhen(now);
    return { tx, now, elapsed: clock.elapsed(), token, listeningSince, ...this.#settings };
  }
}

/**
 * Claims of one lane. A message that cannot be handled would make every claim fail and so delay all other messages. So
 * after a failure, the same messages are claimed one by one, and the faulty one is set aside.
 */
class CarefulClaims {
  readonly #options: Pick<Required<DispatcherOptions>, "store" | "clock" | "logger">;
  /** Number of further claims that must take one message each. */
  #left = 0;

  constructor(options: Pick<Required<DispatcherOptions>, "store" | "clock" | "logger">) {
    this.#options = options;
  }

  /** Runs a claim. If a single message made it fail, sets that message aside; otherwise rejects like the claim. */
  async claim(
    limit: number,
    claimSome: (limit: number, noteExamined: NoteExamined) => Promise<MessageClaim>,
  ): Promise<MessageClaim> {
    let examined: readonly OutboxRow[] = [];
    const noteExamined: NoteExamined = (rows) => {
      examined = rows;
    };
    try {
      const claimed = await claimSome(this.#left > 0 ? 1 : limit, noteExamined);
      this.#left = Math.max(0, this.#left - 1);
      return claimed;
    } catch (error) {
      const [first] = examined;
      if (first === undefined || error instanceof StoreUnavailable || error instanceof CommitInDoubt) throw error;
      if (examined.length > 1) {
        this.#left = examined.length;
        throw error;
      }
      await this.#setAside(first, error);
      const queued = new Set([kindOf(first.state)]);
      return { ...tookNothing, examined: 1, queued, isMoreDue: true, oldestDueAt: first.dueAt, nextDueAt: undefined };
    }
  }

  async #setAside(row: OutboxRow, error: unknown): Promise<void> {
    const { store, clock, logger } = this.#options;
    const { messageId } = row;
    logger.error({ err: error, messageId }, "a message could not be handled, and is set aside for 5 minutes");
    await store.write((tx) => {
      const now = clock.now();
      return setAside(tx, row, { now, dueAt: now + SET_ASIDE_MS, giveUpAt: row.giveUpAt ?? now + PATIENCE_MS });
    });
  }
}

/** Tracks since when reports of carriers have been recorded: since the start, or since the end of a long database outage. */
export class Listening {
  #since = Number.POSITIVE_INFINITY;
  #failsSince: number | undefined;

  begin(now: number): void {
    this.#since = now;
  }

  /**
   * Returns the time since which reports have been recorded, in epoch milliseconds, provided that the database accepts
   * writes at `now`. Infinity before `begin`.
   */
  sinceWhen(now: number): number {
    const hasFailedLong = this.#failsSince !== undefined && now - this.#failsSince >= NOTICED_MS;
    return hasFailedLong ? now : this.#since;
  }

  /** Records that the database could not be written to. */
  noteFailure(now: number): void {
    this.#failsSince ??= now;
  }

  /** Records that the database was written to. */
  noteSuccess(now: number): void {
    this.#since = this.sinceWhen(now);
    this.#failsSince = undefined;
  }
}
