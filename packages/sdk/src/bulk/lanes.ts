/** Runs the work of one lane in order, one at a time. Lanes run concurrently. */
export class Lanes {
  /** The last work queued in each lane. A lane without work has no entry. */
  readonly #last = new Map<string, Promise<unknown>>();

  async run<T>(lane: string, work: () => Promise<T>): Promise<T> {
    const before = this.#last.get(lane);
    const ended = before ? before.then(work, work) : work();
    this.#last.set(lane, ended);
    try {
      return await ended;
    } finally {
      if (this.#last.get(lane) === ended) this.#last.delete(lane);
    }
  }
}
