// systemd's checks of units, if this machine has it.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";

const program = "/usr/bin/systemd-analyze";

/** False if there is no systemd-analyze. */
export const hasSystemd = existsSync(program);

/** The complaints about these unit files, without those about other units of this machine. */
export function complaintsAbout(paths: readonly string[]): string[] {
  const { stdout, stderr } = spawnSync(program, ["verify", ...paths], { encoding: "utf8", timeout: 100_000 });
  const names = paths.map((path) => path.slice(path.lastIndexOf("/") + 1));
  return `${stdout}${stderr}`.split("\n").filter((line) => names.some((name) => line.includes(name)));
}
