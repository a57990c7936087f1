// The disk under the database. It may be full, and a power cut loses its unflushed commits.

import type { Database, Image } from "./database.ts";

export class Disk {
  isFull = false;
  readonly #database: Database;
  #commits = 0;
  /** The state that a power cut would leave, and its commit number; undefined unless a power cut is going to happen. */
  #durable: { readonly image: Image; readonly commit: number } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Starts tracking the state that a power cut would leave. All commits so far count as flushed. */
  async watch(): Promise<void> {
    this.#durable = { image: await this.#database.image(), commit: this.#commits };
  }

  /** Starts the flush of a commit. The returned function ends it. */
  async beginFlush(): Promise<() => void> {
    this.#commits += 1;
    if (this.#durable === undefined) return () => {};
    const commit = this.#commits;
    const flushed = { image: await this.#database.image(), commit };
    return () => {
      if (this.#durable !== undefined && this.#durable.commit < flushed.commit) this.#durable = flushed;
    };
  }

  /** Restores the last flushed state. */
  async losePower(): Promise<void> {
    const durable = this.#durable;
    this.#durable = undefined;
    if (durable !== undefined) await this.#database.restore(durable.image);
  }

  /** Flushes all commits so far. */
  async flush(): Promise<void> {
    if (this.#durable !== undefined) await this.watch();
  }
}
