// The program of the thread that searches the index and reads the found messages.

import { workerData } from "node:worker_threads";
import { systemClock } from "../platform/clock.ts";
import { openReader } from "../store/reader.ts";
import { answerRequests } from "../threads/worker-threads.ts";
import { isComplete, reachedAt } from "./follower.ts";
import { findPage } from "./page-search.ts";
import { SearchIndex } from "./search-index.ts";
import { createSearchSource } from "./search-source.ts";
import { FIND_MS, shorten } from "./searches.ts";
import type { FindAnswer, FindRequest, SearchThreadData } from "./thread-searches.ts";

const { database, searchFile } = workerData as SearchThreadData;
const source = createSearchSource(await openReader(database));
const index = SearchIndex.openToRead(searchFile);

answerRequests<FindRequest, FindAnswer>(async (request) => {
  const state = { isComplete: isComplete(index) };
  if ("tallies" in request) {
    return { ...state, hours: index.listTallies(request.tallies), countedUntil: reachedAt(index) };
  }
  const until = performance.now() + FIND_MS;
  const parts = { source, index, now: systemClock.now() };
  const page = await findPage(parts, request.page, () => performance.now() < until);
  return { ...state, ...page, messages: page.messages.map(shorten) };
});
