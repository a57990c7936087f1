/** Creates its AbortController only when needed: loading that class at each start would take 1 ms of CPU. */
export class LateAbort {
  #controller: AbortController | undefined;
  #isAborted = false;

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort();
    return this.#controller.signal;
  }

  abort(): void {
    this.#isAborted = true;
    this.#controller?.abort();
  }
}
