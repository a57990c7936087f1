// The program of the thread that looks for messages in the index, and reads those that it finds.

import { workerData } from "node:worker_threads";
import { openReader } from "../store/reader.ts";
import { answerRequests } from "./asked-thread.ts";
import { findPage } from "./page-search.ts";
import { SearchIndex } from "./search-index.ts";
import { createSearchSource } from "./search-source.ts";
import { FIND_MS, shorten } from "./searches.ts";
import type { FindAnswer, FindRequest, SearchPlace } from "./thread-searches.ts";

const { database, searchFile } = workerData as SearchPlace;
const source = createSearchSource(await openReader(database));
const index = SearchIndex.openToRead(searchFile);

answerRequests<FindRequest, FindAnswer>(async (request) => {
  if ("tallies" in request) return { hours: index.listTallies(request.tallies) };
  const until = performance.now() + FIND_MS;
  const page = await findPage({ source, index }, request.page, () => performance.now() < until);
  return { page: { ...page, messages: page.messages.map(shorten) } };
});
