// A speech engine that has a command write WAV files: espeak-ng, Piper, or any that takes a text at its standard input.

import { type ExecFileException, execFile } from "node:child_process";
import { hash } from "node:crypto";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { fillSpeechArguments } from "../../../rules/speech-command.ts";
import type { SpeechFiles, SpeechOrder } from "../../calls/engine.ts";
import { SpeechFolder } from "./speech-folder.ts";

export interface CommandSpeechOptions {
  /** The program and its arguments, as `parseSpeechCommand` returns them. */
  readonly command: readonly [string, ...string[]];
  /** Where the files are kept: whoever plays them reads them there. */
  readonly folder: string;
}

/** Commands at once: each has a core to itself. */
const AT_ONCE = 2;
const LONGEST_RUN_MS = 25_000;
/** What a command may print. */
const MOST_PRINTED = 65_536;
const HEADER_BYTES = 44;
const WORDS_SHOWN = 200;
/** Whoever plays it belongs to the folder's group. */
const FILE_MODE = 0o640;

/** The command ended without a speech: nobody knows of one. */
export class SpeechNotMade extends Error {
  override readonly name = "SpeechNotMade";
}

/** Creates the engine. Its name is that of the program; its model tells one command line from another. */
export function createCommandSpeech({ command: [program, ...words], folder: path }: CommandSpeechOptions): SpeechFiles {
  const folder = new SpeechFolder(path);
  const name = basename(program);
  const making = new Map<string, Promise<void>>();
  const running = new Set<Promise<void>>();

  /** Makes a speech once, however many ask for it at the same time. */
  function make(order: SpeechOrder): Promise<void> {
    const known = making.get(order.reference);
    if (known !== undefined) return known;
    const made = makeInTurn(order).finally(() => making.delete(order.reference));
    making.set(order.reference, made);
    return made;
  }

  async function makeInTurn(order: SpeechOrder): Promise<void> {
    while (running.size >= AT_ONCE) await Promise.race(running);
    const made = folder.add(order.reference, (file) => run(order, file));
    const ended = made.catch(() => undefined).then(() => void running.delete(ended));
    running.add(ended);
    return made;
  }

  async function run(order: SpeechOrder, file: string): Promise<void> {
    const filled = fillSpeechArguments(words, { ...order, file });
    if (filled === undefined) throw new SpeechNotMade(`there is no voice "${order.voice}" for "${order.language}"`);
    await speak(program, filled, order.text);
    await requireWav(file);
  }

  return {
    name,
    model: `${name}-${hash("sha256", JSON.stringify([program, ...words])).slice(0, 8)}`,
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
  };
}

function speak(program: string, words: readonly string[], text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const limits = { timeout: LONGEST_RUN_MS, killSignal: "SIGKILL", maxBuffer: MOST_PRINTED } as const;
    const child = execFile(program, words, limits, (error, _out, printed) => {
      if (error === null) resolve();
      else reject(new SpeechNotMade(wordsOf(program, error, printed)));
    });
    // a program that ends before it has read the text says by its exit code what was wrong
    child.stdin?.on("error", () => {});
    child.stdin?.end(text);
  });
}

function wordsOf(program: string, { code, killed }: ExecFileException, printed: string): string {
  if (code === "ENOENT") return `there is no program ${program}: install it, or set --speech to another`;
  if (code === "ERR_CHILD_PROCESS_STDIO_MAXBUFFER") return `${program} printed more than ${MOST_PRINTED} bytes`;
  if (killed === true) return `${program} took longer than ${LONGEST_RUN_MS / 1_000} s`;
  const [line = ""] = printed.trim().split("\n").slice(-1);
  return `${program} ended with ${code}${line === "" ? "" : `: ${line.slice(0, WORDS_SHOWN)}`}`;
}

/** Throws unless the file is a WAV file with some sound in it. */
async function requireWav(path: string): Promise<void> {
  const file = await open(path).catch(() => undefined);
  if (file === undefined) throw new SpeechNotMade("the command wrote no file");
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, 0);
    const { size } = await file.stat();
    const isWav = buffer.toString("latin1", 0, 4) === "RIFF" && buffer.toString("latin1", 8, 12) === "WAVE";
    if (!isWav || bytesRead < HEADER_BYTES || size === HEADER_BYTES)
      throw new SpeechNotMade("the command wrote no WAV file with sound in it");
    await file.chmod(FILE_MODE);
  } finally {
    await file.close();
  }
}
