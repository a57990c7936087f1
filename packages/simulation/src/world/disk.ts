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
  watch(): void {
    this.#durable = { image: this.#database.image(), commit: this.#commits };
  }

  /** A commit is on its way to the disk; what is returned is called once it is there. */
  beginFlush(): () => void {
    this.#commits += 1;
    if (this.#durable === undefined) return () => {};
    const flushed = { image: this.#database.image(), commit: this.#commits };
    return () => {
      if (this.#durable !== undefined && this.#durable.commit < flushed.commit) this.#durable = flushed;
    };
  }

  /** Leaves what was flushed. */
  losePower(): void {
    if (this.#durable !== undefined) this.#database.restore(this.#durable.image);
    this.#durable = undefined;
  }

  /** All that was committed so far is on the disk. */
  flush(): void {
    if (this.#durable !== undefined) this.watch();
  }
}
