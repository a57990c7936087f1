// The disk under the database: it may be full, it loses unflushed commits with the power, and copies of it are kept.

import type { Database, Image } from "./database.ts";

export class Disk {
  isFull = false;
  readonly #database: Database;
  #commits = 0;
  /** The state that a power cut would leave, and its commit number; undefined if no power cut is ahead. */
  #durable: { readonly image: Image; readonly commit: number } | undefined;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Starts tracking what a power cut would leave. Everything committed so far is on the disk. */
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

  /** Restores what was flushed. */
  async losePower(): Promise<void> {
    const durable = this.#durable;
    this.#durable = undefined;
    if (durable !== undefined) await this.#database.restore(durable.image);
  }

  /** Puts everything committed so far on the disk. */
  async flush(): Promise<void> {
    if (this.#durable !== undefined) await this.watch();
  }
}
