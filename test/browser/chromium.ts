// A browser without a window, as far as this machine has one.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** The program's path; undefined where there is none on PATH. */
export function findChromium(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}

/** Opens a page, until it is closed. `ended` gives what the browser wrote if it ends before that. */
export function openPage(program: string, url: string): { ended: Promise<string>; close: () => Promise<void> } {
  const profile = mkdtempSync(join(tmpdir(), "chromium-"));
  const flags = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--mute-audio"];
  // its sandbox cannot be made by root, which tests in a container run as
  if (process.getuid?.() === 0) flags.push("--no-sandbox");
  const child: ChildProcess = spawn(program, [...flags, `--user-data-dir=${profile}`, url], {
    ...{ stdio: ["ignore", "ignore", "pipe"], detached: true },
  });
  let written = "";
  child.stderr?.on("data", (chunk) => {
    written += chunk;
  });
  const exited = once(child, "exit");
  return {
    ended: exited.then(([code]) => `The browser ended with ${code}: ${written}`),
    async close() {
      // with the processes it has started, which would still write to the profile
      if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL");
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}
