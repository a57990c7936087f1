/** Prompts the user. create-asker.ts makes one for a terminal; tests supply the answers. */
import { CliError } from "../failures/errors.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Sink } from "../process/io.ts";

export interface Asker {
  /** A line of text that `check` accepts. */
  text(message: string, check: Check): Promise<string>;
  /** A line of text that is not echoed. */
  secret(message: string, check: Check): Promise<string>;
  /** One of `choices`. */
  choose(message: string, choices: readonly string[]): Promise<string>;
  /** `preset` is the answer for Enter. */
  confirm(message: string, preset: boolean): Promise<boolean>;
  /** Prints lines between the prompts. */
  tell(text: string): void;
}

/** Returns true, or a message for a text that is not accepted. */
export type Check = (text: string) => true | string;

export interface Terminal {
  keyboard: NodeJS.ReadableStream;
  screen: Sink;
  isColoured: boolean;
  /** Aborted when the user interrupts with a signal instead of a key. */
  signal: AbortSignal;
}

/** The error of a prompt that the user ends. */
export function interrupted(cause?: unknown): CliError {
  return new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was sent", { cause });
}
