// Generated files on disk: their folders belong entirely to the generator, so that no stale file is left.
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";

export interface GeneratedFiles {
  /** The text of each file by its path from the root. */
  files: ReadonlyMap<string, string>;
  /** Folders that hold only generated files, from the root. */
  folders: readonly string[];
}

/** A file whose text on disk differs from the generator's. */
export interface Drift {
  path: string;
  kind: "differs" | "missing" | "extra";
}

/** Deletes the folders and writes the files. */
export async function writeFiles(root: string, { files, folders }: GeneratedFiles): Promise<void> {
  for (const folder of folders) await rm(join(root, folder), { recursive: true, force: true });
  for (const [path, text] of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

/** Compares the files on disk with those expected; a file in the folders that is not generated is drift too. */
export async function compareFiles(root: string, { files, folders }: GeneratedFiles): Promise<Drift[]> {
  const drifts: Drift[] = [];
  for (const [path, text] of files) {
    const present = await readFile(join(root, path), "utf8").catch(ignoreMissing);
    if (present !== text) drifts.push({ path, kind: present === undefined ? "missing" : "differs" });
  }
  for (const folder of folders) {
    for (const path of await filesIn(root, folder)) if (!files.has(path)) drifts.push({ path, kind: "extra" });
  }
  return drifts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function filesIn(root: string, folder: string): Promise<string[]> {
  const entries = await readdir(join(root, folder), { recursive: true, withFileTypes: true }).catch(ignoreMissing);
  return (entries ?? [])
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)).split(sep).join("/"));
}

/** For `catch`: returns undefined for a missing file or folder, and rethrows any other error. */
export function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== "ENOENT") throw error;
}
