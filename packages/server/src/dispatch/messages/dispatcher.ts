// Moves accepted messages on: claims what is due, hands it to the providers, and wakes for whatever is due next.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { Channel, ConsentPolicy } from "../../rules/consent.ts";
import { defaultPrices, type PriceList } from "../../rules/prices.ts";
import type { RegistrationPolicy } from "../../rules/readiness.ts";
import { expireLeases } from "../../store/outbox.ts";
import type { Store } from "../../store/store.ts";
import type { LeaseLoop } from "../lease-loop.ts";
import type { Provider } from "../providers/provider.ts";
import { claimDue, type MessageClaim, type Task } from "./claim.ts";
import { createLane } from "./lane.ts";
import { Pace } from "./pace.ts";
import { restoreWhereOlder } from "./restoration.ts";
import { TaskRunner } from "./task-runner.ts";

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
  readonly #providers: ReadonlySet<Provider>;
  readonly #paces: readonly Pace[];
  readonly #submissions: LeaseLoop<Task>;
  readonly #questions: LeaseLoop<Task>;
  readonly #lanes: readonly LeaseLoop<Task>[];

  constructor(settings: Required<DispatcherOptions>) {
    this.#settings = settings;
    this.#runner = new TaskRunner(settings);
    this.#providers = new Set(Object.values(settings.providers));
    const { clock, isLoaded, concurrency } = settings;
    const [pace, questionPace] = [new Pace(clock, isLoaded), new Pace(clock, isLoaded)];
    this.#paces = [pace, questionPace];
    this.#submissions = this.#openLane("submit", { pace, concurrency });
    this.#questions = this.#openLane("find", { pace: questionPace, concurrency: Math.ceil(concurrency / 4) });
    this.#lanes = [this.#submissions, this.#questions];
  }

  async start(): Promise<void> {
    const { isAlone, store, clock, callTimeoutMs, logger } = this.#settings;
    // whatever is accepted meanwhile waits: nothing is handed over before it is known what has to be asked about
    if (isAlone) await store.write((tx) => expireLeases(tx, clock.now()));
    await restoreWhereOlder({ store, clock, providers: this.#providers, callTimeoutMs, logger });
    for (const provider of this.#providers) {
      provider.start(async (event) => {
        if (await this.#runner.listen(provider, event)) this.notify();
      });
    }
    for (const lane of this.#lanes) lane.start();
  }

  notify(): void {
    for (const pace of this.#paces) pace.noteArrival();
    this.#submissions.notify();
  }

  isBusy(): boolean {
    if (this.#runner.isRecording || this.#lanes.some(({ isClaiming }) => isClaiming)) return true;
    return Array.from(this.#providers).some((provider) => provider.isBusy());
  }

  async stop(): Promise<void> {
    const { clock, drainMs } = this.#settings;
    await Promise.all([...this.#providers, ...this.#lanes].map((part) => part.stop()));
    const cancelBound = clock.at(clock.now() + drainMs, () => this.#runner.abandonCalls());
    await Promise.all(this.#lanes.map((lane) => lane.finish()));
    cancelBound();
  }

  #openLane(kind: Task["kind"], { pace, concurrency }: { pace: Pace; concurrency: number }): LeaseLoop<Task> {
    const { clock, logger } = this.#settings;
    return createLane({
      clock,
      pace,
      concurrency,
      claim: (token, limit) => this.#claim(kind, token, limit),
      perform: (task) => this.#perform(task),
      onError: (error) => logger.error({ err: error }, "the outbox could not be claimed from; it is tried again"),
    });
  }

  async #claim(kind: Task["kind"], token: string, limit: number): Promise<MessageClaim> {
    const { store, clock, prices, leaseMs, consentPolicy, registration, providers } = this.#settings;
    const findProviderName = (channel: Channel) => providers[channel]?.name;
    const claim = await store.write((tx) => {
      const now = clock.now();
      const context = { tx, now, prices, token, leaseMs, consentPolicy, registration, findProviderName };
      return claimDue(context, kind, limit);
    });
    if (claim.looked > claim.tasks.length) {
      // some may have ended without a task, or stand in line for a question now
      this.#settings.notifyCallbacks();
      this.#questions.notify();
    }
    // a process that died may have left work in either line
    if (claim.nextDueAt !== undefined) for (const lane of this.#lanes) lane.notifyAt(claim.nextDueAt);
    return claim;
  }

  async #perform(task: Task): Promise<void> {
    const dueAgain = await this.#runner.perform(task);
    // as a submission or as a question
    if (dueAgain !== undefined) for (const lane of this.#lanes) lane.notifyAt(dueAgain);
  }
}
