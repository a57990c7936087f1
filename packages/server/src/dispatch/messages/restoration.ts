// Detects that the database is older than the carriers' records: at a start, after a restore; or while the server runs,
// if the database lacks the last hand-over. Waiting messages are then looked up at their carriers before they are sent.

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
 * Number of newest messages that a carrier is asked for. A submission is stored before the carrier gets it, and only
 * concurrent calls of the dispatcher can change the order. So if the database lacks any message, it lacks one of these.
 */
const NEWEST = 1_024;
/**
 * Time for which instances compare the database with their last hand-overs. Each instance that can reach the database
 * reads it once a second.
 */
export const COMPARING_MS = 20_000;

/** Messages in doubt. `underWay`: messages already submitted, which are also looked up. */
export interface Restored extends Doubts {
  readonly underWay: number;
}

/**
 * Begins a restoration: carriers are ahead of the database, so all messages that wait or were submitted are looked up.
 * `isServed`: other instances may be serving the database.
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
 * Before anything is submitted: begins a restoration if a carrier has messages that the database does not know. If a
 * carrier does not answer within `callTimeoutMs`, all messages that wait for it are looked up.
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

/** The newest messages of a carrier, newest first, and the database's history id when the carrier was asked. */
interface Listed {
  readonly name: string;
  readonly newest: readonly string[];
  readonly history: string;
}

async function compare({ store, clock, logger }: Circumstances, listed: Listed): Promise<void> {
  const restored = await store.write((tx) => restoreIfOlder(tx, listed, clock.now()));
  if (restored === undefined) return;
  const text =
    "the database is older than its carrier's records: waiting messages are looked up at the carrier before they are sent";
  logger.warn({ provider: listed.name, ...restored }, text);
}

/** Puts waiting messages in doubt, but not those already submitted, because most likely no backup was restored. */
async function suspect({ store, clock, logger }: Circumstances, { name }: Provider, error: unknown): Promise<void> {
  reached("a carrier did not list its messages");
  const doubts = await store.write((tx) => beginSuspicion(tx, name, { now: clock.now(), patienceMs: PATIENCE_MS }));
  const text = "a carrier did not list its messages: waiting messages are looked up there before they are sent";
  logger.warn({ err: error, provider: name, ...doubts }, text);
}

async function restoreIfOlder(tx: Transaction, listed: Listed, now: number): Promise<Restored | undefined> {
  const [first] = listed.newest;
  if (first === undefined || !(await isOlder(tx, listed))) return undefined;
  // several instances may notice this at once, but only one restores
  await lockStanding(tx);
  if ((await findHistory(tx)) !== listed.history) return undefined;
  reached("a database is older than its carrier's records");
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

/** A message that left for a carrier, recorded outside the database. A database that lost commits may lack it. */
export interface HandOver {
  readonly messageId: string;
  /** Number of the attempt, starting at 1. */
  readonly attempt: number;
}

/**
 * Remembers each hand-over whose commit may be the last. If the database loses any hand-over, it also loses one of these.
 * There may be several, because PostgreSQL may acknowledge commits in another order than it made them.
 */
export interface HandOverMark {
  /** In the order of acknowledgement, oldest first. Each change creates a new array. */
  readonly latest: readonly HandOver[];
  /**
   * Stores a hand-over in place of `earlier`, the hand-overs stored before its transaction began. Resolves when it is
   * stored. The message must not leave before that.
   */
  note(handOver: HandOver, earlier: readonly HandOver[]): Promise<void>;
  /** Removes hand-overs after a restoration has dealt with a database that lacks one of them. */
  forget(handOvers: readonly HandOver[]): void;
  close(): void;
}

/** Remembers the last hand-overs in memory. That suffices if instances share a database, because each knows its own. */
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

/** Thrown if the database may have lost commits. Dispatch must not write anything until `HistoryWatch.review` has run. */
export class HistoryInDoubt extends StoreUnavailable {
  override readonly name = "HistoryInDoubt";
}

export interface HistoryWatchOptions {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly logger: Logger;
  readonly mark: HandOverMark;
  /** True if no other process uses the database. Then the database cannot lose commits while this process runs. */
  readonly isAlone: boolean;
  /** See `WorkerOptions.trustsClock`. The clock measures how long instances have been comparing. */
  readonly trustsClock?: (() => boolean) | undefined;
}

/**
 * Detects, while the server runs, a database that lacks hand-overs, such as a promoted standby without the last
 * commits. Each instance knows only its own hand-overs. So on a new timeline, all instances compare before any of them
 * claims.
 */
export class HistoryWatch {
  readonly #options: HistoryWatchOptions;
  /** The database's history id when it was last read. */
  #history: string | null | undefined;
  /** Timeline on which all of this process's last hand-overs were found. */
  #timeline: string | null = null;
  /** Timeline that the log already mentions. */
  #told: string | undefined;
  #reviews = 0;
  #tellsTimeline = true;

  constructor(options: HistoryWatchOptions) {
    this.#options = options;
  }

  get isReviewing(): boolean {
    return this.#reviews > 0;
  }

  /** Finds out whether the database shows its timeline, then reviews the database's history. */
  async begin(): Promise<void> {
    const { store, logger } = this.#options;
    const code = await findTimelineRefusal(store);
    this.#tellsTimeline = code === undefined;
    if (code !== undefined) {
      const text =
        "this PostgreSQL does not show its timeline: an instance can detect lost commits only by its own last hand-over";
      logger.warn({ code }, text);
    }
    await this.review();
  }

  /**
   * Throws `HistoryInDoubt` if the database may have lost commits. Every transaction of dispatch calls this, because
   * its writes could hide that a hand-over was lost. `isOfAll`: checks all of the last hand-overs rather than only the
   * newest.
   */
  async check(tx: Transaction, { isOfAll }: { isOfAll: boolean }): Promise<void> {
    const { isAlone, mark } = this.#options;
    if (isAlone) return;
    const { latest } = mark;
    const seen = this.#history;
    const standing = await this.#find(tx, isOfAll ? latest : latest.slice(-1));
    // another instance or an operator has already restored
    if (seen !== undefined && standing.history !== seen) mark.forget(latest);
    else if (!standing.isKnown) throw new HistoryInDoubt("the database lacks the last hand-over");
    if (this.#history === seen) this.#history = standing.history;
    const { agreed, current } = standing;
    if (agreed !== current || current !== this.#timeline)
      throw new HistoryInDoubt("the database is on another timeline");
  }

  /** Begins a restoration if the database lacks any of this process's last hand-overs. */
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
    // this process, another instance or an operator has restored
    if (isOther || restored !== undefined) mark.forget(latest);
    if (restored !== undefined) {
      reached("a database has no record of the last hand-over");
      logger.warn(
        restored,
        "the database went back to an earlier state: waiting messages are looked up at their carriers before they are sent",
      );
    } else if (comparing !== undefined && comparing !== this.#told) {
      this.#told = comparing;
      const seconds = COMPARING_MS / 1_000;
      const text = `the database is on another timeline: nothing is sent for ${seconds} s while instances compare it with their last hand-overs`;
      logger.warn({ timeline: comparing }, text);
    }
  }

  #isOther({ history }: Standing): boolean {
    return this.#history !== undefined && history !== this.#history;
  }

  async #compare(tx: Transaction, now: number): Promise<Found> {
    // several instances may notice this at once, but only one restores
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
  /** Whether the database was restored since it was last read. */
  readonly isOther: boolean;
  readonly restored?: Restored;
  /** Timeline that is still being compared. */
  readonly comparing?: string;
}
