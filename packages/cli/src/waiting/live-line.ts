/** What is going on: one line of a terminal that is written over and over, or lines of their own. All on standard error. */

import { printable } from "../output/printable.ts";
import { truncate } from "../output/text/width.ts";
import type { Sink } from "../process/io.ts";

export interface LiveLine {
  /** How things stand; takes the place of what was shown before. */
  show(text: string): void;
  /** A line that stays. */
  say(text: string): void;
  /** Takes the line away, so that others may write. */
  clear(): void;
}

export interface LineOptions {
  /** Writes nothing at all. */
  quiet: boolean;
  /** A trace goes to the same stream: every line then stays. */
  verbose: boolean;
  /** Whether what is shown becomes a line, where it has changed, if there is no terminal. */
  isLogged: boolean;
}

const CLEAR_LINE = "\r\u001b[K";

export function createLiveLine(stderr: Sink, { quiet, verbose, isLogged }: LineOptions): LiveLine {
  const isLive = stderr.isTTY && !quiet && !verbose;
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
