// Tools needed to compile SQLite, and instructions for missing ones.

import { spawnSync } from "node:child_process";

const NEEDED = { "Python 3": ["python3"], "a C++ compiler": ["g++", "c++"], make: ["make", "gmake"] };

/** Commands that install all these tools, by operating system or package manager. */
const COMMANDS = {
  darwin: "xcode-select --install",
  win32:
    "winget install Python.Python.3.13\n  winget install Microsoft.VisualStudio.2022.BuildTools --override " +
    '"--passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"',
  apt: "sudo apt install python3 make g++",
  dnf: "sudo dnf install python3 make gcc-c++",
  apk: "sudo apk add python3 make g++",
  pacman: "sudo pacman -S python make gcc",
  zypper: "sudo zypper install python3 make gcc-c++",
};

/**
 * Describes missing tools, and how to install them; undefined if none is missing. On Windows compilers are not on PATH, so
 * all tools are named.
 *
 * @param {string} [platform] as `process.platform` has it
 * @param {(command: string) => boolean} [works] whether the command runs, and is not a stub that only says how to install it
 */
export function describeMissingTools(platform = process.platform, works = tellsVersion) {
  const isMissing = (/** @type {string[]} */ names) => platform === "win32" || !names.some(works);
  const missing = Object.entries(NEEDED).filter(([, names]) => isMissing(names));
  if (missing.length === 0) return undefined;
  const known = Object.entries(COMMANDS).find(
    ([name]) => name === platform || (!(platform in COMMANDS) && works(name)),
  );
  const [, command = "your system's package manager"] = known ?? [];
  return `${missing.map(([name]) => name).join(", ")} must be installed. Install the missing tools with:\n\n  ${command}`;
}

/** @param {string} command */
function tellsVersion(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore", windowsHide: true }).status === 0;
}
