/** Does the work of each lane one piece after the other, in the order it came; lanes run beside each other. */
export class Lanes {
  /** The last piece of each lane that has any. */
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
