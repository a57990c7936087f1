import type { Asker, Terminal } from "./asker.ts";
import { createInquirerAsker } from "./inquirer-asker.ts";
import { createLineAsker } from "./line-asker.ts";

/** Every prompt throws a CliError with exit code 130 when the user interrupts it or closes the terminal. */
export function createAsker(terminal: Terminal): Asker {
  return terminal.screen.isLineByLine ? createLineAsker(terminal) : createInquirerAsker(terminal);
}
