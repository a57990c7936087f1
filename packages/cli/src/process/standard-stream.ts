/** Standard output and standard error as sinks. */
import { fstatSync, writeSync } from "node:fs";
import { EXIT } from "./exit-codes.ts";
import type { Sink } from "./io.ts";

export interface StreamOptions {
  isLineByLine?: boolean;
  /** Called when a write fails because the reader is gone. */
  onGone?(): void;
}

/**
 * Creates a sink for a file descriptor. Pipes and files are written synchronously, as Node's streams would do. Loading those
 * streams takes 3 to 5 ms of CPU per start, and only a terminal needs them.
 */
export function standardStream(
  descriptor: number,
  { isLineByLine = false, onGone = () => {} }: StreamOptions = {},
): Sink {
  const fail = (error: NodeJS.ErrnoException) => failed(descriptor, error, onGone);
  return mayBeTerminal(descriptor)
    ? terminal(descriptor, isLineByLine, (error) => (isClosedTerminal(error) ? onGone() : fail(error)))
    : { write: writerTo(descriptor, fail), isTTY: false, columns: undefined };
}

type Fail = (error: NodeJS.ErrnoException) => void;

function mayBeTerminal(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice();
  } catch {
    return true;
  }
}

function terminal(descriptor: number, isLineByLine: boolean, fail: Fail): Sink {
  const stream = descriptor === 1 ? process.stdout : process.stderr;
  stream.on("error", fail);
  return {
    write: (text) => void stream.write(text),
    isTTY: stream.isTTY === true,
    isLineByLine,
    // a getter, since the width changes when the window is resized
    get columns() {
      return stream.columns;
    },
    get rows() {
      return stream.rows;
    },
  };
}

/** EIO means that the terminal is gone. Later writes to the stream fail with ERR_STREAM_DESTROYED. */
function isClosedTerminal({ code }: NodeJS.ErrnoException): boolean {
  return code === "EIO" || code === "ERR_STREAM_DESTROYED";
}

function writerTo(descriptor: number, fail: Fail): (text: string) => void {
  let isGone = false;
  return (text) => {
    if (isGone) return;
    const bytes = Buffer.from(text);
    try {
      for (let at = 0; at < bytes.length; ) at += writeSome(descriptor, bytes, at);
    } catch (error) {
      isGone = true;
      fail(error as NodeJS.ErrnoException);
    }
  };
}

const WAIT_MS = 5;

/** Returns the number of written bytes; 0 if a non-blocking pipe is full. */
function writeSome(descriptor: number, bytes: Buffer, at: number): number {
  try {
    return writeSync(descriptor, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    return 0;
  }
}

function failed(descriptor: number, { code, message }: NodeJS.ErrnoException, onGone: () => void): void {
  // Not an error: a reader such as `head` may stop early.
  if (code === "EPIPE") {
    onGone();
    return;
  }
  if (descriptor === 1) process.stderr.write(`error: the output could not be written: ${message}\n`);
  process.exit(EXIT.internal);
}
