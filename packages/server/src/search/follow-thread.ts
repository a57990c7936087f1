// The program of the thread that keeps the index up, and tells viewers what is new.

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

/** The lowest priority, which a thread cannot leave again. */
const LOWEST = 19;
/** Each bite is a transaction, and each transaction a part of the index that is merged with others later. */
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
    lowerPriority();
    return findRest(load, workedMs);
  },
  onError: (error) => tell({ fault: error instanceof Error ? error.message : String(error) }),
});
const ends = new Map<number, () => void>();

const tell = answerRequests<FollowRequest, null, FollowTold>((request) => {
  if (request.ask === "watch") watch(request.viewer, request.scoped);
  else if (request.ask === "unwatch") unwatch(request.viewer);
  else {
    following.open();
    void following.catchUp();
  }
  return null;
});

/**
 * To be called after a bite, and not before: each search waits until the index is open, and reads by itself what the first bite
 * would have brought. Beside others that are busy, a thread of the lowest priority gets a hundredth of a processor, and takes a
 * minute for its start. On Linux the priority is the thread's; elsewhere it would be the whole server's.
 */
function lowerPriority(): void {
  if (process.platform === "linux") setPriority(LOWEST);
}

function watch(viewer: number, scoped: ScopedSearch): void {
  const end = following.watch(scoped, ({ messages, ...changes }) =>
    tell({ viewer, changes: { ...changes, messages: messages.map(shorten) } }),
  );
  ends.set(viewer, end);
}

function unwatch(viewer: number): void {
  ends.get(viewer)?.();
  ends.delete(viewer);
}
