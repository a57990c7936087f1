import type { Asker, Terminal } from "./asker.ts";
import { createInquirerAsker } from "./inquirer-asker.ts";
import { createLineAsker } from "./line-asker.ts";

/** Creates an asker. Its prompts throw a CliError with exit code 130 if the user interrupts or closes the terminal. */
export function createAsker(terminal: Terminal): Asker {
  return terminal.screen.isLineByLine ? createLineAsker(terminal) : createInquirerAsker(terminal);
}
