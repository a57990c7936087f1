// The WAV files that speech is kept in, by their references. Any can be made again, so those that were not used for longest
// are removed when they are too many.

import { chmod, mkdir, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";

/** Some 18 hours of speech at 22 050 samples a second. */
const MOST_BYTES = 2 ** 31;
const LONGEST_UNUSED_MS = 7 * 24 * 60 * 60_000;
/** How often it is looked through, unless much was added. */
const SWEEP_MS = 60 * 60_000;
/** The part of all that may be added between two looks. */
const ADDED_SHARE = 1 / 8;
/** What it keeps is named by digits: whatever else is in the folder is somebody else's. */
const OWN_NAME = /^[\da-f]+(\.wav|\.[\d-]+\.draft)$/;
/** A file that somebody is writing, or was when the process died. */
const DRAFT = ".draft";
const ENDING = ".wav";
const FOLDER_MODE = 0o750;

export class SpeechFolder {
  readonly #path: string;
  readonly #mostBytes: number;
  #sweptAt = 0;
  #addedBytes = 0;
  #drafts = 0;

  constructor(path: string, mostBytes = MOST_BYTES) {
    this.#path = path;
    this.#mostBytes = mostBytes;
  }

  /** The file's path, whether it is there or not. @param reference of hexadecimal digits */
  pathOf(reference: string): string {
    return join(this.#path, `${reference}${ENDING}`);
  }

  /** Whether the file is there. It then counts as used now. */
  async use(reference: string): Promise<boolean> {
    const now = new Date();
    return utimes(this.pathOf(reference), now, now).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === "ENOENT") return false;
        throw error;
      },
    );
  }

  /** Has `write` write a file, which is there once it is whole. The group may read it: whoever plays it has to. */
  async add(reference: string, write: (draft: string) => Promise<void>): Promise<void> {
    // whatever the process creates otherwise, its group is to read here
    if ((await mkdir(this.#path, { recursive: true })) !== undefined) await chmod(this.#path, FOLDER_MODE);
    await this.#sweepSometimes();
    const draft = join(this.#path, `${reference}.${process.pid}-${this.#drafts++}${DRAFT}`);
    try {
      await write(draft);
      this.#addedBytes += (await stat(draft)).size;
      await rename(draft, this.pathOf(reference));
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  }

  async #sweepSometimes(): Promise<void> {
    const now = Date.now();
    if (now - this.#sweptAt < SWEEP_MS && this.#addedBytes < this.#mostBytes * ADDED_SHARE) return;
    this.#sweptAt = now;
    this.#addedBytes = 0;
    await this.#sweep(now);
  }

  async #sweep(now: number): Promise<void> {
    const names = (await readdir(this.#path)).filter((name) => OWN_NAME.test(name));
    const files = [];
    for (const name of names) {
      const found = await stat(join(this.#path, name)).catch(() => undefined);
      if (found !== undefined) files.push({ name, bytes: found.size, usedAt: found.mtimeMs });
    }
    files.sort((a, b) => b.usedAt - a.usedAt);
    let bytes = 0;
    for (const file of files) {
      bytes += file.bytes;
      const isOld = now - file.usedAt > (file.name.endsWith(DRAFT) ? SWEEP_MS : LONGEST_UNUSED_MS);
      if (isOld || bytes > this.#mostBytes) await rm(join(this.#path, file.name), { force: true });
    }
  }
}
