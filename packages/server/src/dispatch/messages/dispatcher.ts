// Dispatches accepted messages: claims what is due, hands it to the providers, and wakes when the next is due.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import { type Randomness, systemRandomness } from "../../platform/randomness.ts";
import type { ConsentPolicy, StopCoverage } from "../../rules/consent.ts";
import type { RecipientDigest } from "../../rules/erased-recipients.ts";
import { PATIENCE_MS } from "../../rules/patience.ts";
import { defaultPrices, type PriceList } from "../../rules/prices.ts";
import type { RegistrationPolicy } from "../../rules/readiness.ts";
import { OTP_VALIDITY_MS } from "../../rules/validity.ts";
import { allEnded } from "../../store/all-ended.ts";
import { expireLeases, isLeasedBy } from "../../store/outbox.ts";
import { QueueFloors } from "../../store/queue/look.ts";
import { CommitInDoubt, type Store, StoreUnavailable, type Transaction, type Work } from "../../store/store.ts";
import type { Carriers } from "../carriers/carriers.ts";
import { runUntilKnown } from "../commit-in-doubt.ts";
import type { LeaseLoop } from "../lease-loop.ts";
import type { ProviderEvent } from "../providers/provider.ts";
import { CarefulClaims } from "./careful-claims.ts";
import {
  CarriersChanged,
  type ClaimContext,
  claimDue,
  type DueLook,
  type LeftToOthers,
  type MessageClaim,
  type Task,
} from "./claim.ts";
import { createMemoryMark, type HandOverMark } from "./hand-over-mark.ts";
import { HistoryInDoubt, HistoryWatch } from "./history-watch.ts";
import { createLane } from "./lane.ts";
import { Lines } from "./lines.ts";
import { Listening } from "./listening.ts";
import { Pace } from "./pace.ts";
import { restoreWhereOlder } from "./restoration.ts";
import { TaskRunner } from "./task-runner.ts";

export interface DispatcherOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** @default the machine's own */
  readonly randomness?: Randomness;
  readonly carriers: Carriers;
  readonly consentPolicy: ConsentPolicy;
  /** @default "sms" */
  readonly stopCovers?: StopCoverage | undefined;
  readonly digestRecipient: RecipientDigest;
  /** What happens to an SMS whose sender's registration is incomplete. @default "open" */
  readonly registration?: RegistrationPolicy;
  readonly logger: Logger;
  /** @default defaultPrices */
  readonly prices?: PriceList;
  /** Called when callbacks may have been enqueued. @default nothing */
  readonly notifyCallbacks?: () => void;
  /**
   * True if no other process dispatches from the store: leases found at the start are then stale, and are not
   * waited for. @default false
   */
  readonly isAlone?: boolean;
  /** Where the last hand-over is kept. @default in memory */
  readonly mark?: HandOverMark;
  /**
   * Tells for which share of their time callers are held up, 0 to 1, as this process is saturated. While it is much, dispatch
   * takes small steps with rests between them, so that replies do not wait for a backlog; while sends come in, it waits some
   * milliseconds for more of them. @default what comes in is dispatched at once
   */
  readonly heldUp?: (() => number) | undefined;
  /** Maximum submissions in flight; questions have a quarter as many calls of their own. @default 256 */
  readonly concurrency?: number;
  /** How long a provider may take to answer, in milliseconds. @default 10000 */
  readonly callTimeoutMs?: number;
  /** How late after its acceptance a one-time password may still be handed over, in milliseconds. @default 600000 */
  readonly otpValidityMs?: number;
  /** Lease of a claim, in milliseconds. Longer than a call, so that no two processes share a message. @default 20000 */
  readonly leaseMs?: number;
  /** How long `stop` waits for calls in flight, in milliseconds. @default 5000 */
  readonly drainMs?: number;
  /** How often to look for what other processes have accepted, in milliseconds. @default never */
  readonly looksEveryMs?: number | undefined;
  /** See `LeaseLoopOptions.trustsClock`. */
  readonly trustsClock?: (() => boolean) | undefined;
  /** How far ahead a claim looks for what falls due next, in milliseconds. @default without end */
  readonly looksAheadMs?: number | undefined;
}

export interface Dispatcher {
  /** Starts listening to the providers and working on what is due. */
  start(): Promise<void>;
  /** Signals that a commit has added to the outbox. */
  notify(): void;
  /** Records what a provider of that name reports; resolves once that is durable. */
  record(provider: string, event: ProviderEvent): Promise<void>;
  /** Whether it or a provider is working rather than waiting for the clock. A virtual clock watches this. */
  isBusy(): boolean;
  /** Claims nothing more, and waits for the calls in flight; those that outlast `drainMs` are left in doubt. */
  stop(): Promise<void>;
}

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
  looksEveryMs: undefined,
  trustsClock: undefined,
  looksAheadMs: undefined,
};

/** Creates a dispatcher. Any number may share a store: no two ever handle the same message at once. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const settings = { ...defaults, ...options, mark: options.mark ?? createMemoryMark() };
  if (settings.leaseMs > settings.callTimeoutMs) return new OutboxDispatcher(settings);
  const { leaseMs, callTimeoutMs } = settings;
  throw new RangeError(`leaseMs is ${leaseMs}: it must be longer than callTimeoutMs, which is ${callTimeoutMs}.`);
}

class OutboxDispatcher implements Dispatcher {
  readonly #settings: Required<DispatcherOptions>;
  readonly #runner: TaskRunner;
  readonly #paces: readonly Pace[];
  readonly #lanes: Readonly<Record<Task["kind"], LeaseLoop<Task>>>;
  readonly #lines: Lines;
  readonly #history: HistoryWatch;
  readonly #listening = new Listening();

  constructor(settings: Required<DispatcherOptions>) {
    this.#settings = settings;
    this.#history = new HistoryWatch(settings);
    this.#lines = this.#createLines();
    const noteReach = (provider: string, unreached: string | undefined) => this.#lines.noteReach(provider, unreached);
    this.#runner = new TaskRunner({ ...settings, noteReach });
    const { clock, heldUp, concurrency } = settings;
    const [pace, questionPace] = [new Pace(clock, heldUp), new Pace(clock, heldUp)];
    this.#paces = [pace, questionPace];
    this.#lanes = {
      submit: this.#openLane("submit", { pace, concurrency }),
      find: this.#openLane("find", { pace: questionPace, concurrency: Math.ceil(concurrency / 4) }),
    };
  }

  async start(): Promise<void> {
    const { isAlone, store, clock, carriers, callTimeoutMs, logger } = this.#settings;
    // messages accepted meanwhile wait: nothing is handed over before it is known what must be asked about
    if (isAlone) await store.write((tx) => expireLeases(tx, clock.now()));
    await this.#history.begin();
    await restoreWhereOlder({ store, clock, providers: carriers.all, callTimeoutMs, logger });
    this.#listening.begin(clock.now());
    await carriers.start((provider, event) => this.record(provider, event), this.#lines);
    for (const lane of Object.values(this.#lanes)) lane.start();
  }

  notify(): void {
    for (const pace of this.#paces) pace.noteArrival();
    this.#lanes.submit.notify();
  }

  async record(provider: string, event: ProviderEvent): Promise<void> {
    if (await this.#watchWrite(this.#runner.listen(provider, event))) this.notify();
    // what it may have proved to be taken is looked at then, by this lane: it may have been the other's till now
    this.#lanes.submit.notifyAt(this.#settings.clock.now() + PATIENCE_MS);
  }

  isBusy(): boolean {
    const isWorking = this.#runner.isRecording || this.#loops.some(({ isClaiming }) => isClaiming);
    return isWorking || this.#history.isReviewing || this.#settings.carriers.isBusy();
  }

  async stop(): Promise<void> {
    const { clock, carriers, drainMs } = this.#settings;
    await Promise.all([carriers, ...this.#loops].map((part) => part.stop()));
    const cancelBound = clock.at(clock.now() + drainMs, () => this.#runner.abandonCalls());
    await Promise.all(this.#loops.map((part) => part.finish()));
    cancelBound();
  }

  get #loops(): readonly (Lines | LeaseLoop<Task>)[] {
    return [this.#lines, ...Object.values(this.#lanes)];
  }

  #openLane(kind: Task["kind"], { pace, concurrency }: { pace: Pace; concurrency: number }): LeaseLoop<Task> {
    const { clock, randomness, logger, looksEveryMs, trustsClock } = this.#settings;
    const floors = new QueueFloors(clock.elapsed);
    const careful = new CarefulClaims(this.#settings);
    return createLane({
      clock,
      randomness,
      looksEveryMs,
      trustsClock,
      pace,
      countRoom: (underWay) => concurrency - underWay,
      claim: (token, limit) =>
        careful.claim(limit, (most, noteLooked) =>
          this.#claim(token, { kind, limit: most, look: floors.beginLook(), noteLooked }),
        ),
      perform: (task) => this.#perform(task),
      onError: (error) => logger.error({ err: error }, "the outbox could not be claimed from; it is tried again"),
    });
  }

  #createLines(): Lines {
    const { store, clock, randomness, logger, looksEveryMs, trustsClock, carriers } = this.#settings;
    return new Lines({
      store,
      clock,
      randomness,
      logger,
      looksEveryMs,
      trustsClock,
      claim: async (line, token, limit, noteLooked) => {
        return this.#writeClaim(token, (tx) => line.claim(this.#contextOf(tx, token), { limit, noteLooked }));
      },
      perform: (task) => this.#perform(task),
      carriers,
      notifyOthers: () => this.notify(),
    });
  }

  async #claim(token: string, { kind, limit, look, noteLooked }: Omit<DueLook, "nextLookAt">): Promise<MessageClaim> {
    const { clock, looksAheadMs, carriers } = this.#settings;
    const claim = () =>
      this.#writeClaim(token, (tx) => {
        const nextLookAt = looksAheadMs === undefined ? undefined : clock.now() + looksAheadMs;
        return claimDue(this.#contextOf(tx, token), { kind, limit, look, noteLooked, nextLookAt });
      });
    const claimOfKnownCarriers = async () => {
      for (;;) {
        try {
          return await claim();
        } catch (error) {
          if (!(error instanceof CarriersChanged)) throw error;
          await carriers.look();
        }
      }
    };
    return this.#watchWrite(claimOfKnownCarriers());
  }

  /** Commits a claim. If the commit had no answer, looks up whether it was done: what it leased is known to nobody else. */
  async #writeClaim(token: string, work: Work<MessageClaim>): Promise<MessageClaim> {
    const { store, clock } = this.#settings;
    let claim: MessageClaim | undefined;
    try {
      claim = await store.write(async (tx) => {
        claim = undefined;
        [claim] = await allEnded([work(tx), this.#history.check(tx)]);
        return claim;
      }, "claim");
    } catch (error) {
      if (error instanceof HistoryInDoubt) await this.#history.review();
      const [first] = claim?.tasks ?? [];
      if (!(error instanceof CommitInDoubt) || claim === undefined) throw error;
      // it may have been done: whoever looks in vain loses nothing
      this.#tellOthers(claim);
      if (first === undefined) throw error;
      const lookUp = () => store.write((tx) => isLeasedBy(tx, first.message.messageId, token));
      const isDone = await runUntilKnown(lookUp, { clock, isInDoubt: true });
      if (!isDone) throw error;
      reached("a claim in doubt was done, and goes on");
      return claim;
    }
    this.#tellOthers(claim);
    return claim;
  }

  /** Notes whether the database takes what is recorded. */
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
    this.#lines.wake(entered);
    for (const kind of queued) this.#lanes[kind].notify();
    if (hasCallbacks) this.#settings.notifyCallbacks();
  }

  #contextOf(tx: Transaction, token: string): ClaimContext {
    const {
      clock,
      prices,
      leaseMs,
      callTimeoutMs,
      otpValidityMs,
      consentPolicy,
      stopCovers,
      digestRecipient,
      registration,
      carriers,
    } = this.#settings;
    const now = clock.now();
    return {
      tx,
      now,
      elapsed: clock.elapsed(),
      token,
      listeningSince: this.#listening.sinceWhen(now),
      prices,
      leaseMs,
      callTimeoutMs,
      otpValidityMs,
      consentPolicy,
      stopCovers,
      digestRecipient,
      registration,
      carriers,
    };
  }

  async #perform(task: Task): Promise<void> {
    const dueAgain = await this.#runner.perform(task);
    if (dueAgain !== undefined) this.#lanes[dueAgain.kind].notifyAt(dueAgain.dueAt);
  }
}
