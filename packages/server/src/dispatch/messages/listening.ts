/** An outage that carriers notice: what they reported meanwhile they report again in pauses as long as it was, or longer. */
const NOTICED_MS = 10 * 60_000;

/** Since when what carriers report is recorded: since the start, or since the database can be written to again. */
export class Listening {
  #since = Number.POSITIVE_INFINITY;
  #failsSince: number | undefined;

  begin(now: number): void {
    this.#since = now;
  }

  /** Epoch milliseconds; infinite before `begin`. For whatever can be written `now`. */
  sinceWhen(now: number): number {
    const hasFailedLong = this.#failsSince !== undefined && now - this.#failsSince >= NOTICED_MS;
    return hasFailedLong ? now : this.#since;
  }

  /** The database could not be written to. */
  noteFailure(now: number): void {
    this.#failsSince ??= now;
  }

  /** It could. */
  noteSuccess(now: number): void {
    this.#since = this.sinceWhen(now);
    this.#failsSince = undefined;
  }
}
