/** Directs a command's standard output to the file of --out, if given. */
import type { Io } from "../../process/io.ts";
import { openOutFile } from "./out-file.ts";

interface Destined {
  io: Io;
  /** Whether standard output is coloured. */
  isColoured: boolean;
}

/**
 * Runs a command, and sends its output to the file of --out, if given. If the command fails after it has written output,
 * the file keeps that output, such as the outcomes of finished rows.
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
