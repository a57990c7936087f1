// The program of the thread that keeps the index up, and tells viewers what is new.

import { setPriority } from "node:os";
import { workerData } from "node:worker_threads";
import { systemClock } from "../platform/clock.ts";
import { openReader } from "../store/reader.ts";
import { answerRequests } from "./asked-thread.ts";
import { openFollowedIndex } from "./followed-index.ts";
import { Following } from "./following.ts";
import type { ScopedSearch } from "./page-search.ts";
import { createSearchSource } from "./search-source.ts";
import { shorten } from "./searches.ts";
import type { FollowAnswer, FollowRequest, FollowTold, SearchPlace } from "./thread-searches.ts";

/** The lowest priority. On Linux it is the thread's; elsewhere it would be the whole server's. */
const LOWEST = 19;
if (process.platform === "linux") setPriority(LOWEST);

const { database, searchFile } = workerData as SearchPlace;
const reader = await openReader(database);
const following = new Following({
  source: createSearchSource(reader),
  openIndex: () => openFollowedIndex(searchFile, database),
  clock: systemClock,
  onError: (error) => tell({ fault: error instanceof Error ? error.message : String(error) }),
});
const ends = new Map<number, () => void>();

const tell = answerRequests<FollowRequest, FollowAnswer, FollowTold>(async (request) => {
  if (request.ask === "watch") watch(request.viewer, request.scoped);
  else if (request.ask === "unwatch") unwatch(request.viewer);
  else if (request.ask === "open") following.open();
  else await following.reachNow();
  return { followedUntil: following.followedUntil };
});

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
