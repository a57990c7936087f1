// Checkpoints of the write-ahead log in a thread of their own. In the writer's thread they would block every request. See
// docs/decisions/0011-checkpoint-thread.md.

import { Worker } from "node:worker_threads";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";

/** The result of a checkpoint. */
export interface Checkpointed {
  /** Pages in the log since it last started over. */
  readonly pages: number;
  /** Number of them in the database file now. */
  readonly moved: number;
  /** True if a reader or writer kept it from moving them all. */
  readonly isHeld: boolean;
}

/** Length past which the log starts over: 32 MB, so that the pause is rare. */
const LONG_PAGES = 8_000;
/** Largest share of the log that the last checkpoint may have moved, so that less is left for the pause. */
const LITTLE = 1 / 8;

/** The length of the write-ahead log, in pages of 4 KiB, and the action due. */
export class LogLength {
  readonly #most: number;
  /** The log's length when another process kept it from starting over: nothing here could shorten it. */
  #given = 0;
  #pages = 0;
  #moved = 0;
  #justMoved = 0;

  /** `most` is the bound, in pages. */
  constructor(most: number) {
    this.#most = most;
  }

  note({ pages, moved }: Checkpointed): void {
    if (pages < this.#pages) this.startOver();
    this.#justMoved = moved - this.#moved;
    this.#pages = pages;
    this.#moved = moved;
  }

  /** The next commit restarts the log. */
  startOver(): void {
    this.#given = this.#pages = this.#moved = 0;
  }

  /** The log could not start over, and is measured from here on. */
  accept(): void {
    this.#given = this.#pages;
  }

  get isLong(): boolean {
    return this.#pages - this.#given > LONG_PAGES;
  }

  get isPastBound(): boolean {
    return this.#pages - this.#given > this.#most;
  }

  /** Little is left to move, or nothing more can be. */
  get isNearlyMoved(): boolean {
    return this.#justMoved <= this.#pages * LITTLE;
  }
}

/** Often enough that little is left to move when the log must start over. */
const INTERVAL_MS = 50;
/** If writes do not outrun the moves, little is left after this many; if they do, they have to wait. */
const MOST_ROUNDS = 8;

/** PASSIVE neither waits nor blocks. After a RESTART that was not held, the next commit restarts the log. */
export type CheckpointMode = "PASSIVE" | "RESTART";

/** Readers of snapshots: while any is open, the log cannot start over. */
interface SnapshotReaders {
  readonly areOpen: boolean;
  /** Admits no more readers, and resolves when none is open. */
  makeWay(): Promise<void>;
  /** Admits readers again. */
  goOn(): void;
}

interface CheckpointOptions {
  /** The database file. */
  readonly path: string;
  /** The built `checkpoint-thread`. */
  readonly thread: URL;
  readonly readers: SnapshotReaders;
  /** Called once if the thread fails: from then on the writer checkpoints itself. */
  readonly onFailure: () => void;
  /** Called after each checkpoint; with undefined if it failed, or another process was checkpointing. */
  readonly noteCheckpoint?: ((found: Checkpointed | undefined) => void) | undefined;
  /** Pages of the log past which readers must make way. */
  readonly mostPages: number;
}

/** The thread beside the writer. */
export class CheckpointThread {
  readonly #worker: Worker;
  readonly #readers: SnapshotReaders;
  readonly #length: LogLength;
  #settle: ((found: Checkpointed | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBehind = false;
  #hasEnded = false;
  #pause: Promise<void> | undefined;

  /** Begins the thread. */
  constructor({ path, thread, readers, onFailure, noteCheckpoint = () => {}, mostPages }: CheckpointOptions) {
    this.#readers = readers;
    this.#length = new LogLength(mostPages);
    this.#worker = new Worker(thread, {
      workerData: path,
      resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
    });
    this.#worker.unref();
    this.#worker.on("message", (found: Checkpointed | undefined) => {
      noteCheckpoint(found);
      this.#settle?.(found);
    });
    this.#worker.on("error", () => {
      if (this.#hasEnded) return;
      noteCheckpoint(undefined);
      this.#end();
      onFailure();
    });
  }

  /** Nothing may be written until it resolves: the log is about to start over. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /** Notes a commit. */
  note(): void {
    this.#isBehind = true;
    if (!this.#hasEnded) this.#timer ??= setTimeout(() => this.#work(), INTERVAL_MS).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#end();
    await this.#worker.terminate();
  }

  async #work(): Promise<void> {
    this.#isBehind = false;
    await this.#shorten();
    this.#timer = undefined;
    if (this.#isBehind) this.note();
  }

  async #shorten(): Promise<void> {
    await this.#move();
    if (this.#length.isPastBound) await this.#shortenAlone();
    else if (this.#length.isLong && this.#length.isNearlyMoved && !this.#readers.areOpen) await this.#startOver();
  }

  async #shortenAlone(): Promise<void> {
    await this.#readers.makeWay();
    await this.#move();
    for (let round = 1; round < MOST_ROUNDS && !this.#length.isNearlyMoved; round += 1) await this.#move();
    await this.#startOver();
    this.#readers.goOn();
  }

  async #move(): Promise<void> {
    const found = await this.#ask("PASSIVE");
    if (found !== undefined) this.#length.note(found);
  }

  /** Under load there is always a newer commit: only while the writer pauses can the whole log be moved. */
  async #startOver(): Promise<void> {
    const asked = this.#ask("RESTART");
    this.#pause = asked.then(() => {
      this.#pause = undefined;
    });
    const found = await asked;
    if (found?.isHeld === false) this.#length.startOver();
    else this.#length.accept();
  }

  #ask(mode: CheckpointMode): Promise<Checkpointed | undefined> {
    if (this.#hasEnded) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.#settle = resolve;
      this.#worker.postMessage(mode);
    });
  }

  #end(): void {
    this.#hasEnded = true;
    this.#settle?.(undefined);
  }
}

/** Limit of the write-ahead log's length, and of its extension by long lists. */
export interface LogBounds {
  /** Pages of 4 KiB in the log past which long lists make way, so that it can start over. */
  readonly mostPages: number;
  /** Milliseconds that lists in progress have to finish; then they are cut off. */
  readonly finishMs: number;
  /** Milliseconds that other lists wait to begin before they are refused. */
  readonly waitMs: number;
}

export const defaultLogBounds: LogBounds = {
  // 256 MiB: more than is written while an ordinary list is read, and little for a disk
  mostPages: 65_536,
  // how long a list takes whose client reads as fast as it can
  finishMs: 5_000,
  // as long again for the log to be moved
  waitMs: 10_000,
};
