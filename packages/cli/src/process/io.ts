import type { Clock } from "./clock.ts";
import type { ExitCode } from "./exit-codes.ts";

/** A command's environment. main.ts provides the process's own; tests provide strings. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
  /** All of standard input, read to its end. Rejects with a `NotText`. */
  readStdin(): Promise<string>;
  /** Standard input, chunk by chunk. */
  stdinChunks(): AsyncIterable<Uint8Array>;
  /** Standard input if it is a terminal; only for prompts. */
  keyboard(): NodeJS.ReadableStream | undefined;
  env: Environment;
  /** Version of Node.js: 22.1.0. */
  nodeVersion: string;
  /** Minutes by which the user's clock is ahead of UTC at an instant. */
  zoneOffsetMinutes(at: Date): number;
  cwd: string;
  clock: Clock;
  /** Aborted when the user, or SIGTERM or SIGHUP, interrupts. */
  signal: AbortSignal;
  /** The exit code of a command that was interrupted: 130, unless another signal did it. */
  interruptedExitCode(): ExitCode;
  /** Sets how long work in flight may take to end after an interruption, in milliseconds; otherwise 300. */
  setInterruptionGrace(graceMs: number): void;
  /** Shows a text in the user's pager; false if there is none. */
  page(text: string): Promise<boolean>;
  /** Opens an address in the user's browser; false if there is none. */
  openBrowser(url: string): Promise<boolean>;
  /** Aborted once standard output is known to have no reader any more (`| head`). */
  outputEnd: AbortSignal;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Sink {
  write(text: string): void;
  isTTY: boolean;
  /** Width of the terminal; undefined when there is none. */
  columns: number | undefined;
  /** Height of the terminal. */
  rows?: number | undefined;
  /** A terminal on which nothing may be drawn over, see config.ts. */
  isLineByLine?: boolean;
}

/** Whether a line of the sink can be rewritten. */
export function canRewrite({ isTTY, isLineByLine }: Sink): boolean {
  return isTTY && !isLineByLine;
}
