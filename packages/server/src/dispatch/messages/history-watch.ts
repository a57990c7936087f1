// Notices, while the server runs, a database that went back behind what instances handed over: a standby without the last
// commits that was promoted, or a recovery to an earlier time. Each instance knows only what it handed over itself. So when
// the database is on another timeline, nobody claims for as long as each takes to compare.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { reached } from "../../platform/probes.ts";
import { type Store, StoreUnavailable, type Transaction } from "../../store/store.ts";
import {
  agreeOnTimeline,
  findStanding,
  findTimelineRefusal,
  holdStanding,
  lookAtTimeline,
  type Standing,
} from "../../store/timelines.ts";
import type { HandOverMark } from "./hand-over-mark.ts";
import { type Restored, restore } from "./restoration.ts";

/** How long instances have to compare: each looks at the database once a second, when it can reach it. */
export const COMPARING_MS = 20_000;

/** The database may have gone back: nothing may be claimed before `HistoryWatch.review` has found out. */
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
  /** See `LeaseLoopOptions.trustsClock`: how long instances have compared is told by it. */
  readonly trustsClock?: (() => boolean) | undefined;
}

export class HistoryWatch {
  readonly #options: HistoryWatchOptions;
  /** As it was last seen. */
  #history: string | null | undefined;
  /** The timeline of which the log has told. */
  #told: string | undefined;
  #reviews = 0;
  #tellsTimeline = true;

  constructor(options: HistoryWatchOptions) {
    this.#options = options;
  }

  get isReviewing(): boolean {
    return this.#reviews > 0;
  }

  /** Finds out what the database can tell. Begins a restoration as `review` does. */
  begin(): Promise<void> {
    return this.#busy(async () => {
      await this.#askTimeline();
      await this.#findOut();
    });
  }

  async #askTimeline(): Promise<void> {
    const { store, logger } = this.#options;
    const code = await findTimelineRefusal(store);
    this.#tellsTimeline = code === undefined;
    if (code !== undefined) {
      const text =
        "this PostgreSQL does not tell its timeline: an instance notices that it went back by what it handed over last alone";
      logger.warn({ code }, text);
    }
  }

  /** Throws `HistoryInDoubt` in a claim's transaction if the database may have gone back. */
  async check(tx: Transaction): Promise<void> {
    const { isAlone, mark } = this.#options;
    if (isAlone) return;
    const { last } = mark;
    const standing = await this.#find(tx, last);
    if (this.#isOther(standing)) {
      // another instance, or an operator, has dealt with it
      if (mark.last === last) mark.forget();
    } else if (!standing.isKnown) throw new HistoryInDoubt("the database does not know what was handed over last");
    this.#history = standing.history;
    if (standing.agreed !== standing.current) throw new HistoryInDoubt("the database is on another timeline");
  }

  /** Begins a restoration if the database does not know what this process handed over last. */
  review(): Promise<void> {
    return this.#busy(() => this.#findOut());
  }

  async #busy(work: () => Promise<void>): Promise<void> {
    this.#reviews += 1;
    try {
      await work();
    } finally {
      this.#reviews -= 1;
    }
  }

  #find(tx: Transaction, last: HandOverMark["last"]): Promise<Standing> {
    return findStanding(tx, { last, tellsTimeline: this.#tellsTimeline });
  }

  async #findOut(): Promise<void> {
    const { store, clock, logger, mark } = this.#options;
    const { last } = mark;
    const standing = await store.read((tx) => this.#find(tx, last));
    if (standing.isKnown && standing.agreed === standing.current) return;
    const { history, isOther, restored, comparing } = await store.write((tx) => this.#compare(tx, clock.now()));
    this.#history = history;
    // this or another instance, or an operator, has dealt with it
    if ((isOther || restored !== undefined) && mark.last === last) mark.forget();
    if (restored !== undefined) {
      reached("a database does not know what was handed over last");
      const text = "the database went back: what waits in it is asked about before it is sent";
      logger.warn(restored, text);
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
    // several instances may find it out at once: one restores
    await holdStanding(tx);
    const standing = await this.#find(tx, this.#options.mark.last);
    const { history, agreed, current } = standing;
    const isOther = this.#isOther(standing);
    if (!standing.isKnown && !isOther) {
      const restored = await restore(tx, now, { isServed: true });
      if (current !== null) await agreeOnTimeline(tx, current);
      return { history: (await this.#find(tx, undefined)).history, isOther, restored };
    }
    if (current === null || current === agreed) return { history, isOther };
    if (agreed !== null && this.#options.trustsClock?.() === false) return { history, isOther, comparing: current };
    if (agreed === null || now - (await lookAtTimeline(tx, current, now)) >= COMPARING_MS) {
      await agreeOnTimeline(tx, current);
      return { history, isOther };
    }
    return { history, isOther, comparing: current };
  }
}

interface Found {
  readonly history: string | null;
  /** Whether it was restored since it was last seen. */
  readonly isOther: boolean;
  readonly restored?: Restored;
  /** The timeline that is still compared. */
  readonly comparing?: string;
}
