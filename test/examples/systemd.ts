// Checks of units by systemd, if it is installed.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const program = "/usr/bin/systemd-analyze";

/** Whether systemd-analyze is installed. */
export const hasSystemd = existsSync(program);

/** Runs systemd-analyze, and returns its complaints about these unit files only. */
export function complaintsAbout(paths: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(program, ["verify", ...paths], { encoding: "utf8", timeout: 100_000 });
  const names = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return `${stdout}${stderr}`.split("\n").filter((line) => names.some((name) => line.includes(name)));
}
