// Keeps the progress of a run of many seeds in a file, so that an interrupted run can resume.

import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import type { Engine } from "../plan/plan.ts";
import type { Range } from "./run-seeds.ts";
import { add, nothing, type Tally } from "./tally.ts";

const RANGE_SEEDS = 250;

/** The seeds of a run, and the engine of their worlds. */
export interface Wanted extends Range {
  readonly on: Engine;
}

interface Kept extends Wanted {
  /** First seeds of the ranges that are done. */
  readonly done: readonly number[];
  readonly tally: Tally;
  /** Duration of the run in seconds. */
  readonly seconds: number;
}

export class Progress {
  readonly #file: string | undefined;
  #kept: Kept;

  /** Resumes from the file if it exists. Throws if the file was written for other seeds or another engine. */
  constructor(wanted: Wanted, file: string | undefined) {
    this.#file = file;
    this.#kept = { ...wanted, done: [], tally: nothing, seconds: 0 };
    if (file === undefined || !existsSync(file)) return;
    const kept = JSON.parse(readFileSync(file, "utf8")) as Kept;
    if (kept.from !== wanted.from || kept.count !== wanted.count || kept.on !== wanted.on) {
      const seeds = ({ count, from, on }: Wanted) => `${count} seeds from seed ${from} on ${on}`;
      throw new RangeError(
        `${file} is the progress of ${seeds(kept)}, not of ${seeds(wanted)}: choose another file, or remove it.`,
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

  /** The ranges that are yet to be run. */
  *left(): Iterable<Range> {
    const { from, count, done } = this.#kept;
    const isDone = new Set(done);
    for (let start = from; start < from + count; start += RANGE_SEEDS) {
      if (!isDone.has(start)) yield { from: start, count: Math.min(RANGE_SEEDS, from + count - start) };
    }
  }

  /** Records a range, and the seconds since the previous one. */
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
