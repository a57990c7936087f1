// The program of the thread that updates the index and notifies viewers of new messages.

import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { systemClock } from "../platform/clock.ts";
import { openReader } from "../store/reader.ts";
import { answerRequests } from "../threads/worker-threads.ts";
import { followHistory, openFollowedIndex } from "./followed-index.ts";
import { Following } from "./following.ts";
import type { ScopedSearch } from "./page-search.ts";
import { createSearchSource } from "./search-source.ts";
import { shorten } from "./searches.ts";
import { type FollowRequest, type FollowTold, findRest, type SearchThreadData } from "./thread-searches.ts";

/** The lowest scheduling priority. A thread cannot raise its priority again. */
const LOWEST = 19;
/** Messages indexed at a time. Each batch is a transaction, and adds a segment to the index that is merged later. */
const BITE = 2_000;

const { database, searchFile, load } = workerData as SearchThreadData;
const reader = await openReader(database);
const following = new Following({
  source: createSearchSource(reader),
  openIndex: () => openFollowedIndex(searchFile, database),
  emptyIfOther: followHistory(reader, systemClock),
  clock: systemClock,
  bite: BITE,
  findRest(workedMs) {
    // The priority is lowered only after the first batch, because searches wait until this thread has opened the index.
    // Only on Linux does `setPriority` affect just this thread; elsewhere it would affect the whole process.
    if (process.platform === "linux") setPriority(LOWEST);
    return findRest(load, workedMs);
  },
  onError: (error) => tell({ fault: error instanceof Error ? error.message : String(error) }),
});
const ends = new Map<number, () => void>();

const tell = answerRequests<FollowRequest, null, FollowTold>((request) => {
  if (request.ask === "watch") watch(request.viewer, request.scoped);
  else if (request.ask === "unwatch") {
    ends.get(request.viewer)?.();
    ends.delete(request.viewer);
  } else {
    following.open();
    void following.catchUp();
  }
  return null;
});

function watch(viewer: number, scoped: ScopedSearch): void {
  const end = following.watch(scoped, ({ messages, ...changes }) =>
    tell({ viewer, changes: { ...changes, messages: messages.map(shorten) } }),
  );
  ends.set(viewer, end);
}
