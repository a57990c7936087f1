/** Finds the terminal at which a bulk command can ask the user. */
import type { GlobalOptions } from "../flags/global-options.ts";
import { hasColour } from "../process/config.ts";
import type { Io } from "../process/io.ts";
import type { Asker } from "../prompts/asker.ts";
import { createAsker } from "../prompts/create-asker.ts";
import { findKeyboard } from "../prompts/keyboard.ts";

/** Returns undefined if there is nobody to ask. */
export function findAsker(io: Io, options: GlobalOptions): Asker | undefined {
  const keyboard = findKeyboard(io, options);
  if (keyboard === undefined) return undefined;
  return createAsker({ keyboard, screen: io.stderr, isColoured: hasColour(io.env, io.stderr), signal: io.signal });
}
