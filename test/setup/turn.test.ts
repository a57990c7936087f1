import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { inTurn } from "../../scripts/turn.mjs";

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "setup-"));
  lock = join(folder, "made", "setup.lock");
});
afterEach(() => rmSync(folder, { recursive: true }));

const never = () => expect.unreachable("there was nothing to wait for");

it("lets one work at a time, and tells the others whom they wait for", async () => {
  let working = 0;
  let most = 0;
  const waitedFor: number[] = [];
  const work = async () => {
    working += 1;
    most = Math.max(most, working);
    await sleep(50);
    working -= 1;
  };
  await Promise.all([1, 2, 3].map(() => inTurn(lock, work, (pid) => waitedFor.push(pid))));
  expect(most).toBe(1);
  expect(waitedFor).toEqual([process.pid, process.pid]);
  expect(existsSync(lock)).toBe(false);
});

it("lets go of it after a failure", async () => {
  const failing = inTurn(lock, () => Promise.reject(new Error("no")), never);
  await expect(failing).rejects.toThrow("no");
  await inTurn(lock, async () => {}, never);
});

it("takes over from a process that is gone", async () => {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  await inTurn(lock, async () => {}, never);
  writeFileSync(lock, String(pid));
  await inTurn(lock, async () => {}, never);
});

it("takes over from a process that no longer renews its file", async () => {
  await inTurn(lock, async () => {}, never);
  writeFileSync(lock, String(process.ppid));
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  await inTurn(lock, async () => {}, never);
});

it("renews its own file while it works", async () => {
  await inTurn(
    lock,
    async () => {
      const longAgo = new Date(Date.now() - 60_000);
      utimesSync(lock, longAgo, longAgo);
      await vi.waitFor(() => expect(Date.now() - statSync(lock).mtimeMs).toBeLessThan(30_000), 60_000);
    },
    never,
  );
});

it("takes over a file that nobody finished writing, but not at once", async () => {
  await inTurn(lock, async () => {}, never);
  writeFileSync(lock, "");
  // as if from a clock ahead: it does not grow old while this test waits
  const ahead = new Date(Date.now() + 60_000);
  utimesSync(lock, ahead, ahead);
  const later = inTurn(lock, async () => {}, never);
  await sleep(300);
  expect(existsSync(lock)).toBe(true);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, longAgo, longAgo);
  await later;
  expect(existsSync(lock)).toBe(false);
});
