// `npm start`: the server in development mode, set up first. `npm run dev` does all of it again on every change.

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

// npm passes its own signals on, and the child may already have one from the terminal: a second one forces its end
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM"])) process.on(signal, stop);

function stop() {
  // on Windows every Ctrl-C reaches the child too, and kill() would end it in the middle of stopping
  if (!isStopping && process.platform !== "win32") child.kill("SIGTERM");
  isStopping = true;
}

// a signal sent to npm alone may end only the shell that it runs this in: the port would stay taken
const shell = process.ppid;
if (process.env.npm_lifecycle_event !== undefined && process.platform !== "win32") {
  setInterval(() => process.ppid === shell || stop(), 500).unref();
}
