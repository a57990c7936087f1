// Moves accepted messages on: claims what is due, hands it to the providers, and wakes for whatever is due next.

import { randomBytes } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Channel, ConsentPolicy } from "../rules/consent.ts";
import { defaultPrices, type PriceList } from "../rules/prices.ts";
import type { RegistrationPolicy } from "../rules/readiness.ts";
import { expireLeases, findNextDue, findNextQuestionDue } from "../store/outbox.ts";
import type { Store } from "../store/store.ts";
import { Alarm } from "./alarm.ts";
import { type Claim, claimDue, type Task } from "./claim.ts";
import { Lane } from "./lane.ts";
import { Pace } from "./pace.ts";
import type { Provider } from "./providers/provider.ts";
import { restoreWhereOlder } from "./restoration.ts";
import { type Logger, TaskRunner } from "./task-runner.ts";

export interface DispatcherOptions {
  readonly store: Store;
  readonly clock: Clock;
  /** Who carries each channel; one provider may carry several. */
  readonly providers: Partial<Record<Channel, Provider>>;
  readonly consentPolicy: ConsentPolicy;
  /** What becomes of an SMS whose sender's registration is not complete. @default "open" */
  readonly registration?: RegistrationPolicy;
  readonly logger: Logger;
  /** @default defaultPrices */
  readonly prices?: PriceList;
  /** Told when a call has moved, of which its callback URL may have to be told. @default nothing */
  readonly notifyCallbacks?: () => void;
  /**
   * True where no other process dispatches from the store: leases found at the start are then a dead process's, and
   * are not waited for. @default false
   */
  readonly isAlone?: boolean;
  /**
   * Whether this process has no time to spare. While it has none and sends come in, dispatch takes small steps with
   * rests between them, lest replies wait for a backlog. @default never
   */
  readonly isLoaded?: () => boolean;
  /** Submissions under way at once; questions have a quarter as many calls of their own. @default 256 */
  readonly concurrency?: number;
  /** How long a provider may take to answer, in milliseconds. @default 10000 */
  readonly callTimeoutMs?: number;
  /** How long a claim is held, in milliseconds. Longer than a call, lest a message be in two hands. @default 20000 */
  readonly leaseMs?: number;
  /** How long `stop` waits for calls under way, in milliseconds. @default 5000 */
  readonly drainMs?: number;
}

export interface Dispatcher {
  /** Begins to listen to the providers, and to work on what is due. */
  start(): Promise<void>;
  /** Says that a commit has added to the outbox. */
  notify(): void;
  /** Works on what is due now until nothing is. Returns how many times it looked at a message. */
  runDue(): Promise<number>;
  /** When a message next has to be looked at, in epoch milliseconds; undefined when none has. */
  nextDueAt(): Promise<number | undefined>;
  /** Whether it or a provider is at work now, rather than waiting for the clock: what a virtual clock watches. */
  isBusy(): boolean;
  /** Takes nothing more, and waits for the calls under way; those that outlast `drainMs` are left in doubt. */
  stop(): Promise<void>;
}

const defaults = {
  registration: "open" as const,
  prices: defaultPrices,
  notifyCallbacks: () => {},
  isAlone: false,
  isLoaded: () => false,
  concurrency: 256,
  callTimeoutMs: 10_000,
  leaseMs: 20_000,
  drainMs: 5_000,
};

/** How soon a claim that the store did not take is tried again. */
const RETRY_MS = 1_000;

/** Makes a dispatcher. Any number of them may share a store: a message is never in the hands of two. */
export function createDispatcher(options: DispatcherOptions): Dispatcher {
  const settings = { ...defaults, ...options };
  if (settings.leaseMs > settings.callTimeoutMs) return new OutboxDispatcher(settings);
  const { leaseMs, callTimeoutMs } = settings;
  throw new RangeError(`leaseMs is ${leaseMs}: it must be longer than callTimeoutMs, which is ${callTimeoutMs}.`);
}

class OutboxDispatcher implements Dispatcher {
  readonly #settings: Required<DispatcherOptions>;
  readonly #runner: TaskRunner;
  readonly #alarm: Alarm;
  readonly #providers: ReadonlySet<Provider>;
  readonly #submissions: Lane;
  readonly #questions: Lane;
  readonly #lanes: readonly Lane[];
  /** Tells the leases of this dispatcher from those of any other, ever. */
  readonly #name = randomBytes(8).toString("hex");
  #claims = 0;
  #claiming: Promise<void> | undefined;
  #looked = 0;
  #isStarting = false;
  #isStopped = false;

  constructor(settings: Required<DispatcherOptions>) {
    this.#settings = settings;
    this.#runner = new TaskRunner(settings);
    this.#alarm = new Alarm(settings.clock, () => this.#wake());
    const { clock, isLoaded, concurrency } = settings;
    this.#submissions = new Lane("submit", { concurrency, pace: new Pace(clock, isLoaded) });
    const share = Math.ceil(concurrency / 4);
    this.#questions = new Lane("find", { concurrency: share, pace: new Pace(clock, isLoaded) });
    this.#lanes = [this.#submissions, this.#questions];
    this.#providers = new Set(Object.values(settings.providers));
  }

  async start(): Promise<void> {
    const { isAlone, store, clock, callTimeoutMs, logger } = this.#settings;
    // whatever is accepted meanwhile waits: nothing is handed over before it is known what has to be asked about
    this.#isStarting = true;
    if (isAlone) await store.write((tx) => expireLeases(tx, clock.now()));
    await restoreWhereOlder({ store, clock, providers: this.#providers, callTimeoutMs, logger });
    this.#isStarting = false;
    for (const provider of this.#providers) {
      provider.start(async (event) => {
        if (await this.#runner.listen(provider, event)) this.notify();
      });
    }
    this.#wake();
  }

  notify(): void {
    for (const { pace } of this.#lanes) pace.noteArrival();
    this.#wake([this.#submissions]);
  }

  async runDue(): Promise<number> {
    const lookedBefore = this.#looked;
    let lookedLast: number;
    do {
      lookedLast = this.#looked;
      for (const lane of this.#lanes) lane.isNotified = true;
      await this.#claimAll();
      await this.#callsEnd();
      // still notified: it could not look, as every call was taken
    } while (this.#looked > lookedLast || this.#lanes.some(({ isNotified }) => isNotified));
    return this.#looked - lookedBefore;
  }

  nextDueAt(): Promise<number | undefined> {
    return this.#settings.store.read(async (tx) => {
      const dues = [await findNextDue(tx), await findNextQuestionDue(tx)].filter((dueAt) => dueAt !== undefined);
      return dues.length === 0 ? undefined : Math.min(...dues);
    });
  }

  isBusy(): boolean {
    if (this.#claiming !== undefined || this.#runner.isRecording) return true;
    return Array.from(this.#providers).some((provider) => provider.isBusy());
  }

  async stop(): Promise<void> {
    const { clock, drainMs } = this.#settings;
    this.#isStopped = true;
    await Promise.all(Array.from(this.#providers, (provider) => provider.stop()));
    await this.#claiming;
    this.#alarm.clear();
    const cancelBound = clock.at(clock.now() + drainMs, () => this.#runner.abandonCalls());
    await this.#callsEnd();
    cancelBound();
  }

  #wake(lanes = this.#lanes): void {
    for (const lane of lanes) {
      lane.isNotified = true;
      const { restsUntil } = lane.pace;
      if (restsUntil !== undefined) this.#alarm.set(restsUntil);
    }
    void this.#claimAll();
  }

  /** One round at a time. Whoever notifies during a round has it look once more. */
  async #claimAll(): Promise<void> {
    if (this.#claiming === undefined && this.#mayClaim()) this.#claiming = this.#claimRound();
    await this.#claiming;
  }

  #mayClaim(): boolean {
    return this.#lanes.some((lane) => this.#mayClaimFor(lane));
  }

  #mayClaimFor(lane: Lane): boolean {
    return !this.#isStarting && !this.#isStopped && lane.isReady;
  }

  /** Claims until nothing more is due, or every call is taken: then the next call that ends begins another round. */
  async #claimRound(): Promise<void> {
    while (this.#mayClaim()) {
      for (const lane of this.#lanes) if (this.#mayClaimFor(lane)) await this.#claimFor(lane);
    }
    // not in a `finally` of the caller: a notification could slip in between and be lost
    this.#claiming = undefined;
  }

  async #claimFor(lane: Lane): Promise<void> {
    lane.isNotified = false;
    const limit = Math.min(lane.pace.beginClaim(), lane.room);
    const { tasks, looked, isMoreDue, oldestDueAt, nextDueAt } = await this.#claim(lane, limit);
    lane.pace.endClaim(oldestDueAt);
    if (looked > tasks.length) {
      // some may have ended without a task, or stand in line for a question now
      this.#settings.notifyCallbacks();
      this.#questions.isNotified = true;
    }
    for (const task of tasks) this.#begin(lane, task);
    this.#looked += looked;
    if (isMoreDue) lane.isNotified = true;
    const wakeAt = lane.pace.restsUntil ?? (isMoreDue ? undefined : nextDueAt);
    if (wakeAt !== undefined) this.#alarm.set(wakeAt);
  }

  async #claim({ kind }: Lane, limit: number): Promise<Claim> {
    const { store, clock, prices, leaseMs, consentPolicy, registration, providers, logger } = this.#settings;
    this.#claims += 1;
    const token = `${this.#name}-${this.#claims}`;
    const providerNameOf = (channel: Channel) => providers[channel]?.name;
    try {
      return await store.write((tx) => {
        const now = clock.now();
        const context = { tx, now, prices, token, leaseMs, consentPolicy, registration, providerNameOf };
        return claimDue(context, kind, limit);
      });
    } catch (error) {
      logger.error({ err: error }, "the outbox could not be claimed from; it is tried again");
      return { tasks: [], looked: 0, isMoreDue: false, oldestDueAt: undefined, nextDueAt: clock.now() + RETRY_MS };
    }
  }

  #begin(lane: Lane, task: Task): void {
    const { underWay } = lane;
    const heldBytes = task.kind === "submit" ? (task.message.longBytes ?? 0) : 0;
    lane.heldBytes += heldBytes;
    const call = this.#runner.perform(task).then((dueAgain) => {
      underWay.delete(call);
      lane.heldBytes -= heldBytes;
      if (this.#isStopped) return;
      if (dueAgain !== undefined) this.#alarm.set(dueAgain);
      void this.#claimAll();
    });
    underWay.add(call);
  }

  async #callsEnd(): Promise<void> {
    await Promise.all(this.#lanes.flatMap(({ underWay }) => [...underWay]));
  }
}
