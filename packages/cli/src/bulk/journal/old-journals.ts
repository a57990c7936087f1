/** Journals of lists that nobody has run for long: kept, since they say what was sent, but made short. */
import { readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { shortenJournal } from "./journal.ts";

/** More than four times as long as the service knows a key: by then nobody goes on with what is open. */
const RESTED_MS = 30 * 24 * 60 * 60 * 1000;
/** What is as short as this stays. */
const SHORT_BYTES = 4096;
/** So many in one run, the longest rested first: the next one does the next. */
const MOST_JOURNALS = 20;

/** Never fails: what could not be made short is tried again after another run. */
export function shortenOldJournals(folder: string, nowMs: number): void {
  try {
    const files = readdirSync(folder).map((name) => {
      const path = join(folder, name);
      const { mtimeMs, size } = statSync(path);
      return { path, mtimeMs, size };
    });
    const rested = files.filter(({ mtimeMs }) => nowMs - mtimeMs > RESTED_MS).sort((a, b) => a.mtimeMs - b.mtimeMs);
    // of a process that was killed while it wrote
    for (const { path } of rested.filter(({ path }) => path.endsWith(".new"))) rmSync(path, { force: true });
    const long = rested.filter(({ path, size }) => path.endsWith(".jsonl") && size > SHORT_BYTES);
    for (const { path } of long.slice(0, MOST_JOURNALS)) shortenJournal(path);
  } catch {
    // as said above
  }
}
