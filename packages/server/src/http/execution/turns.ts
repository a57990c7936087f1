type Work = () => Promise<void>;

/** The tenant of work that belongs to none. */
const NOBODY = 0;

/**
 * Runs work one piece at a time, round-robin by tenant, so that a tenant with much work delays only itself. For sliced
 * work this means one slice at a time.
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
    // the iteration includes tenants added meanwhile
    for (const [tenantId, line] of this.#lines) {
      await line.shift()?.();
      // behind tenants that came meanwhile, unlike in a `FairLine`: one that asks again after each slice gets its turn
      this.#lines.delete(tenantId);
      if (line.length > 0) this.#lines.set(tenantId, line);
    }
  }
}
