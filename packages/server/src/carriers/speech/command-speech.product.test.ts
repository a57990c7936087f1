// Speech made by a command. The command is Node, with scripts that write a file, fail, or wait.

import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type CommandSpeech, createCommandSpeech, SpeechNotMade } from "./command-speech.ts";

let folder: string;
/** File to which each run of the command adds a line. */
let runs: string;
const order = { reference: "ab12", text: "Good morning. 你好", language: "en-US", voice: "default" };
const { signal } = new AbortController();
/** Explanations in the log. */
let logged: string[];
const logger = {
  warn: (details: object) => void logged.push("words" in details ? String(details.words) : ""),
  error: () => {},
};

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "msgd-speech-"));
  runs = join(folder, "runs.txt");
  logged = [];
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Creates an engine that runs a script. The script gets `file` (the path), `language`, `voice` and `text`. */
async function speakBy(script: string): Promise<CommandSpeech> {
  const path = join(folder, "speak.cjs");
  await writeFile(
    path,
    `const { appendFileSync, readFileSync, writeFileSync } = require("node:fs");
     const [file, language, voice] = process.argv.slice(2);
     appendFileSync(${JSON.stringify(runs)}, "run\\n");
     const wav = (sound) => {
       const header = Buffer.alloc(44);
       header.write("RIFF", 0);
       header.write("WAVE", 8);
       writeFileSync(file, Buffer.concat([header, Buffer.from(sound)]));
     };
     ${script}`,
  );
  return createCommandSpeech({
    command: [process.execPath, path, "{file}", "{language}", "{voice}"],
    folder: join(folder, "speech"),
    logger,
  });
}

const speaks = 'wav([language, voice, readFileSync(0, "utf8")].join("|"));';

async function countRuns(): Promise<number> {
  return (await readFile(runs, "utf8").catch(() => "")).split("\n").length - 1;
}

describe("speech", () => {
  it("is made by the command, which gets the text, language and voice", async () => {
    const speech = await speakBy(speaks);
    expect(await speech.synthesize(order, signal)).toEqual({ outcome: "made" });
    const file = await speech.fileOf(order);
    expect(file).toBe(join(folder, "speech", "ab12.wav"));
    expect((await readFile(file)).subarray(44).toString()).toBe("en-US|default|Good morning. 你好");
  });

  it("is made once for any number of requests", async () => {
    const speech = await speakBy(speaks);
    await Promise.all(Array.from({ length: 5 }, () => speech.synthesize(order, signal)));
    await speech.synthesize(order, signal);
    await speech.fileOf(order);
    expect(await countRuns()).toBe(1);
    expect(await speech.find(order.reference, signal)).toBe("made");
  });

  it("is made again if a call needs it and its file is gone", async () => {
    const speech = await speakBy(speaks);
    await speech.synthesize(order, signal);
    await rm(await speech.fileOf(order));
    expect(await speech.find(order.reference, signal)).toBe("absent");
    expect((await stat(await speech.fileOf(order))).size).toBeGreaterThan(44);
    expect(await countRuns()).toBe(2);
  });

  it("can be read only by the folder's group", async () => {
    const speech = await speakBy(speaks);
    const mode = async (path: string) => (await stat(path)).mode & 0o777;
    expect(await mode(await speech.fileOf(order))).toBe(0o640);
    expect(await mode(join(folder, "speech"))).toBe(0o750);
  });

  it("is made again for a different command", () => {
    const models = ["-v", "-w"].map(
      (flag) => createCommandSpeech({ command: ["/usr/bin/espeak-ng", flag, "{file}"], folder, logger }).model,
    );
    expect(new Set(models).size).toBe(2);
    expect(models[0]).toMatch(/^espeak-ng-[\da-f]{8}$/);
  });
});

describe("a command", () => {
  it.each([
    ["exits with an error", 'console.error("first\\nno such voice"); process.exit(3);', "ended with 3: no such voice"],
    ["writes nothing", "", "the command wrote no file"],
    ["writes no sound", 'wav("");', "the command wrote no WAV file that contains sound"],
    [
      "writes something else",
      'writeFileSync(file, "x".repeat(100));',
      "the command wrote no WAV file that contains sound",
    ],
    ["prints endlessly", 'for (;;) process.stdout.write("x".repeat(65536));', "printed more than 65536 bytes"],
    ["ends before reading the text", "process.exit(1);", "ended with 1"],
  ])("fails with a reason, and leaves no file, if it %s", async (_what, script, words) => {
    const speech = await speakBy(script);
    const long = { ...order, text: "x".repeat(1_000_000) };
    expect(await speech.synthesize(long, signal)).toEqual({
      ...{ outcome: "failed", detail: 'the text could not be spoken in "en-US" with the voice "default"' },
    });
    expect(logged).toEqual([expect.stringContaining(words)]);
    await expect(speech.fileOf(long)).rejects.toThrow(SpeechNotMade);
    expect(await readdir(join(folder, "speech"))).toEqual([]);
    expect(await speech.find(long.reference, signal)).toBe("absent");
  });

  it("is named in the log, with a remedy, if it is not installed", async () => {
    const speech = createCommandSpeech({ command: ["no-such-speaker", "{file}"], folder, logger });
    expect(await speech.synthesize(order, signal)).toMatchObject({ outcome: "failed" });
    expect(logged).toEqual(["there is no program no-such-speaker: install it, or set --speech to another"]);
  });

  it("is retried if it was killed", async () => {
    const speech = await speakBy('if (voice === "default") process.kill(process.pid, "SIGKILL");');
    await expect(speech.synthesize(order, signal)).rejects.toThrow("Command failed");
  });

  it("fails if its speech is longer than ten minutes", async () => {
    const speech = await speakBy('wav("x".repeat(27 * 2 ** 20));');
    expect(await speech.synthesize(order, signal)).toEqual({
      ...{ outcome: "failed", detail: "the text takes more than ten minutes to say" },
    });
    expect(await readdir(join(folder, "speech"))).toEqual([]);
  });

  it("gets the text without control characters", async () => {
    const speech = await speakBy(speaks);
    const file = await speech.fileOf({ ...order, text: "a\u000180S\u001b[1m\u0085b\nc" });
    expect((await readFile(file)).subarray(44).toString()).toBe("en-US|default|a 80S [1m b\nc");
  });

  it("is killed by a stop, and waiting commands never start", async () => {
    const speech = await speakBy("setInterval(() => {}, 1_000);");
    const made = Array.from({ length: 5 }, (_, index) =>
      speech.synthesize({ ...order, reference: `a${index}` }, signal),
    );
    const settled = Promise.allSettled(made);
    while ((await countRuns()) < 2) await new Promise((resume) => setTimeout(resume, 5));
    await speech.stop();
    expect((await settled).map(({ status }) => status)).toEqual(Array(5).fill("rejected"));
    expect(await countRuns()).toBe(2);
  });

  it("never gets a voice that could be a path or an option", async () => {
    const speech = await speakBy(speaks);
    expect(await speech.synthesize({ ...order, voice: "../x" }, signal)).toEqual({
      outcome: "failed",
      detail: 'there is no voice "../x" for "en-US"',
    });
    expect(await countRuns()).toBe(0);
  });
});

describe("the folder", () => {
  const unused = new Date(Date.now() - 8 * 86_400_000);

  it("is cleared of files not used for a week, and of a killed process's unfinished file", async () => {
    const speech = await speakBy(speaks);
    await speech.fileOf(order);
    const path = join(folder, "speech");
    for (const name of ["ab99.wav", "cd34.99-0.draft", "prompt of others.wav"]) {
      await writeFile(join(path, name), "x");
      await utimes(join(path, name), unused, unused);
    }
    // a new instance sweeps the folder
    await (await speakBy(speaks)).fileOf({ ...order, reference: "ef56" });
    expect((await readdir(path)).sort()).toEqual(["ab12.wav", "ef56.wav", "prompt of others.wav"]);
  });
});
