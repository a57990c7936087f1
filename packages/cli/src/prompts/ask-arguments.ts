import type { DefinedArgument } from "../model/command.ts";
import { hasColour } from "../process/config.ts";
import type { Io } from "../process/io.ts";
import { createAsker } from "./create-asker.ts";
import { findKeyboard } from "./keyboard.ts";

/** Prompts for the missing arguments of a defined command, in order. Returns undefined if the user cannot be asked. */
export async function askArguments(
  missing: readonly DefinedArgument[],
  { input, color }: Readonly<Record<string, unknown>>,
  io: Io,
): Promise<string[] | undefined> {
  const keyboard = findKeyboard(io, { input: input !== false });
  if (keyboard === undefined) return undefined;
  const isColoured = color !== false && hasColour(io.env, io.stderr);
  const asker = createAsker({ keyboard, screen: io.stderr, isColoured, signal: io.signal });
  const answers: string[] = [];
  for (const { name, description, choices } of missing) {
    asker.tell(description);
    const check = (text: string) => text !== "" || `<${name}> is required: type a value, or Ctrl-C to stop`;
    answers.push(await (choices === undefined ? asker.text(name, check) : asker.choose(name, choices)));
  }
  return answers;
}
