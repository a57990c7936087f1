import { isAutomated } from "../process/config.ts";
import type { Io } from "../process/io.ts";

/** The keyboard to prompt on; undefined off a terminal, with --no-input, and in continuous integration. */
export function findKeyboard(io: Io, { input }: { input: boolean }): NodeJS.ReadableStream | undefined {
  const keyboard = input && io.stderr.isTTY && !isAutomated(io.env) ? io.keyboard() : undefined;
  // standard input that was read to its end, for a value given as `-`, has no more keys
  return keyboard?.readable ? keyboard : undefined;
}
