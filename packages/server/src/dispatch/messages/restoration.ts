// Detects a database that is older than what its carriers were given. At the start it was restored; while the server runs,
// it does not know the last hand-over. Carriers are asked about its waiting messages before these are sent.

import type { Provider } from "../../carriers/provider.ts";
import { PATIENCE_MS } from "../../domain/messages/rules.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import {
  agreeOnTimeline,
  findHistory,
  findStanding,
  findTimelineRefusal,
  lockStanding,
  lookAtTimeline,
  renewHistory,
  type Standing,
} from "../../store/lineage.ts";
import {
  askAgain,
  beginRestoration,
  beginSuspicion,
  type Doubts,
  findCarrierMark,
  isSubmitted,
  saveCarrierMark,
} from "../../store/restorations.ts";
import { type Store, StoreUnavailable, type Transaction } from "../../store/store.ts";
import { ProviderCalls } from "../provider-calls.ts";

/**
 * Number of its newest messages that a carrier is asked for. A submission is on disk before the carrier hears of it. Only
 * the dispatcher's calls overtake each other, so any missing message shows among these.
 */
const NEWEST = 1_024;
/** Time for instances to compare: each reads the database once a second, if it can reach it. */
export const COMPARING_MS = 20_000;

/** Messages in doubt, and the number of those that carriers had, which are also asked about. */
export interface Restored extends Doubts {
  readonly underWay: number;
}

/**
 * Begins a restoration: the carriers are ahead of the database, and are asked about all messages that wait or that they
 * had. `isServed`: other instances may serve the database meanwhile.
 */
export async function restore(tx: Transaction, now: number, { isServed = false } = {}): Promise<Restored> {
  const start = { now, patienceMs: PATIENCE_MS, isServed };
  await renewHistory(tx, tx.randomness.bytes(16).toString("hex"));
  const doubts = await beginRestoration(tx, start);
  return { ...doubts, underWay: await askAgain(tx, start) };
}

interface Circumstances {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * Begins a restoration, before anything is submitted, if a carrier was given messages unknown to the database. A carrier
 * that does not answer within `callTimeoutMs` is asked about all messages that wait for it.
 */
export async function restoreWhereOlder({
  providers,
  callTimeoutMs,
  ...circumstances
}: Circumstances & { providers: Iterable<Provider>; callTimeoutMs: number }): Promise<void> {
  const { store, clock } = circumstances;
  const calls = new ProviderCalls(clock, callTimeoutMs);
  for (const provider of providers) {
    const history = await store.read(findHistory);
    const listing = calls.run(async ({ signal }) => (await provider.listNewest?.(NEWEST, signal)) ?? []);
    await listing.then(
      (newest) => compare(circumstances, { name: provider.name, newest, history }),
      (error: unknown) => suspect(circumstances, provider, error),
    );
  }
}

/** Messages that a carrier was given, newest first, and the history of the database when it was asked. */
interface Listed {
  readonly name: string;
  readonly newest: readonly string[];
  readonly history: string;
}

async function compare({ store, clock, logger }: Circumstances, listed: Listed): Promise<void> {
  const restored = await store.write((tx) => restoreIfOlder(tx, listed, clock.now()));
  if (restored === undefined) return;
  const text =
    "the database is older than what its carrier was given: its carrier is asked about waiting messages before they are sent";
  logger.warn({ provider: listed.name, ...restored }, text);
}

/** Puts waiting messages in doubt, but none that the carrier had: most likely nothing was restored. */
async function suspect({ store, clock, logger }: Circumstances, { name }: Provider, error: unknown): Promise<void> {
  reached("a carrier does not say what it was given");
  const doubts = await store.write((tx) => beginSuspicion(tx, name, { now: clock.now(), patienceMs: PATIENCE_MS }));
  const text = "a carrier did not say what it was given: it is asked about waiting messages before they are sent";
  logger.warn({ err: error, provider: name, ...doubts }, text);
}

async function restoreIfOlder(tx: Transaction, listed: Listed, now: number): Promise<Restored | undefined> {
  const [first] = listed.newest;
  if (first === undefined || !(await isOlder(tx, listed))) return undefined;
  // several instances may notice at once: one restores
  await lockStanding(tx);
  if ((await findHistory(tx)) !== listed.history) return undefined;
  reached("a database is older than what its carrier was given");
  await saveCarrierMark(tx, listed.name, first);
  return restore(tx, now, { isServed: true });
}

async function isOlder(tx: Transaction, { name, newest }: Listed): Promise<boolean> {
  const mark = await findCarrierMark(tx, name);
  for (const messageId of newest) {
    if (messageId === mark) return false;
    if (!(await isSubmitted(tx, messageId))) return true;
  }
  return false;
}

/** A message that left for a carrier, kept outside the database. One that went back does not know it. */
export interface HandOver {
  readonly messageId: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/**
 * Keeps the hand-overs that may have been committed last. If a database that went back lost any, it lost one of these. They are
 * more than one because PostgreSQL may answer commits in another order than it made them.
 */
export interface HandOverMark {
  /** Oldest answer first. Another array after each change. */
  readonly latest: readonly HandOver[];
  /**
   * Keeps a hand-over in place of `earlier`, which were kept before its transaction began. Resolves once it is kept. No
   * message leaves before.
   */
  note(handOver: HandOver, earlier: readonly HandOver[]): Promise<void>;
  /** Forgets hand-overs, once a database that does not know one of them was dealt with. */
  forget(handOvers: readonly HandOver[]): void;
  close(): void;
}

/** Keeps the last hand-overs in memory: for instances that share a database, each of which knows what it gave away. */
export function createMemoryMark(): HandOverMark {
  let latest: readonly HandOver[] = [];
  const forget = (handOvers: readonly HandOver[]) => {
    const gone = new Set(handOvers);
    latest = latest.filter((handOver) => !gone.has(handOver));
  };
  return {
    get latest() {
      return latest;
    },
    async note(handOver, earlier) {
      forget(earlier);
      latest = [...latest, handOver];
    },
    forget,
    close() {},
  };
}

/** Thrown if the database may have gone back: dispatch may write nothing before `HistoryWatch.review`. */
export class HistoryInDoubt extends StoreUnavailable {
  override readonly name = "HistoryInDoubt";
}

export interface HistoryWatchOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
  readonly mark: HandOverMark;
  /** Whether no other process works on the database, which then cannot go back under this one. */
  readonly isAlone: boolean;
  /** See `WorkerOptions.trustsClock`. The clock measures how long instances have compared. */
  readonly trustsClock?: (() => boolean) | undefined;
}

/**
 * Notices, while the server runs, a database that is older than what instances handed over, such as a promoted standby
 * without the last commits. Each instance knows its own hand-overs only, so on another timeline all compare before any claims.
 */
export class HistoryWatch {
  readonly #options: HistoryWatchOptions;
  /** History of the database when it was last seen. */
  #history: string | null | undefined;
  /** Timeline on which all that this process handed over last was looked for. */
  #timeline: string | null = null;
  /** Timeline that was logged. */
  #told: string | undefined;
  #reviews = 0;
  #tellsTimeline = true;

  constructor(options: HistoryWatchOptions) {
    this.#options = options;
  }

  get isReviewing(): boolean {
    return this.#reviews > 0;
  }

  /** Finds out whether the database shows its timeline, and reviews it. */
  async begin(): Promise<void> {
    const { store, logger } = this.#options;
    const code = await findTimelineRefusal(store);
    this.#tellsTimeline = code === undefined;
    if (code !== undefined) {
      const text =
        "this PostgreSQL does not show its timeline: an instance notices that the database went back only by its own last hand-over";
      logger.warn({ code }, text);
    }
    await this.review();
  }

  /**
   * Throws `HistoryInDoubt` if the database may have gone back. Each transaction of dispatch does this: its writes could make
   * the database know a message whose hand-over it lost. `isOfAll`: looks at all that was handed over last, not at one.
   */
  async check(tx: Transaction, { isOfAll }: { isOfAll: boolean }): Promise<void> {
    const { isAlone, mark } = this.#options;
    if (isAlone) return;
    const { latest } = mark;
    const seen = this.#history;
    const standing = await this.#find(tx, isOfAll ? latest : latest.slice(-1));
    // another instance, or an operator, has dealt with it
    if (seen !== undefined && standing.history !== seen) mark.forget(latest);
    else if (!standing.isKnown) throw new HistoryInDoubt("the database does not know what was handed over last");
    if (this.#history === seen) this.#history = standing.history;
    const { agreed, current } = standing;
    if (agreed !== current || current !== this.#timeline)
      throw new HistoryInDoubt("the database is on another timeline");
  }

  /** Begins a restoration if the database does not know what this process handed over last. */
  async review(): Promise<void> {
    this.#reviews += 1;
    try {
      await this.#findOut();
    } finally {
      this.#reviews -= 1;
    }
  }

  #find(tx: Transaction, latest: HandOverMark["latest"]): Promise<Standing> {
    return findStanding(tx, { latest, tellsTimeline: this.#tellsTimeline });
  }

  async #findOut(): Promise<void> {
    const { store, clock, logger, mark } = this.#options;
    const { latest } = mark;
    const standing = await store.read((tx) => this.#find(tx, latest));
    if (standing.isKnown && standing.agreed === standing.current) {
      this.#timeline = standing.current;
      return;
    }
    const { history, isOther, restored, comparing } = await store.write((tx) => this.#compare(tx, clock.now()));
    this.#history = history;
    if (comparing === undefined) this.#timeline = standing.current;
    // this or another instance, or an operator, has dealt with it
    if (isOther || restored !== undefined) mark.forget(latest);
    if (restored !== undefined) {
      reached("a database does not know what was handed over last");
      logger.warn(restored, "the database went back: carriers are asked about waiting messages before they are sent");
    } else if (comparing !== undefined && comparing !== this.#told) {
      this.#told = comparing;
      const seconds = COMPARING_MS / 1_000;
      const text = `the database is on another timeline: nothing is sent for ${seconds} s, in which instances compare it with what they handed over`;
      logger.warn({ timeline: comparing }, text);
    }
  }

  #isOther({ history }: Standing): boolean {
    return this.#history !== undefined && history !== this.#history;
  }

  async #compare(tx: Transaction, now: number): Promise<Found> {
    // several instances may notice at once: one restores
    await lockStanding(tx);
    const standing = await this.#find(tx, this.#options.mark.latest);
    const { history, agreed, current } = standing;
    const isOther = this.#isOther(standing);
    if (!standing.isKnown && !isOther) {
      const restored = await restore(tx, now, { isServed: true });
      if (current !== null) await agreeOnTimeline(tx, current);
      return { history: (await this.#find(tx, [])).history, isOther, restored };
    }
    if (current === null || current === agreed) return { history, isOther };
    if (agreed !== null) {
      const isComparing =
        this.#options.trustsClock?.() === false || now - (await lookAtTimeline(tx, current, now)) < COMPARING_MS;
      if (isComparing) return { history, isOther, comparing: current };
    }
    await agreeOnTimeline(tx, current);
    return { history, isOther };
  }
}

interface Found {
  readonly history: string | null;
  /** Whether the database was restored since it was last seen. */
  readonly isOther: boolean;
  readonly restored?: Restored;
  /** Timeline that is still being compared. */
  readonly comparing?: string;
}
