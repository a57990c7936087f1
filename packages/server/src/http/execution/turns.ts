type Work = () => Promise<void>;

/** The line of what is nobody's. */
const NOBODY = 0;

/**
 * Does one piece of work after the other: of what is done in slices, one slice is under way, however much there is.
 * Turns go round the tenants, so that who asks for much waits behind its own.
 */
export class Turns {
  /** By tenant, in the order of their turns. */
  readonly #lines = new Map<number, Work[]>();

  take<T>(work: () => Promise<T>, tenantId = NOBODY): Promise<T> {
    return new Promise((resolve, reject) => {
      const done = async () => {
        try {
          resolve(await work());
        } catch (error) {
          reject(error);
        }
      };
      const isIdle = this.#lines.size === 0;
      const line = this.#lines.get(tenantId);
      if (line === undefined) this.#lines.set(tenantId, [done]);
      else line.push(done);
      if (isIdle) void this.#goRound();
    });
  }

  async #goRound(): Promise<void> {
    // what is added on the way is met too
    for (const [tenantId, line] of this.#lines) {
      await line.shift()?.();
      // behind those who came meanwhile, unlike in a `FairLine`: who asks anew after each slice has its turn between two
      this.#lines.delete(tenantId);
      if (line.length > 0) this.#lines.set(tenantId, line);
    }
  }
}
