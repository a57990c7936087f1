/** `--out`: a file that replaces standard output. It gets the whole output or stays unchanged. */

import { closeSync, lstatSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CliError, UsageError } from "../../failures/errors.ts";
import { readErrorCode } from "../../failures/thrown.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Sink } from "../../process/io.ts";

export interface OutFile {
  sink: Sink;
  bytes(): number;
  /** Moves the file into place. @throws {CliError} If that fails. */
  keep(): void;
  /** Discards the output. An earlier file at the path stays. */
  discard(): void;
}

/**
 * Opens a temporary file beside `path` that only its owner can read. `keep` moves it to `path`, so nobody ever reads half
 * an answer there. A symbolic link at `path` is refused, since its target may belong to somebody else.
 *
 * @throws {UsageError} If no file can be created there.
 */
export function openOutFile(path: string, cwd: string): OutFile {
  const target = resolve(cwd, path);
  refuseOtherThanFile(path, target);
  const temporary = join(dirname(target), `.${basename(target)}.${crypto.randomUUID()}`);
  const file = open(path, temporary);
  let byteCount = 0;
  const attempt = (action: () => void) => {
    try {
      action();
    } catch (error) {
      throw toWriteFailure(path, error);
    }
  };
  const write = (text: string) => {
    const bytes = Buffer.from(text);
    attempt(() => {
      for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    });
    byteCount += bytes.length;
  };
  return {
    sink: { write, isTTY: false, columns: undefined },
    bytes: () => byteCount,
    keep() {
      attempt(() => {
        closeSync(file);
        renameSync(temporary, target);
      });
    },
    discard() {
      closeSync(file);
      rmSync(temporary, { force: true });
    },
  };
}

function refuseOtherThanFile(path: string, target: string): void {
  const found = lstatSync(target, { throwIfNoEntry: false });
  if (found === undefined || found.isFile()) return;
  const kind = found.isSymbolicLink() ? "a symbolic link" : found.isDirectory() ? "a folder" : "not a regular file";
  throw refused(path, `is ${kind}`);
}

function open(path: string, temporary: string): number {
  try {
    // wx never opens an existing file or the target of a link.
    return openSync(temporary, "wx", 0o600);
  } catch (error) {
    throw refused(path, `cannot be written (${readErrorCode(error) ?? "unknown reason"})`);
  }
}

function refused(path: string, reason: string): UsageError {
  return new UsageError(`--out: ${JSON.stringify(path)} ${reason}; nothing was sent`, [
    "Give the path of a file in a folder that exists. An existing file is replaced.",
  ]);
}

function toWriteFailure(path: string, error: unknown): CliError {
  const message = `--out: ${JSON.stringify(path)} could not be written (${readErrorCode(error) ?? "unknown reason"})`;
  return new CliError(EXIT.internal, "output_not_written", message, {
    hints: ["The request may have succeeded. Repeat a write with the same --idempotency-key."],
    cause: error,
  });
}
