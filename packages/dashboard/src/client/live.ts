// Follows an event stream of the server. Reopens the stream when it ends, until the page stops it.

import type { OperationId, QueryOf } from "../api.ts";
import { open } from "./client.ts";
import { EventParser, type ServerEvent } from "./event-parser.ts";
import { Problem } from "./problem.ts";

/** Milliseconds between the end of a stream and its reopening. */
const AGAIN_MS = 1_000;

export interface Live {
  /** Called for each event, in order. */
  readonly onEvent: (event: ServerEvent) => void;
  /** Called with true when the stream opens, and with false when it ends. */
  readonly onState: (isOpen: boolean) => void;
}

/** Follows a stream. Returns a function that stops it. */
export function follow<K extends OperationId>(
  operationId: K,
  query: QueryOf<K>,
  { onEvent, onState }: Live,
): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const run = async () => {
    while (!signal.aborted) {
      try {
        const { body } = await open(operationId, { query, signal });
        onState(true);
        if (body !== null) await read(body, onEvent);
      } catch (error) {
        // do not retry a refused stream; the page's own request is refused too and shows the reason
        if (error instanceof Problem && error.status < 500 && error.status !== 429) return;
      }
      if (signal.aborted) return;
      onState(false);
      await pause(AGAIN_MS, signal);
    }
  };
  void run();
  return () => stop.abort();
}

async function read(body: ReadableStream<Uint8Array>, onEvent: Live["onEvent"]): Promise<void> {
  const parser = new EventParser();
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    for (const event of parser.take(decoder.decode(piece.value, { stream: true }))) onEvent(event);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
