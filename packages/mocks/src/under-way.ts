// Calls of the service in progress: each ends with its own signal, or together with all the others.

export class UnderWay {
  readonly #works = new Set<AbortController>();

  /** Rejects with the reason once `given` is aborted or all calls are ended. The signal passed to `work` is then aborted. */
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

  end(reason: Error): void {
    for (const work of this.#works) work.abort(reason);
  }
}
