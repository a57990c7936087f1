import { writeFileSync } from "node:fs";
import { join } from "node:path";

/** The flags by which a script in the folder speaks: its file has a header of WAV, and the text. */
export function speakByScript(folder: string): string[] {
  const script = join(folder, "speak.cjs");
  const header = 'Buffer.concat([Buffer.from("RIFF\\0\\0\\0\\0WAVE"), Buffer.alloc(32)])';
  const text = 'require("node:fs").readFileSync(0)';
  writeFileSync(script, `require("node:fs").writeFileSync(process.argv[2], Buffer.concat([${header}, ${text}]));`);
  return ["--speech", `${process.execPath} ${script} {file}`, "--speech-folder", join(folder, "speech")];
}
