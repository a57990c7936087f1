// Checkpoints of the write-ahead log in a separate thread, because in the writer's thread they would block every request. See
// docs/decisions/0011-checkpoint-thread.md.

import { Worker } from "node:worker_threads";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";

/** The result of a checkpoint. */
export interface Checkpointed {
  /** Pages in the log since it last started over. */
  readonly pages: number;
  /** Number of these pages that have been copied to the database file. */
  readonly moved: number;
  /** True if a reader or writer kept the checkpoint from moving all pages. */
  readonly isHeld: boolean;
}

/** Length in pages beyond which the log is restarted: 32 MB, so that the writer rarely pauses for a restart. */
const LONG_PAGES = 8_000;
/** Once a checkpoint moves at most this share of the log, few pages are left: a restart then pauses writes only briefly. */
const LITTLE = 1 / 8;

/** Tracks the length of the write-ahead log, in pages of 4 KiB, and decides which checkpoint is due. */
export class LogLength {
  readonly #most: number;
  /** The log's length when another process last prevented its restart; growth is measured from this length. */
  #given = 0;
  #pages = 0;
  #moved = 0;
  #justMoved = 0;

  /** `most` is the maximum length, in pages. */
  constructor(most: number) {
    this.#most = most;
  }

  note({ pages, moved }: Checkpointed): void {
    if (pages < this.#pages) this.startOver();
    this.#justMoved = moved - this.#moved;
    this.#pages = pages;
    this.#moved = moved;
  }

  /** Call after a RESTART checkpoint that was not held: the next commit restarts the log. */
  startOver(): void {
    this.#given = this.#pages = this.#moved = 0;
  }

  /** Call if the log could not be restarted: its growth is measured from the current length. */
  accept(): void {
    this.#given = this.#pages;
  }

  get isLong(): boolean {
    return this.#pages - this.#given > LONG_PAGES;
  }

  get isPastBound(): boolean {
    return this.#pages - this.#given > this.#most;
  }

  /** Whether few pages are left to move, or no more can be moved. */
  get isNearlyMoved(): boolean {
    return this.#justMoved <= this.#pages * LITTLE;
  }
}

/** Interval of checkpoints: short enough that few pages are left when the log must be restarted. */
const INTERVAL_MS = 50;
/** Most PASSIVE checkpoints before a restart. If writes still outrun them, the writes have to wait. */
const MOST_ROUNDS = 8;

/** PASSIVE neither waits nor blocks. After a RESTART that moved all pages, the next commit restarts the log. */
export type CheckpointMode = "PASSIVE" | "RESTART";

/** Readers of snapshots. While any is open, the log cannot be restarted. */
interface SnapshotReaders {
  readonly areOpen: boolean;
  /** Stops admitting readers, and resolves when none is open. */
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
  /** Called once if the thread fails. From then on the writer must checkpoint itself. */
  readonly onFailure: () => void;
  /** Called after each checkpoint, with undefined if it failed or another process was checkpointing. */
  readonly noteCheckpoint?: ((found: Checkpointed | undefined) => void) | undefined;
  /** Length of the log, in pages, beyond which readers are stopped. */
  readonly mostPages: number;
}

/** Runs the checkpoint thread beside the writer. */
export class CheckpointThread {
  readonly #worker: Worker;
  readonly #readers: SnapshotReaders;
  readonly #length: LogLength;
  #settle: ((found: Checkpointed | undefined) => void) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isBehind = false;
  #hasEnded = false;
  #pause: Promise<void> | undefined;

  /** Starts the thread. */
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

  /** A promise while the log is being restarted; nothing may be written until it settles. Undefined otherwise. */
  get pause(): Promise<void> | undefined {
    return this.#pause;
  }

  /** Call after each commit. */
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

  /** Pauses the writer and restarts the log. Under load the whole log can be moved only while no commit arrives. */
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

/** Limits of the write-ahead log's length, and of the time that long lists may delay its restart. */
export interface LogBounds {
  /** Length of the log, in pages of 4 KiB, beyond which long lists are ended so that the log can be restarted. */
  readonly mostPages: number;
  /** Milliseconds that lists in progress have to finish. After that they are cut off. */
  readonly finishMs: number;
  /** Milliseconds that new lists wait to begin before they are refused. */
  readonly waitMs: number;
}

export const defaultLogBounds: LogBounds = {
  // 256 MiB: writes do not reach this size while an ordinary list is read, and it is a small part of a disk
  mostPages: 65_536,
  // a list takes this long if its client reads at full speed
  finishMs: 5_000,
  // `finishMs`, and as long again to move the log
  waitMs: 10_000,
};
