import { mkdtemp, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SpeechFolder } from "./command-speech.ts";

let path: string;
beforeEach(async () => {
  path = await mkdtemp(join(tmpdir(), "msgd-speech-"));
});
afterEach(() => rm(path, { recursive: true, force: true }));

it("the folder stays within its size limit: it removes the least recently used files", async () => {
  const at = (secondsAgo: number) => new Date(Date.now() - secondsAgo * 1_000);
  for (const [name, secondsAgo] of [
    ["a", 30],
    ["b", 10],
    ["c", 20],
  ] as const) {
    await writeFile(join(path, `${name}.wav`), "x".repeat(100));
    await utimes(join(path, `${name}.wav`), at(secondsAgo), at(secondsAgo));
  }
  const folder = new SpeechFolder(path, 250);
  await folder.add("d", (draft) => writeFile(draft, "x"));
  expect((await readdir(path)).sort()).toEqual(["b.wav", "c.wav", "d.wav"]);
});

it("the folder stays within its size limit even if many files are added quickly", async () => {
  const folder = new SpeechFolder(path, 1_000);
  for (let index = 0; index < 50; index += 1) {
    await folder.add(`${index}`, (draft) => writeFile(draft, "x".repeat(100)));
    expect((await readdir(path)).length).toBeLessThanOrEqual(12);
  }
});

it("the folder has a file only once it is complete, and none after a failure", async () => {
  const folder = new SpeechFolder(path);
  await folder.add("a", async (draft) => {
    await writeFile(draft, "half");
    expect(await folder.use("a")).toBe(false);
  });
  expect(await folder.use("a")).toBe(true);
  const failed = folder.add("b", async (draft) => {
    await writeFile(draft, "half");
    throw new Error("no more room");
  });
  await expect(failed).rejects.toThrow("no more room");
  expect(await readdir(path)).toEqual(["a.wav"]);
});
