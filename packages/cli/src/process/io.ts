import type { Clock } from "./clock.ts";

/** The world as a command sees it. main.ts gives the process's own; tests give strings. */
export interface Io {
  stdout: Sink;
  stderr: Sink;
  /** All of standard input, read to its end. */
  readStdin(): Promise<string>;
  /** Standard input as it comes. */
  stdinChunks(): AsyncIterable<Uint8Array>;
  /** Standard input where it is a terminal; only for questions. */
  keyboard(): NodeJS.ReadableStream | undefined;
  env: Environment;
  /** Version of Node.js: 22.1.0. */
  nodeVersion: string;
  /** Minutes by which the user's clock is ahead of UTC at an instant. */
  zoneOffsetMinutes(at: Date): number;
  cwd: string;
  clock: Clock;
  /** Aborted when the user interrupts. */
  signal: AbortSignal;
  /** Sets how long what is under way may take to end after an interruption, in milliseconds; otherwise 300. */
  setInterruptionGrace(graceMs: number): void;
  /** Aborted once it is known that nobody reads standard output any more (`| head`). */
  outputEnd: AbortSignal;
}

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Sink {
  write(text: string): void;
  isTTY: boolean;
  /** Width of the terminal, undefined where there is none. */
  columns: number | undefined;
}
