// What the disk under the database has: it may be full, what was not flushed goes with the power, and copies of it are kept.

import type { Database, Image } from "./database.ts";

export class Disk {
  isFull = false;
  readonly #database: Database;
  #commits = 0;
  /** What is left if the power is cut now, and after how many commits; undefined while nothing will cut it. */
  #durable: { readonly image: Image; readonly commit: number } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** From now on it is known what a power cut leaves. All that was committed so far is on the disk. */
  async watch(): Promise<void> {
    this.#durable = { image: await this.#database.image(), commit: this.#commits };
  }

  /** A commit is on its way to the disk; what it gives is called once it is there. */
  async beginFlush(): Promise<() => void> {
    this.#commits += 1;
    if (this.#durable === undefined) return () => {};
    const commit = this.#commits;
    const flushed = { image: await this.#database.image(), commit };
    return () => {
      if (this.#durable !== undefined && this.#durable.commit < flushed.commit) this.#durable = flushed;
    };
  }

  /** Leaves what was flushed. */
  async losePower(): Promise<void> {
    const durable = this.#durable;
    this.#durable = undefined;
    if (durable !== undefined) await this.#database.restore(durable.image);
  }

  /** All that was committed so far is on the disk. */
  async flush(): Promise<void> {
    if (this.#durable !== undefined) await this.watch();
  }
}
