import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** Flags by which a script in the folder synthesizes speech: its file has a WAV header, and the text. */
export function speakByScript(folder: string): string[] {
  const script = join(folder, "speak.cjs");
  const header = 'Buffer.concat([Buffer.from("RIFF\\0\\0\\0\\0WAVE"), Buffer.alloc(32)])';
  const text = 'require("node:fs").readFileSync(0)';
  writeFileSync(script, `require("node:fs").writeFileSync(process.argv[2], Buffer.concat([${header}, ${text}]));`);
  return ["--speech", `${process.execPath} ${script} {file}`, "--speech-folder", join(folder, "speech")];
}
