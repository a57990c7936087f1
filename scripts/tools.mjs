// What has to be on the machine before anything can be installed, and what to say when it is not.

import { spawnSync } from "node:child_process";
import { win32 } from "node:path";

/**
 * @typedef {object} Machine
 * @property {string} platform as `process.platform` has it
 * @property {Readonly<Record<string, string | undefined>>} env
 * @property {(command: string, args: readonly string[]) => string | undefined} ask what a command prints; nothing when
 *   it is not here or fails (systems put stubs in place of compilers and Python that only tell how to install them)
 */

/** @type {Machine} */
export const thisMachine = {
  platform: process.platform,
  env: process.env,
  ask(command, args) {
    const { status, stdout } = spawnSync(command, args, { encoding: "utf8", windowsHide: true });
    return status === 0 ? stdout : undefined;
  },
};

/**
 * What to tell whoever runs a Node that is too old; nothing when it is not.
 *
 * @param {string} version such as `20.19.1`
 * @param {string} range `engines.node` of the root package.json: `>=20.19`
 */
export function describeOldNode(version, range) {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const oldest = range.replace(">=", "");
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split(".").map(Number);
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return undefined;
  return (
    `Node ${version} is too old: this project needs ${oldest} or later.\n` +
    `Get it from https://nodejs.org, or with a version manager, such as: nvm install --lts`
  );
}

/**
 * One line for each tool that compiling SQLite needs and that is not here; how to get it is part of the line.
 *
 * @param {Machine} [machine]
 * @returns {string[]}
 */
export function describeMissingTools(machine = thisMachine) {
  const missing = tools.filter((tool) => !tool.isHere(machine));
  return missing.map((tool) => `${tool.name} is missing. Get it with: ${howToGet(tool, machine)}`);
}

/**
 * @typedef {object} Tool
 * @property {string} name
 * @property {(machine: Machine) => boolean} isHere
 * @property {string} darwin
 * @property {string} win32
 * @property {Readonly<Record<string, string>>} packages what each system's package manager calls it
 */

const printsItsMajor = ["-c", "import sys; print(sys.version_info[0])"];

/** @type {readonly Tool[]} */
const tools = [
  {
    name: "Python 3",
    isHere({ env, ask }) {
      const named = [env.npm_config_python, env.PYTHON, "python3", "python"].filter((name) => name !== undefined);
      return (
        named.some((command) => ask(command, printsItsMajor)?.trim() === "3") ||
        ask("py", ["-3", ...printsItsMajor])?.trim() === "3"
      );
    },
    darwin: "xcode-select --install",
    win32: "winget install Python.Python.3.13",
    packages: { apt: "python3", dnf: "python3", apk: "python3", pacman: "python", zypper: "python3" },
  },
  {
    name: "A C++ compiler",
    isHere({ platform, env, ask }) {
      if (platform === "win32") return hasVisualStudio({ env, ask });
      // what make takes when the environment names none; it may name one with flags
      const compilers = [env.CC ?? "cc", env.CXX ?? (platform === "linux" ? "g++" : "c++")];
      return compilers.every((command) => ask(command.trim().split(" ")[0] ?? "", ["--version"]) !== undefined);
    },
    darwin: "xcode-select --install",
    win32:
      "winget install Microsoft.VisualStudio.2022.BuildTools --override " +
      '"--passive --add Microsoft.VisualStudio.Workload.VCTools --includeRecommended"',
    packages: { apt: "g++", dnf: "gcc-c++", apk: "g++", pacman: "gcc", zypper: "gcc-c++" },
  },
  {
    name: "make",
    isHere: ({ platform, ask }) =>
      platform === "win32" || ["make", "gmake"].some((command) => ask(command, ["--version"]) !== undefined),
    darwin: "xcode-select --install",
    win32: "",
    packages: { apt: "make", dnf: "make", apk: "make", pacman: "make", zypper: "make" },
  },
];

/** @type {Readonly<Record<string, string>>} */
const installs = {
  apt: "sudo apt install",
  dnf: "sudo dnf install",
  apk: "sudo apk add",
  pacman: "sudo pacman -S",
  zypper: "sudo zypper install",
};

/** @param {Tool} tool @param {Machine} machine */
function howToGet(tool, { platform, ask }) {
  if (platform === "darwin") return tool.darwin;
  if (platform === "win32") return tool.win32;
  const manager = Object.keys(installs).find((command) => ask(command, ["--version"]) !== undefined);
  if (manager === undefined) return `your system's package manager (its package is often called ${tool.packages.apt})`;
  return `${installs[manager]} ${tool.packages[manager]}`;
}

/**
 * The compiler of Visual Studio is on no PATH; its installer knows whether it is here.
 *
 * @param {Pick<Machine, "env" | "ask">} machine
 */
function hasVisualStudio({ env, ask }) {
  const programs = env["ProgramFiles(x86)"] ?? "C:\\Program Files (x86)";
  const query = win32.join(programs, "Microsoft Visual Studio", "Installer", "vswhere.exe");
  const wanted = "Microsoft.VisualStudio.Component.VC.Tools.x86.x64";
  const found = ask(query, ["-latest", "-products", "*", "-requires", wanted, "-property", "installationPath"]);
  return found !== undefined && found.trim() !== "";
}
