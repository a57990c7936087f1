// `npm run check`: the checks of a change other than its tests. Two run at a time. Each prints its duration, and its output
// if it failed.

import { spawn } from "node:child_process";
import { root, setUp } from "./setup.mjs";

/** The scripts of package.json, those that take longest first. */
const CHECKS = ["typecheck", "generate:check", "lint:contract", "lint:code", "contract:changes"];
const AT_ONCE = 2;

// the build is a check too
await setUp();
const left = [...CHECKS];
/** @type {string[]} */
const failed = [];
await Promise.all(Array.from({ length: AT_ONCE }, work));
if (failed.length > 0) {
  process.stderr.write(`\nFailed: ${failed.join(", ")}. Repeat one of them with npm run <name>.\n`);
  process.exitCode = 1;
}

async function work() {
  for (let name = left.shift(); name !== undefined; name = left.shift()) {
    const start = Date.now();
    const { code, output } = await run(name);
    const seconds = ((Date.now() - start) / 1_000).toFixed(1);
    process.stdout.write(`${code === 0 ? "ok    " : "FAILED"}  ${name}  ${seconds} s\n${code === 0 ? "" : output}`);
    if (code !== 0) failed.push(name);
  }
}

/** @param {string} name @returns {Promise<{ code: number | null, output: string }>} */
function run(name) {
  const npm = process.env.npm_execpath;
  const [command, args] = npm === undefined ? ["npm", ["run"]] : [process.execPath, [npm, "run"]];
  const shell = npm === undefined && process.platform === "win32";
  const child = spawn(command, [...args, "--silent", name], { cwd: root, shell, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += text));
  return new Promise((resolve, reject) => {
    child.once("error", reject).once("close", (code) => resolve({ code, output }));
  });
}
