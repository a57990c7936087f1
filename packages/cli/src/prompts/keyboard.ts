import { isAutomated } from "../process/config.ts";
import type { Io } from "../process/io.ts";

/** Returns the keyboard for prompts; undefined without a terminal, with --no-input, and in continuous integration. */
export function findKeyboard(io: Io, { input }: { input: boolean }): NodeJS.ReadableStream | undefined {
  const keyboard = input && io.stderr.isTTY && !isAutomated(io.env) ? io.keyboard() : undefined;
  // no keys can come if standard input was read to its end for a value given as `-`
  return keyboard?.readable ? keyboard : undefined;
}
