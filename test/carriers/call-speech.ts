import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The flags by which a server speaks into a folder: with espeak-ng, or where that is missing with a tone. */
export function speechFlags(folder: string): readonly string[] {
  const inFolder = ["--speech-folder", join(folder, "speech")];
  if (spawnSync("espeak-ng", ["--version"]).status === 0) return inFolder;
  const tone = fileURLToPath(new URL("tone.mjs", import.meta.url));
  return [...inFolder, "--speech", `${process.execPath} ${tone} {file}`];
}
