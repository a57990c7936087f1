// What must be on the machine before anything can be installed, and what to say when it is not.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { platform } from "node:process";

/** The oldest Node that runs this project, from the root package.json: `[20, 19]`. */
function oldestNode() {
  const { engines } = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));
  return engines.node.replace(">=", "").split(".").map(Number);
}

/** Throws, with what to do, on a Node that is too old. */
export function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor, oldestMinor] = oldestNode();
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Error(
    `Node ${process.versions.node} is too old: this project needs ${oldestMajor}.${oldestMinor} or later.\n` +
      "Get it at https://nodejs.org, or with your version manager: nvm install 22.",
  );
}

/** One line for each tool that compiling SQLite needs and that is not here; how to get it is part of the line. */
export function describeMissingTools() {
  /** @type {[string, string[], Record<string, string>][]} */
  const tools = [
    [
      "Python 3",
      ["python3", "python"],
      {
        linux: "sudo apt-get install python3 (or your distribution's package)",
        darwin: "brew install python3",
        win32: "winget install Python.Python.3.12",
      },
    ],
    [
      "a C++ compiler",
      platform === "win32" ? ["cl"] : ["c++", "g++", "clang++"],
      {
        linux: "sudo apt-get install g++ (or your distribution's package)",
        darwin: "xcode-select --install",
        win32: 'Visual Studio Build Tools with "Desktop development with C++"',
      },
    ],
  ];
  if (platform !== "win32") {
    tools.push(["make", ["make", "gmake"], { linux: "sudo apt-get install make", darwin: "xcode-select --install" }]);
  }
  return tools
    .filter(([, commands]) => !commands.some(isInstalled))
    .map(([name, , how]) => `${name} is missing: ${how[platform] ?? "install it with your system's package manager"}`);
}

/** @param {string} command */
function isInstalled(command) {
  return spawnSync(command, ["--version"], { stdio: "ignore" }).error === undefined;
}
