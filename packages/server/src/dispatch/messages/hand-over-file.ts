// Stores the last hand-over in a file beside the database.

import { closeSync, existsSync, fdatasync, openSync, readFileSync, writeSync } from "node:fs";
import { promisify } from "node:util";
import { writePrivateFile } from "../../platform/data-folder.ts";
import type { HandOver, HandOverMark } from "./restoration.ts";

/** File length after which the file is rewritten. */
const LONGEST_BYTES = 1_048_576;

const syncData = promisify(fdatasync);

/**
 * Stores the last hand-over as the last complete line of a file, which is flushed before the message leaves.
 * Simultaneous hand-overs share one flush.
 */
export function openFileMark(file: string): HandOverMark {
  let latest = existsSync(file) ? readLast(readFileSync(file, "utf8")) : [];
  let length = 0;
  let handle: number | undefined;
  let flushing: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  /** Rewrites the file with only the last hand-over, and opens it. */
  function begin(): number {
    if (handle !== undefined) closeSync(handle);
    handle = undefined;
    const text = latest.map(toLine).join("");
    writePrivateFile(file, text);
    length = text.length;
    handle = openSync(file, "a");
    return handle;
  }

  async function flush(): Promise<void> {
    await flushing?.catch(() => {});
    next = undefined;
    flushing = syncData(handle ?? begin());
    await flushing;
  }

  return {
    get latest() {
      return latest;
    },
    note(handOver) {
      if (handle === undefined || length > LONGEST_BYTES) begin();
      length += writeSync(handle as number, toLine(handOver));
      latest = [handOver];
      next ??= flush();
      return next;
    },
    forget(handOvers) {
      latest = latest.filter((handOver) => !handOvers.includes(handOver));
      begin();
    },
    close() {
      if (handle !== undefined) closeSync(handle);
      handle = undefined;
    },
  };
}

function toLine({ messageId, attempt }: HandOver): string {
  return `${messageId} ${attempt}\n`;
}

/** Reads the last complete line. A line cut short by a crash was never flushed, so its message did not leave. */
function readLast(text: string): readonly HandOver[] {
  const line = text.split("\n").at(-2);
  const found = /^(\S+) (\d+)$/.exec(line ?? "");
  return found === null ? [] : [{ messageId: found[1] as string, attempt: Number(found[2]) }];
}
