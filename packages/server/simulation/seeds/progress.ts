// How far a run of many seeds has come, in a file, so that one that was ended goes on where it was.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Engine } from "../plan/plan.ts";
import type { Range } from "./run-seeds.ts";
import { add, nothing, type Tally } from "./tally.ts";

const RANGE_SEEDS = 250;

/** The seeds of a run, and the engine that their worlds are on. */
export interface Wanted extends Range {
  readonly on: Engine;
}

interface Kept extends Wanted {
  /** Where ranges begin that are done. */
  readonly done: readonly number[];
  readonly tally: Tally;
  /** How long the run has taken. */
  readonly seconds: number;
}

export class Progress {
  readonly #file: string | undefined;
  #kept: Kept;

  /** Goes on with what the file has, if it is of the same seeds. */
  constructor(wanted: Wanted, file: string | undefined) {
    this.#file = file;
    this.#kept = { ...wanted, done: [], tally: nothing, seconds: 0 };
    if (file === undefined || !existsSync(file)) return;
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    if (kept.from !== wanted.from || kept.count !== wanted.count || kept.on !== wanted.on) {
      const seeds = ({ count, from, on }: Wanted) => `${count} seeds from ${from} on, in ${on}`;
      throw new RangeError(
        `${file} is of ${seeds(kept)}, not of ${seeds(wanted)}: give it another name, or remove it.`,
      );
    }
    this.#kept = kept;
  }

  get tally(): Tally {
    return this.#kept.tally;
  }

  get seconds(): number {
    return this.#kept.seconds;
  }

  /** What is still to be run, in ranges. */
  *left(): Iterable<Range> {
    const { from, count, done } = this.#kept;
    const isDone = new Set(done);
    for (let start = from; start < from + count; start += RANGE_SEEDS) {
      if (!isDone.has(start)) yield { from: start, count: Math.min(RANGE_SEEDS, from + count - start) };
    }
  }

  /** Notes a range that took so long since the last. */
  note(range: Range, tally: Tally, seconds: number): void {
    const { done } = this.#kept;
    this.#kept = {
      ...this.#kept,
      done: [...done, range.from],
      tally: add(this.#kept.tally, tally),
      seconds: this.#kept.seconds + seconds,
    };
    if (this.#file === undefined) return;
    writeFileSync(`${this.#file}.new`, `${JSON.stringify(this.#kept)}\n`);
    renameSync(`${this.#file}.new`, this.#file);
  }
}
