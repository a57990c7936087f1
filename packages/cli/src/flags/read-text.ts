/** Reads the text of a file that a command line names. */
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { explainRead } from "../failures/system-faults.ts";
import { readErrorCode } from "../failures/thrown.ts";
import { decodeText, NotText } from "../process/decode-text.ts";
import type { Io } from "../process/io.ts";

/** The error if a file cannot be read as text. Its message continues the file's name: `cannot be read: …`. */
export class UnreadableText extends Error {
  override readonly name = "UnreadableText";
}

/** Reads a path, or standard input for `-`. @throws {UnreadableText} */
export async function readText(path: string, io: Pick<Io, "cwd" | "readStdin">): Promise<string> {
  try {
    return path === "-" ? await io.readStdin() : decodeText(await readFile(resolve(io.cwd, path)));
  } catch (error) {
    if (error instanceof NotText) throw new UnreadableText(error.message);
    if (readErrorCode(error) === undefined) throw error;
    throw new UnreadableText(`cannot be read: ${explainRead(error)}`);
  }
}
