/** Shows progress on standard error: one terminal line that is rewritten, or separate lines. */

import { printable } from "../output/printable.ts";
import { truncate } from "../output/text/width.ts";
import { canRewrite, type Sink } from "../process/io.ts";

export interface LiveLine {
  /** Shows the current state, replacing what was shown before. */
  show(text: string): void;
  /** Prints a line that stays. */
  say(text: string): void;
  /** Removes the line, so that others can write. */
  clear(): void;
}

export interface LineOptions {
  /** Writes nothing at all. */
  quiet: boolean;
  /** A trace goes to the same stream, so every line stays. */
  verbose: boolean;
  /** Whether, without a terminal, each change of the state is printed as a line. */
  isLogged: boolean;
}

const CLEAR_LINE = "\r\u001b[K";

export function createLiveLine(stderr: Sink, { quiet, verbose, isLogged }: LineOptions): LiveLine {
  const isLive = canRewrite(stderr) && !quiet && !verbose;
  let shown: string | undefined;
  let isDrawn = false;
  const clear = () => {
    if (isDrawn) stderr.write(CLEAR_LINE);
    isDrawn = false;
  };
  const say = (text: string) => {
    clear();
    if (!quiet) stderr.write(`${printable(text)}\n`);
  };
  return {
    show(text) {
      if (isLive) {
        stderr.write(`${CLEAR_LINE}${truncate(printable(text), (stderr.columns ?? 80) - 1)}`);
        isDrawn = true;
      } else if (isLogged && text !== shown) {
        say(text);
      }
      shown = text;
    },
    say,
    clear,
  };
}
