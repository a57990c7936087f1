/** The bytes of a list, which can be read repeatedly: a file held open, or a private copy of a pipe. */
import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { type FileHandle, open, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { CliError, UsageError } from "../../failures/errors.ts";
import { explainRead } from "../../failures/system-faults.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";

export interface SourceFile {
  /** Its name in messages: the path as typed. */
  name: string;
  /** Name of the list, without folder: `visits` for both visits.csv and visits.failed.csv. Undefined for standard input. */
  listName: string | undefined;
  /** Whether it came through a pipe without a final line end, so it may be cut off. Complete files may lack one, too. */
  isCutPipe: boolean;
  /** Returns the nth candidate path for the failed rows. The second is used if the first is not msgctl's file, and so on. */
  failedPath(place: number): string;
  /** Reads from the beginning. @throws {CliError} If the file has changed since it was opened. */
  chunks(): AsyncGenerator<Buffer, void, undefined>;
  close(): Promise<void>;
}

const CHUNK_BYTES = 64 * 1024;

/** Opens a path, or standard input for `-`. @throws {UsageError} If it cannot be read. */
export async function openSource(path: string, io: Io): Promise<SourceFile> {
  const ofPipe = async (name: string, chunks: AsyncIterable<Uint8Array>) => {
    const { file, isCut } = await spool(chunks);
    return createSource(file, { name, isCutPipe: isCut, stem: resolve(io.cwd, "stdin") });
  };
  if (path === "-") return ofPipe("standard input", io.stdinChunks());
  const file = await openFile(path, resolve(io.cwd, path));
  // process substitution (`<(…)`), a named pipe and /dev/stdin can be read only once
  if (!(await file.stat()).isFile()) return ofPipe(path, file.createReadStream());
  const stem = resolve(io.cwd, path.replace(/(\.failed(-\d+)?)?\.csv$/i, ""));
  return createSource(file, { name: path, listName: basename(stem), isCutPipe: false, stem });
}

async function openFile(path: string, absolute: string): Promise<FileHandle> {
  const unreadable = (reason: string) =>
    new UsageError(`${JSON.stringify(path)} cannot be read: ${reason}`, [
      "Give the path of a CSV file, or - for standard input.",
    ]);
  const file = await open(absolute, "r").catch((error: unknown) => {
    throw unreadable(explainRead(error));
  });
  if (!(await file.stat()).isDirectory()) return file;
  await file.close();
  throw unreadable("it is a folder");
}

/** Copies a pipe to a file that nobody else can open and that disappears when this process ends, however it ends. */
async function spool(chunks: AsyncIterable<Uint8Array>): Promise<{ file: FileHandle; isCut: boolean }> {
  const path = join(tmpdir(), `msgctl-${randomUUID()}.csv`);
  const file = await open(path, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    // Windows cannot remove an open file: there it stays until the system cleans its temporary folder.
    await unlink(path).catch(() => {});
    let end = Buffer.alloc(0);
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      end = Buffer.concat([end, chunk.subarray(-2)]).subarray(-2);
    }
    // in UTF-16 the line feed is the last byte or the one before it
    return { file, isCut: !end.some((byte) => byte === 10 || byte === 13) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

interface Names {
  name: string;
  listName?: string;
  isCutPipe: boolean;
  /** The path without its extension. */
  stem: string;
}

async function createSource(file: FileHandle, { name, listName, isCutPipe, stem }: Names): Promise<SourceFile> {
  const opened = await file.stat({ bigint: true });
  return {
    name,
    listName,
    isCutPipe,
    failedPath: (place) => `${stem}.failed${place === 1 ? "" : `-${place}`}.csv`,
    async *chunks() {
      let position = 0;
      for (;;) {
        const buffer = Buffer.allocUnsafe(CHUNK_BYTES);
        const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, position);
        const now = await file.stat({ bigint: true });
        // If the content changed during a run, some rows could be sent twice and others never.
        if (now.mtimeNs !== opened.mtimeNs || now.size !== opened.size) throw changed(name);
        if (bytesRead === 0) return;
        position += bytesRead;
        yield buffer.subarray(0, bytesRead);
      }
    },
    close: () => file.close(),
  };
}

function changed(name: string): CliError {
  return new CliError(EXIT.usage, "file_changed", `${name} was changed while it was read; no more rows were started`, {
    hints: ["Restore the file, then run the same command again: rows that are done are not repeated."],
  });
}
