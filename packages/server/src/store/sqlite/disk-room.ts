import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";

/** The space on the disk of the database at `path`, in bytes. */
export async function readDiskRoom(path: string): Promise<{ total: number; free: number; database: number }> {
  const [{ blocks, bavail, bsize }, { size }] = await Promise.all([statfs(dirname(path)), stat(path)]);
  return { total: blocks * bsize, free: bavail * bsize, database: size };
}
