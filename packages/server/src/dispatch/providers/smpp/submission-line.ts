// The messages that wait for a place: a bound session whose window has room, and whose rate lets one go.

import type { Clock } from "../../../platform/clock.ts";
import { Alarm } from "../../alarm.ts";
import type { Session } from "./session.ts";

export interface SubmissionLineOptions {
  readonly clock: Clock;
  /** Messages under way at once in each session. */
  readonly window: number;
  readonly listBound: () => readonly Session[];
}

/** First come, first served, by the session that has the least under way. */
export class SubmissionLine {
  readonly #options: SubmissionLineOptions;
  readonly #alarm: Alarm;
  readonly #waiting = new Set<(session: Session | undefined) => void>();
  readonly #underWay = new Map<Session, number>();

  constructor(options: SubmissionLineOptions) {
    this.#options = options;
    this.#alarm = new Alarm(options.clock, () => this.look());
  }

  /** Takes a place, to be left again; undefined if there is none because no session is bound. Rejects when aborted. */
  enter(signal: AbortSignal): Promise<Session | undefined> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const abort = () => {
        this.#waiting.delete(serve);
        reject(signal.reason);
      };
      const serve = (session: Session | undefined) => {
        signal.removeEventListener("abort", abort);
        resolve(session);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.#waiting.add(serve);
      this.look();
    });
  }

  leave(session: Session): void {
    const left = (this.#underWay.get(session) ?? 0) - 1;
    if (left > 0) this.#underWay.set(session, left);
    else this.#underWay.delete(session);
    this.look();
  }

  /** Serves whom it can: to be called when sessions are bound or end. */
  look(): void {
    const { clock, window, listBound } = this.#options;
    const bound = listBound();
    for (const serve of this.#waiting) {
      const now = clock.now();
      const [next] = bound
        .map((session) => ({ session, underWay: this.#underWay.get(session) ?? 0, waitMs: session.rate.waitMs(now) }))
        .filter(({ underWay }) => underWay < window)
        .sort((one, other) => one.waitMs - other.waitMs || one.underWay - other.underWay);
      if (next === undefined && bound.length > 0) return;
      if (next !== undefined) {
        if (next.waitMs > 0) {
          this.#alarm.set(now + next.waitMs);
          return;
        }
        this.#underWay.set(next.session, next.underWay + 1);
        next.session.rate.noteSent(now);
      }
      this.#waiting.delete(serve);
      serve(next?.session);
    }
  }
}
