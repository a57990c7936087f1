/** Shows progress on standard error, either as one rewritten line or as separate lines. */

import { printable } from "../output/printable.ts";
import { truncate } from "../output/text/width.ts";
import { canRewrite, type Sink } from "../process/io.ts";

export interface LiveLine {
  /** Shows the current state in place of the previous one. */
  show(text: string): void;
  /** Prints a permanent line. */
  say(text: string): void;
  /** Removes the line, so that other output can follow. */
  clear(): void;
}

export interface LineOptions {
  /** Writes nothing at all. */
  quiet: boolean;
  /** With --verbose, no line is rewritten, since the trace goes to the same stream. */
  verbose: boolean;
  /** Whether to print each change of the state as a line if there is no terminal. */
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
