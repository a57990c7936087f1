// Tracks the calls in progress of a mock service. Each call can be aborted by its own signal, or all of them together.

export class UnderWay {
  readonly #works = new Set<AbortController>();

  /** Runs `work`. When `given` is aborted or `end` is called, aborts the signal of `work` and rejects with the reason. */
  run<T>(work: (signal: AbortSignal) => Promise<T>, given?: AbortSignal | null): Promise<T> {
    const own = new AbortController();
    const { signal } = own;
    const follow = () => own.abort(given?.reason);
    return new Promise<T>((resolve, reject) => {
      given?.throwIfAborted();
      given?.addEventListener("abort", follow, { once: true });
      this.#works.add(own);
      signal.addEventListener("abort", () => reject(signal.reason), { once: true });
      const leave = () => {
        this.#works.delete(own);
        given?.removeEventListener("abort", follow);
      };
      work(signal).then(resolve, reject).finally(leave);
    });
  }

  /** Aborts all calls in progress. */
  end(reason: Error): void {
    for (const work of this.#works) work.abort(reason);
  }
}
