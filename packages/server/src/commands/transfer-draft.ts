// A data folder that is written beside its place, and put there in one step: what a kill leaves of it is no installation.

import { existsSync, linkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type DataFolder, locateDataFolder, openDataFolder } from "../platform/data-folder.ts";

/** The files that make an installation, the one that commands look for last. */
function listFiles({ pepperFile, simulatorFile, databaseFile }: DataFolder): [string, string, string] {
  return [pepperFile, simulatorFile, databaseFile];
}

/** Begins a draft within the locked folder. Throws if the folder has an installation, or a part of one. */
export function beginDraft(folder: DataFolder): DataFolder {
  const place = join(folder.path, "transferring");
  const [pepper, simulator, database] = listFiles(folder);
  if (existsSync(place) && !existsSync(database)) {
    // it was not there when that draft was begun
    for (const file of [pepper, simulator]) rmSync(file, { force: true });
  }
  rmSync(place, { recursive: true, force: true });
  const found = [...listFiles(folder), join(folder.path, "secret-key"), folder.transferredFile].find((file) =>
    existsSync(file),
  );
  if (found !== undefined) throw new Error(`${folder.path} is in use, it has ${found}: name an empty folder with --to`);
  return openDataFolder(place);
}

/** Puts the draft's files in their place, each flushed before. */
export function placeDraft(folder: DataFolder, draft: DataFolder, flush: (path: string) => void): void {
  const places = listFiles(folder);
  for (const file of listFiles(draft)) if (existsSync(file)) flush(file);
  flush(draft.path);
  for (const [index, file] of listFiles(draft).entries()) {
    // a link replaces nothing that was put there meanwhile
    if (existsSync(file)) linkSync(file, places[index] as string);
  }
  flush(folder.path);
}

/** Removes what is left of a draft. */
export function removeDraft(folder: DataFolder): void {
  rmSync(locateDataFolder(join(folder.path, "transferring")).path, { recursive: true, force: true });
}
