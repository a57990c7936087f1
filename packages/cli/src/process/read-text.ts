/** Reads the text of a file that a command line names. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { decodeText, NotText } from "./decode-text.ts";
import type { Io } from "./io.ts";

/** A file cannot be read as text. Its message follows the file's name: `cannot be read: there is no such file`. */
export class UnreadableText extends Error {
  override readonly name = "UnreadableText";
}

/** Reads a path, or standard input for `-`. @throws {UnreadableText} */
export async function readText(path: string, io: Pick<Io, "cwd" | "readStdin">): Promise<string> {
  try {
    return path === "-" ? await io.readStdin() : decodeText(await readFile(resolve(io.cwd, path)));
  } catch (error) {
    throw new UnreadableText(error instanceof NotText ? error.message : `cannot be read: ${describeUnreadable(error)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file",
  EISDIR: "it is a folder",
  ENOTDIR: "its path goes through a file",
  EACCES: "its owner does not allow it",
  EPERM: "its owner does not allow it",
};

/** Says why a file cannot be opened or read: `there is no such file`. */
export function describeUnreadable(error: unknown): string {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return REASONS[code] ?? (code || String(error));
}
