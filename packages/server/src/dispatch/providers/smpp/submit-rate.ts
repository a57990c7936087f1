/** The slowest that a carrier can make it, a second. */
const SLOWEST = 1;
/** Past this many a second there is no limit any more. */
const UNLIMITED_FROM = 1_000;

/**
 * How fast a session may submit: without a limit until the carrier throttles, then half of what it was, and one a second
 * more with each second of submissions taken. Times are epoch milliseconds.
 */
export class SubmitRate {
  #perSecond = Number.POSITIVE_INFINITY;
  #sentAt = Number.NEGATIVE_INFINITY;
  #loweredAt = Number.NEGATIVE_INFINITY;
  /** What was sent in the current second and in the one before. */
  #second = { number: 0, sent: 0, sentBefore: 0 };

  /** How many are sent in two seconds: what waits for longer is better kept elsewhere. */
  get fairShare(): number {
    return Math.ceil(2 * this.#perSecond);
  }

  /** How long until the next may be sent, in milliseconds. A clock that was set back does not prolong it. */
  waitMs(now: number): number {
    const gapMs = 1_000 / this.#perSecond;
    return Math.min(Math.max(this.#sentAt + gapMs - now, 0), gapMs);
  }

  noteSent(now: number): void {
    this.#sentAt = now;
    const number = Math.floor(now / 1_000);
    const { number: last, sent } = this.#second;
    if (number !== last) this.#second = { number, sent: 0, sentBefore: number === last + 1 ? sent : 0 };
    this.#second.sent += 1;
  }

  noteTaken(): void {
    this.#perSecond += 1 / this.#perSecond;
    if (this.#perSecond > UNLIMITED_FROM) this.#perSecond = Number.POSITIVE_INFINITY;
  }

  /** What was under way when the rate came down does not bring it down again. */
  noteThrottled({ sentAt, now }: { sentAt: number; now: number }): void {
    if (sentAt <= this.#loweredAt) return;
    const { sent, sentBefore } = this.#second;
    this.#perSecond = Math.max(SLOWEST, Math.min(this.#perSecond, Math.max(sent, sentBefore)) / 2);
    this.#loweredAt = now;
  }
}
