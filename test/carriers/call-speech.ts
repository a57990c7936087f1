import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** Flags for a server that synthesizes speech into a folder: with espeak-ng, or as a tone if that is not installed. */
export function speechFlags(folder: string): readonly string[] {
  const inFolder = ["--speech-folder", join(folder, "speech")];
  if (spawnSync("espeak-ng", ["--version"]).status === 0) return inFolder;
  const tone = fileURLToPath(new URL("tone.mjs", import.meta.url));
  return [...inFolder, "--speech", `${process.execPath} ${tone} {file}`];
}
