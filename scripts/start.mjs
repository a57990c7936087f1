// `npm start`: the server in development mode, set up first. With --watch it builds and restarts on every change.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, setUp } from "./setup.mjs";

const [watch, ...flags] =
  process.argv[2] === "--watch" ? [true, ...process.argv.slice(3)] : [false, ...process.argv.slice(2)];

try {
  setUp();
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : error}\n`);
  process.exit(1);
}

const server = [join(root, "packages/server/bin/msgd.js"), "serve", "--dev", ...flags];
const children = watch
  ? [
      run([join(root, "node_modules/tsup/dist/cli-default.js"), "--watch", "--silent"]),
      run(["--watch-path", join(root, "packages/server/dist"), ...server]),
    ]
  : [run(server)];

// Ctrl-C reaches the children from the terminal; this process stays until they have stopped in their own way
process.on("SIGINT", () => {});
process.on("SIGTERM", () => {
  for (const child of children) child.kill("SIGTERM");
});
for (const child of children) {
  child.on("exit", (code) => {
    process.exitCode ||= code ?? 0;
    for (const other of children) if (other !== child) other.kill("SIGTERM");
  });
}

/** @param {string[]} args */
function run(args) {
  return spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
}
