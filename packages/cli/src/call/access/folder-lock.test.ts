import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import { folder } from "../../testing/world.ts";
import { changeFolder } from "./folder-lock.ts";

/** An id beyond the largest of Linux and macOS, and no multiple of four, as all of Windows are. */
const NO_PROCESS = 4_194_305;
const never = new AbortController().signal;
const lockOf = (path: string) => join(path, "lock");

it("makes the folder for its owner alone, and leaves no lock", async () => {
  const path = join(folder(), "deep", "msgctl");
  expect(await changeFolder(path, never, () => existsSync(lockOf(path)))).toBe(true);
  expect(readdirSync(path)).toEqual([]);
  if (process.platform !== "win32") expect(statSync(path).mode & 0o777).toBe(0o700);
});

it("waits while another process writes, and goes on when it is done", async () => {
  const path = folder();
  writeFileSync(lockOf(path), `${process.pid} other ${hostname()}`);
  let isDone = false;
  const change = changeFolder(path, never, () => {
    isDone = true;
  });
  // the first attempt was made by now
  expect(isDone).toBe(false);
  rmSync(lockOf(path));
  await change;
  expect(isDone).toBe(true);
});

it("runs each of many changes once, and frees the lock of one that fails", async () => {
  const path = folder();
  const file = join(path, "count");
  writeFileSync(file, "0");
  const changes = Array.from({ length: 20 }, (_, index) =>
    changeFolder(path, never, () => {
      writeFileSync(file, String(Number(readFileSync(file, "utf8")) + 1));
      if (index % 4 === 0) throw new Error("failed");
    }).catch(() => "failed"),
  );
  const outcomes = await Promise.all(changes);
  expect(outcomes.filter((outcome) => outcome === "failed")).toHaveLength(5);
  expect([readFileSync(file, "utf8"), existsSync(lockOf(path))]).toEqual(["20", false]);
});

it("takes over from a process that is gone, whoever else tries it at the same time", async () => {
  const path = folder();
  writeFileSync(lockOf(path), `${NO_PROCESS} killed ${hostname()}`);
  let running = 0;
  const change = () =>
    changeFolder(path, never, () => {
      running += 1;
      expect(running).toBe(1);
      running -= 1;
    });
  await Promise.all([change(), change(), change()]);
  expect(readdirSync(path)).toEqual([]);
});

it("takes over an empty lock, whose process was killed before it named itself, while it waits", async () => {
  const path = folder();
  writeFileSync(lockOf(path), "");
  expect(await changeFolder(path, never, () => "done")).toBe("done");
  expect(readdirSync(path)).toEqual([]);
});

it("can be interrupted while it waits", async () => {
  const path = folder();
  // of another machine: nobody here can tell whether it still runs
  writeFileSync(lockOf(path), "1 other elsewhere.example");
  const interruption = new AbortController();
  const change = changeFolder(path, interruption.signal, () => "done");
  interruption.abort();
  await expect(change).rejects.toMatchObject({ exitCode: 130 });
  expect(readFileSync(lockOf(path), "utf8")).toContain("elsewhere.example");
});

it.skipIf(process.platform === "win32")("refuses a folder that others may enter", async () => {
  const path = folder();
  chmodSync(path, 0o755);
  const change = changeFolder(path, never, () => "done");
  await expect(change).rejects.toMatchObject({ code: "credentials_exposed", exitCode: 3 });
});

it("says that nothing can be written where a file stands in the folder's place", async () => {
  const path = join(folder(), "file");
  writeFileSync(path, "");
  const change = changeFolder(join(path, "msgctl"), never, () => "done");
  await expect(change).rejects.toMatchObject({ code: "configuration_unwritable", exitCode: 1 });
});
