// `npm start`: sets up the checkout, then runs the server in development mode. `npm run dev` repeats both on every change.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { root, setUp } from "./setup.mjs";

const isWatching = process.argv[2] === "--watch";
const flags = process.argv.slice(isWatching ? 3 : 2);
const server = [join(root, "packages/server/bin/msgd.js"), "serve", "--dev"];
const watcher = [
  join(root, "node_modules/tsx/dist/cli.mjs"),
  ...["watch", "--clear-screen=false", "--include=packages/*/src/**", "--include=openapi.yaml"],
  join(root, "scripts/start.mjs"),
];

await setUp();
const args = [...(isWatching ? watcher : server), ...flags];
const child = spawn(process.execPath, args, { cwd: root, stdio: "inherit" });

let isStopping = false;
child.on("exit", (code) => process.exit(code ?? (isStopping ? 0 : 1)));

// npm forwards its signals. The child may already have got the same signal from the terminal, and a second one kills it.
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, stop);

function stop() {
  // on Windows every Ctrl-C also reaches the child, and kill() would end it while it is stopping
  if (!isStopping && process.platform !== "win32") child.kill("SIGTERM");
  isStopping = true;
}

// A signal sent to npm alone may end only npm's shell. This script would run on, and the server would keep its port.
const shell = process.ppid;
if (process.env.npm_lifecycle_event !== undefined && process.platform !== "win32") {
  setInterval(() => process.ppid === shell || stop(), 500).unref();
}
