/** Prompts the user. create-asker.ts creates an asker for a terminal; tests supply the answers. */
import { CliError } from "../failures/errors.ts";
import { EXIT } from "../process/exit-codes.ts";
import type { Sink } from "../process/io.ts";

export interface Asker {
  /** Asks for a line of text that `check` accepts. */
  text(message: string, check: Check): Promise<string>;
  /** Asks for a line of text that is not echoed. */
  secret(message: string, check: Check): Promise<string>;
  /** Asks for one of `choices`. */
  choose(message: string, choices: readonly string[]): Promise<string>;
  /** Asks for yes or no. Enter alone means `preset`. */
  confirm(message: string, preset: boolean): Promise<boolean>;
  /** Prints lines between the prompts. */
  tell(text: string): void;
}

/** Returns true, or a message that says why the text is not accepted. */
export type Check = (text: string) => true | string;

export interface Terminal {
  keyboard: NodeJS.ReadableStream;
  screen: Sink;
  isColoured: boolean;
  /** Aborted if a signal, not a key, interrupts the prompt. */
  signal: AbortSignal;
}

/** Creates the error of a prompt that the user ends. */
export function interrupted(cause?: unknown): CliError {
  return new CliError(EXIT.interrupted, "interrupted", "interrupted; nothing was sent", { cause });
}
