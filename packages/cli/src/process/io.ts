import type { Clock } from "./clock.ts";
import type { ExitCode } from "./exit-codes.ts";

/** The environment of a command. main.ts provides that of the process; tests provide strings. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
  /** Reads standard input to its end. Rejects with a `NotText` if it is not text. */
  readStdin(): Promise<string>;
  /** Reads standard input chunk by chunk. */
  stdinChunks(): AsyncIterable<Uint8Array>;
  /** Returns standard input if it is a terminal. Use it only for prompts. */
  keyboard(): NodeJS.ReadableStream | undefined;
  env: Environment;
  /** Version of Node.js, such as 22.1.0. */
  nodeVersion: string;
  /** Returns the offset of the user's time zone from UTC at an instant, in minutes. */
  zoneOffsetMinutes(at: Date): number;
  cwd: string;
  clock: Clock;
  /** Aborted by Ctrl-C, SIGTERM or SIGHUP. */
  signal: AbortSignal;
  /** Returns the exit code for an interrupted command: 130, unless a signal other than SIGINT interrupted it. */
  interruptedExitCode(): ExitCode;
  /** Sets the time that work in flight gets to end after an interruption. The default is 300 ms. */
  setInterruptionGrace(graceMs: number): void;
  /** Shows a text in the user's pager. Returns false if there is no pager. */
  page(text: string): Promise<boolean>;
  /** Opens an address in the user's browser. Returns false if there is no browser. */
  openBrowser(url: string): Promise<boolean>;
  /** Aborted when a write to standard output fails because its reader is gone (`| head`). */
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
  /** Whether only whole lines may be written to the terminal, see `isLineByLine` in config.ts. */
  isLineByLine?: boolean;
}

/** Whether the sink is a terminal that can rewrite a line. */
export function canRewrite({ isTTY, isLineByLine }: Sink): boolean {
  return isTTY && !isLineByLine;
}
