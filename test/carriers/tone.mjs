// Replaces speech synthesis: `node tone.mjs <file>` writes a WAV file with a tone as long as its input would take to speak.

import { readFileSync, writeFileSync } from "node:fs";

const [, , file = ""] = process.argv;
const RATE = 8_000;
const SECONDS_A_CHARACTER = 0.07;
const TONE_HZ = 440;

const samples = Math.ceil(readFileSync(0, "utf8").length * SECONDS_A_CHARACTER * RATE);
const sound = Buffer.alloc(samples * 2);
for (let index = 0; index < samples; index++) {
  sound.writeInt16LE(Math.round(8_000 * Math.sin((2 * Math.PI * TONE_HZ * index) / RATE)), index * 2);
}
const header = Buffer.alloc(44);
header.write("RIFF", 0);
header.writeUInt32LE(36 + sound.length, 4);
header.write("WAVEfmt ", 8);
header.writeUInt32LE(16, 16);
// PCM with one channel and 16 bits
header.writeUInt16LE(1, 20);
header.writeUInt16LE(1, 22);
header.writeUInt32LE(RATE, 24);
header.writeUInt32LE(RATE * 2, 28);
header.writeUInt16LE(2, 32);
header.writeUInt16LE(16, 34);
header.write("data", 36);
header.writeUInt32LE(sound.length, 40);
writeFileSync(file, Buffer.concat([header, sound]));
