/**
 * Runs work on rows with bounded concurrency. It is independent of requests: it manages the rows that are read, the work in
 * progress, and how both end.
 */

import { onAbort } from "../abort-listeners.ts";

/** Rows of a list. They are read one at a time, and only as results are consumed. */
export type Rows<Row> = Iterable<Row> | AsyncIterable<Row>;

/** The work on one row. It must not reject. When its signal is aborted, it should end soon. */
export type Work<Row, Result> = (row: Row, index: number, signal: AbortSignal) => Promise<Result>;

/** Bounds of a run. */
export interface RunBounds {
  /** Maximum number of rows that are read and not yet done, including those in progress. */
  concurrency: number;
  /** When aborted, no more rows are started, and those in progress are asked to end. */
  signal: AbortSignal | undefined;
  /** Creates the error that the run throws once its signal has ended it. */
  explainAbort: (startedCount: number) => Error;
}

/**
 * Works on rows with bounded concurrency, and yields each result as it comes. A row is done when the next result is
 * requested. Every started row yields one result, even after an abort or an error of the source; the error is thrown last.
 * Leaving the loop early asks running work to end, waits for it, and waits for the source until the signal is aborted.
 */
export async function* runBounded<Row, Result>(
  rows: Rows<Row>,
  work: Work<Row, Result>,
  { concurrency, signal, explainAbort }: RunBounds,
): AsyncGenerator<Result, void, undefined> {
  if (signal?.aborted) throw explainAbort(0);
  const source = iteratorOf(rows);
  // One controller for each row: Node warns of a leak if a signal has more than ten listeners.
  const underWay = new Set<AbortController>();
  const finished: Result[] = [];
  let startedCount = 0;
  let heldCount = 0;
  let isReading = false;
  let hasSourceEnded = false;
  let isStopped = false;
  let wasAborted = false;
  let fault: { error: unknown } | undefined;
  let wake = () => {};
  const change = () => new Promise<void>((resolve) => (wake = resolve));

  function read(): void {
    if (isReading || hasSourceEnded || isStopped || heldCount >= concurrency) return;
    isReading = true;
    heldCount += 1;
    next(source).then(take, (error: unknown) => {
      fault = { error };
      take({ done: true, value: undefined });
    });
  }

  function take({ done, value }: IteratorResult<Row, unknown>): void {
    isReading = false;
    if (done) hasSourceEnded = true;
    else if (!isStopped) start(value);
    read();
    wake();
  }

  function start(row: Row): void {
    const controller = new AbortController();
    underWay.add(controller);
    void work(row, startedCount, controller.signal).then((result) => {
      underWay.delete(controller);
      finished.push(result);
      wake();
    });
    startedCount += 1;
  }

  function stop(): void {
    isStopped = true;
    for (const controller of underWay) controller.abort(signal?.reason);
    wake();
  }

  function tellAborted(): void {
    wasAborted = underWay.size > 0 || !hasSourceEnded;
    if (wasAborted) stop();
  }

  /** Closes the source. Does not wait for a read in progress, which may never end. */
  async function close(): Promise<void> {
    let isClosed = hasSourceEnded || isReading;
    let failed: { error: unknown } | undefined;
    if (!hasSourceEnded)
      faultOf(async () => source.return?.()).then((fault) => {
        failed = isClosed ? undefined : fault;
        isClosed = true;
        wake();
      });
    while (underWay.size > 0 || !(isClosed || signal?.aborted)) await change();
    if (failed && !wasAborted) throw failed.error;
  }

  const stopListening = signal && onAbort(signal, tellAborted);
  try {
    for (;;) {
      read();
      while (finished.length === 0 && (underWay.size > 0 || !(hasSourceEnded || isStopped))) await change();
      if (finished.length === 0) break;
      yield finished.shift() as Result;
      heldCount -= 1;
    }
    if (wasAborted) throw explainAbort(startedCount);
    if (fault) throw fault.error;
  } finally {
    stop();
    await close();
    stopListening?.();
  }
}

function iteratorOf<Row>(rows: Rows<Row>): Iterator<Row> | AsyncIterator<Row> {
  return Symbol.asyncIterator in rows ? rows[Symbol.asyncIterator]() : rows[Symbol.iterator]();
}

/** Reads the next row. Also rejects if the source returns something other than an iterator's result. */
async function next<Row>(source: Iterator<Row> | AsyncIterator<Row>): Promise<IteratorResult<Row, unknown>> {
  const { done, value } = await source.next();
  return { done, value } as IteratorResult<Row, unknown>;
}

/** Returns the error of `work` as a value, so that no rejection goes unhandled even if nobody awaits the promise. */
function faultOf(work: () => Promise<unknown>): Promise<{ error: unknown } | undefined> {
  return work().then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
}
