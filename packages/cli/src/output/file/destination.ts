/** Target of a command's standard output: a file with --out, otherwise the process's own. */
import type { Io } from "../../process/io.ts";
import { openOutFile } from "./out-file.ts";

interface Destined {
  io: Io;
  /** Whether standard output is coloured. */
  isColoured: boolean;
}

/**
 * Runs a command with its output sent where the flags say. What a failing command has already written is kept, such as
 * the outcomes of the rows it finished.
 */
export async function withDestination(
  flags: Readonly<Record<string, unknown>>,
  { io, isColoured }: Destined,
  run: (destined: Destined) => Promise<void>,
): Promise<void> {
  const path = flags.out;
  if (typeof path !== "string") return run({ io, isColoured });
  const file = openOutFile(path, io.cwd);
  const finish = (isWanted: boolean) => {
    if (!isWanted) return file.discard();
    file.keep();
    if (flags.quiet !== true) io.stderr.write(`Wrote ${file.bytes()} bytes to ${path}.\n`);
  };
  try {
    await run({ io: { ...io, stdout: file.sink }, isColoured: false });
  } catch (error) {
    finish(file.bytes() > 0);
    throw error;
  }
  finish(true);
}
