// The program of the cursor thread: it keeps the open cursors and returns one page per request.

import { parentPort, workerData } from "node:worker_threads";
import { StoreUnavailable } from "../store.ts";
import type { CursorAnswer, CursorRequest } from "./cursors.ts";
import { Cursor } from "./readers.ts";

const path = String(workerData);
const cursors = new Map<number, Cursor>();

parentPort?.on("message", (request: CursorRequest) => {
  if (request.ask === "close") close(request.id);
  else if (request.ask === "closeAll") parentPort?.postMessage(closeAll());
  else parentPort?.postMessage(answer(request));
});

/** Returns a page as JSON: to copy it to the other thread value by value costs twice as much. */
function answer({ id, query }: Extract<CursorRequest, { ask: "next" }>): CursorAnswer {
  try {
    let cursor = cursors.get(id);
    if (cursor === undefined) {
      cursor = new Cursor(path, query);
      cursors.set(id, cursor);
    }
    const page = cursor.next();
    if (page.isLast) close(id);
    return { id, page: JSON.stringify(page) };
  } catch (error) {
    close(id);
    const message = error instanceof Error ? error.message : String(error);
    return { id, fault: { message, isUnavailable: error instanceof StoreUnavailable } };
  }
}

function closeAll(): CursorAnswer {
  for (const id of cursors.keys()) close(id);
  return { areClosed: true };
}

function close(id: number): void {
  cursors.get(id)?.close();
  cursors.delete(id);
}
