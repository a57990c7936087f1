import { chmodSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { createFakeClock } from "../../testing/fake-clock.ts";
import { folder } from "../../testing/world.ts";
import { changeFolder } from "./folder-lock.ts";
import { readMark, seize } from "./lock.ts";

const { signal } = new AbortController();
const waiting = { clock: createFakeClock(), signal };
const lockOf = (path: string) => join(path, "locked");

it("changeFolder creates the folder for its owner only, and leaves no lock behind", async () => {
  const path = join(folder(), "deep", "msgctl");
  expect(await changeFolder(path, waiting, () => existsSync(lockOf(path)))).toBe(true);
  expect(readdirSync(path)).toEqual([]);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("changeFolder waits while another process writes, and then continues", async () => {
  const path = folder();
  const other = seize(lockOf(path), undefined);
  const steps: string[] = [];
  const clock = createFakeClock(() => {
    steps.push("waited");
    if (steps.length < 10) other?.renew();
    else other?.release();
  });
  await changeFolder(path, { clock, signal }, () => steps.push("changed"));
  expect(steps).toEqual([...Array(10).fill("waited"), "changed"]);
});

it("changeFolder gives up if other processes hold the lock all the time", async () => {
  const path = folder();
  const other = seize(lockOf(path), undefined);
  const clock = createFakeClock(() => void other?.renew());
  const change = changeFolder(path, { clock, signal }, () => "done");
  await expect(change).rejects.toMatchObject({ code: "configuration_busy", exitCode: 3 });
  expect(other?.renew()).toBe(true);
});

it("changeFolder runs each of many concurrent changes once, and releases the lock if one fails", async () => {
  const path = folder();
  const file = join(path, "count");
  writeFileSync(file, "0");
  const changes = Array.from({ length: 20 }, (_, index) =>
    changeFolder(path, waiting, () => {
      writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1));
      if (index % 4 === 0) throw new Error("failed");
    }).catch(() => "failed"),
  );
  const outcomes = await Promise.all(changes);
  expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(5);
  expect([readFileSync(file, "utf8"), existsSync(lockOf(path))]).toEqual(["20", false]);
});

it("changeFolder lets a change check whether another process has taken its lock", async () => {
  const path = folder();
  const change = changeFolder(path, waiting, (lock) => {
    const before = lock.renew();
    seize(lockOf(path), readMark(lockOf(path)));
    return [before, lock.renew()];
  });
  expect(await change).toEqual([true, false]);
});

it("changeFolder can be interrupted while it waits", async () => {
  const path = folder();
  const other = seize(lockOf(path), undefined);
  const interruption = new AbortController();
  const clock = createFakeClock(() => interruption.abort());
  const change = changeFolder(path, { clock, signal: interruption.signal }, () => "done");
  await expect(change).rejects.toMatchObject({ exitCode: 130 });
  expect(other?.renew()).toBe(true);
});

it.skipIf(process.platform === "win32")("changeFolder refuses a folder that other users may enter", async () => {
  const path = folder();
  chmodSync(path, 0o755);
  const change = changeFolder(path, waiting, () => "done");
  await expect(change).rejects.toMatchObject({ code: "credentials_exposed", exitCode: 3 });
});

it("changeFolder says that the folder cannot be written if its path is a file", async () => {
  const path = join(folder(), "file");
  writeFileSync(path, "");
  const change = changeFolder(join(path, "msgctl"), waiting, () => "done");
  await expect(change).rejects.toMatchObject({
    ...{ code: "configuration_unwritable", exitCode: 2, message: expect.stringContaining("(ENOTDIR); nothing was") },
    details: { hints: ["A part of the path is a file, not a folder: name another folder with XDG_CONFIG_HOME."] },
  });
});
