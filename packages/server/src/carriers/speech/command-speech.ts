// A speech engine that runs a command to write WAV files: espeak-ng, Piper, or any program that reads text from
// standard input.

import { type ExecFileException, execFile } from "node:child_process";
import { hash } from "node:crypto";
import { chmod, mkdir, open, readdir, rename, rm, stat, utimes } from "node:fs/promises";
import { basename, join } from "node:path";
import { fillSpeechArguments, speechEnvironment } from "../../domain/calls/speech.ts";
import type { Logger } from "../../platform/logging.ts";
import type { SpeechFiles, SpeechOrder } from "./engine.ts";

export interface CommandSpeechOptions {
  /** The program and its arguments, as `parseSpeechCommand` returns them. */
  readonly command: readonly [string, ...string[]];
  /** Folder for the speech files, from which the player reads them. */
  readonly folder: string;
  readonly logger: Logger;
}

/** Maximum number of commands that run at the same time. Each uses one core. */
export const COMMANDS_AT_ONCE = 2;
const LONGEST_RUN_MS = 25_000;
/** Ten minutes at 22 050 samples a second: the longest speech of a call. */
const LARGEST_FILE = 26 * 2 ** 20;
/** Limit for the command's output, in bytes. */
const MOST_PRINTED = 65_536;
const HEADER_BYTES = 44;
const WORDS_SHOWN = 200;
/** Readable for the folder's group, of which the player must be a member. */
const FILE_MODE = 0o640;

/** Thrown if a text, language or voice cannot be spoken. The message is for the caller of the API. */
export class SpeechNotMade extends Error {
  override readonly name = "SpeechNotMade";
}

/** Thrown if the program reported a failure, or produced no usable file. */
class CommandFailed extends Error {}

export interface CommandSpeech extends SpeechFiles {
  /** Kills all commands, and starts no more. */
  stop(): Promise<void>;
}

/**
 * Creates the engine. `name` is the name of the program. `model` also has a hash of the command line, because the same
 * program speaks differently with other arguments.
 */
export function createCommandSpeech(options: CommandSpeechOptions): CommandSpeech {
  const { command, folder: path, logger } = options;
  const [program, ...words] = command;
  const folder = new SpeechFolder(path);
  const name = basename(program);
  const making = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();
  const stopping = new AbortController();

  /** Makes a speech once even if several requests ask for it at the same time. */
  function make(order: SpeechOrder): Promise<void> {
    const known = making.get(order.reference);
    if (known !== undefined) return known;
    const made = makeWhenFree(order).finally(() => making.delete(order.reference));
    making.set(order.reference, made);
    return made;
  }

  async function makeWhenFree(order: SpeechOrder): Promise<void> {
    while (running.size >= COMMANDS_AT_ONCE) await Promise.race(running);
    stopping.signal.throwIfAborted();
    const made = folder.add(order.reference, (file) => run(order, file));
    const ended = made.catch(() => undefined).then(() => void running.delete(ended));
    running.add(ended);
    return made;
  }

  async function run(order: SpeechOrder, file: string): Promise<void> {
    const { language, voice, text } = order;
    const filled = fillSpeechArguments(words, { language, voice, file });
    if (filled === undefined) throw new SpeechNotMade(`there is no voice "${voice}" for "${language}"`);
    try {
      await speak(program, filled, { text: toPlain(text), signal: stopping.signal });
      await requireWav(file);
    } catch (error) {
      if (!(error instanceof CommandFailed)) throw error;
      logger.warn({ words: error.message, language, voice }, "the speech command failed for a text");
      throw new SpeechNotMade(`the text could not be spoken in "${language}" with the voice "${voice}"`);
    }
  }

  return {
    name,
    model: `${name}-${hash("sha256", JSON.stringify(command)).slice(0, 8)}`,
    voiceFor: ({ voiceProfile }) => voiceProfile,
    async synthesize(order) {
      try {
        if (!(await folder.use(order.reference))) await make(order);
        return { outcome: "made" };
      } catch (error) {
        if (!(error instanceof SpeechNotMade)) throw error;
        return { outcome: "failed", detail: error.message };
      }
    },
    find: async (reference) => ((await folder.use(reference)) ? "made" : "absent"),
    async fileOf(order) {
      if (!(await folder.use(order.reference))) await make(order);
      return folder.pathOf(order.reference);
    },
    async stop() {
      stopping.abort(new Error("the server is being stopped"));
      await Promise.all(running);
    },
  };
}

/** Replaces control characters, which a program could interpret as commands. */
function toPlain(text: string): string {
  return text.replaceAll(/(?!\n)\p{Cc}/gu, " ");
}

function speak(
  program: string,
  words: readonly string[],
  { text, signal }: { text: string; signal: AbortSignal },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: LONGEST_RUN_MS, killSignal: "SIGKILL", maxBuffer: MOST_PRINTED, signal } as const;
    const options = { ...limits, env: speechEnvironment(process.env) };
    const child = execFile(program, words, options, (error, _out, printed) => {
      if (error === null) resolve();
      else reject(toFailure(program, error, printed));
    });
    // a write fails if the program exits before it has read the whole text; its exit code then tells whether it failed
    child.stdin?.on("error", () => {});
    child.stdin?.end(text);
  });
}

/**
 * Returns a `CommandFailed` if the program itself failed. Returns other errors unchanged: they may be temporary, such
 * as lack of memory.
 */
function toFailure(program: string, error: ExecFileException, printed: string): Error {
  const { code } = error;
  if (code === "ENOENT")
    return new CommandFailed(`there is no program ${program}: install it, or set --speech to another`);
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER")
    return new CommandFailed(`${program} printed more than ${MOST_PRINTED} bytes`);
  if (typeof code !== "number") return error;
  const [line = ""] = printed.trim().split("\n").slice(-1);
  return new CommandFailed(`${program} ended with ${code}${line === "" ? "" : `: ${line.slice(0, WORDS_SHOWN)}`}`);
}

/** Throws unless the file is a WAV file that contains sound. */
async function requireWav(path: string): Promise<void> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) throw new CommandFailed("the command wrote no file");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const { size } = await file.stat();
    const isWav = buffer.toString("latin1", 0, 4) === "RIFF" && buffer.toString("latin1", 8, 12) === "WAVE";
    if (!isWav || bytesRead < HEADER_BYTES || size === HEADER_BYTES)
      throw new CommandFailed("the command wrote no WAV file that contains sound");
    if (size > LARGEST_FILE) throw new SpeechNotMade("the text takes more than ten minutes to say");
    await file.chmod(FILE_MODE);
  } finally {
    await file.close();
  }
}

/** About 18 hours of speech at 22 050 samples a second. */
const MOST_BYTES = 2 ** 31;
const LONGEST_UNUSED_MS = 7 * 24 * 60 * 60_000;
/** Interval between sweeps. If many bytes were added, the next sweep is earlier. */
const SWEEP_MS = 60 * 60_000;
/** Share of the limit that may be added between two sweeps. */
const ADDED_SHARE = 1 / 8;
/** Names of the speech folder's own files. Other files in the folder are never touched. */
const OWN_NAME = /^[\da-f]+(\.wav|\.[\d-]+\.draft)$/;
/** Suffix of a file that is being written, or was being written when the process died. */
const DRAFT = ".draft";
const ENDING = ".wav";
const FOLDER_MODE = 0o750;

/** WAV files of speech, by their references. Each can be made again, so the least recently used are removed. */
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

  /** Returns the file's path, whether or not the file exists. The reference must be hexadecimal. */
  pathOf(reference: string): string {
    return join(this.#path, `${reference}${ENDING}`);
  }

  /** Returns whether the file exists. If so, marks it as used now. */
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

  /** Adds a file when `write` has written it completely. The folder's group may read it. */
  async add(reference: string, write: (draft: string) => Promise<void>): Promise<void> {
    // the folder's group must be able to read here, whatever the process's umask
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
