// If files of a running server are removed, no second server serves the same database, and nothing is lost silently.

import { spawnSync } from "node:child_process";
import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MsgdFolder, type MsgdProcess, msgdProgram } from "../e2e/msgd-process.ts";

let folder: MsgdFolder;
let server: MsgdProcess;
beforeEach(async () => {
  folder = new MsgdFolder();
  server = await folder.serve();
});
afterEach(() => folder.remove());

const place = (name: string) => join(folder.path, name);

/**
 * Starts a second server while the first is stopped (SIGSTOP). If the first was stopped during a write, the database stays
 * busy, so the first is continued until that write has ended, and stopped again.
 */
async function serveBesideOneThatStandsStill(): Promise<MsgdProcess> {
  for (;;) {
    process.kill(server.pid, "SIGSTOP");
    rmSync(place("server.lock"), { force: true });
    try {
      return await folder.serve();
    } catch (error) {
      if (!String(error).includes("busy")) throw error;
      process.kill(server.pid, "SIGCONT");
      const database = new BetterSqlite3(place("msgd.db"), { timeout: 60_000 });
      database.exec("BEGIN IMMEDIATE; ROLLBACK");
      database.close();
    }
  }
}

/** Waits until the server is ready: for a moment it is not if its disk is slow. */
const expectReady = ({ baseUrl }: MsgdProcess) =>
  expect.poll(async () => (await fetch(`${baseUrl}/readyz`)).status).toBe(200);

describe("a lock that is removed", () => {
  it("is acquired again by the server, and a second server is refused", async () => {
    rmSync(place("server.lock"));
    await expect.poll(() => existsSync(place("server.lock"))).toBe(true);
    const args = [msgdProgram, "serve", "--data", folder.path, "--port", "0"];
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" });
    expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining("another msgd serves") });
    await expectReady(server);
    expect(await server.end("SIGTERM")).toBe(0);
  });

  it.skipIf(process.platform === "win32")("ends a server that is too late to acquire it again", async () => {
    const second = await serveBesideOneThatStandsStill();
    process.kill(server.pid, "SIGCONT");
    await expect.poll(() => server.isRunning).toBe(false);
    // the server's exit may be noticed before its output is read
    await expect
      .poll(() => server.written)
      .toContain(`msgd: another msgd has taken over ${folder.path}: this server ends immediately`);
    await expectReady(second);
    expect(await second.end("SIGTERM")).toBe(0);
  });
});

it.skipIf(process.platform === "win32")(
  "a server ends immediately if its database is taken away, because it would lose all later writes",
  async () => {
    renameSync(place("msgd.db"), place("msgd.db.old"));
    await expect.poll(() => server.isRunning).toBe(false);
    await expect
      .poll(() => server.written)
      .toContain(`msgd: ${place("msgd.db")} was removed or replaced: this server ends immediately`);
  },
);
