import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Flags for speech by a script, which it writes to the folder. The script's output is a WAV header followed by the text. */
export function speakByScript(folder: string): string[] {
  const script = join(folder, "speak.cjs");
  const header = 'Buffer.concat([Buffer.from("RIFF\\0\\0\\0\\0WAVE"), Buffer.alloc(32)])';
  const text = 'require("node:fs").readFileSync(0)';
  writeFileSync(script, `require("node:fs").writeFileSync(process.argv[2], Buffer.concat([${header}, ${text}]));`);
  return ["--speech", `${process.execPath} ${script} {file}`, "--speech-folder", join(folder, "speech")];
}
