// `npm start`: the server in development mode, set up first. With --watch it builds and restarts on every change.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { endWithShell } from "./orphan.mjs";
import { root, setUp, tsup } from "./setup.mjs";

const isWatching = process.argv[2] === "--watch";
const flags = process.argv.slice(isWatching ? 3 : 2);

endWithShell();
await setUp();

const server = [join(root, "packages/server/bin/msgd.js"), "serve", "--dev", ...flags];
const children = isWatching
  ? [run([tsup, "--watch", "--silent"]), run(["--watch-path", join(root, "packages/server/dist"), ...server])]
  : [run(server)];

let isStopping = false;
// npm passes its own signals on, and the children may have one already, from the terminal
process.on("SIGTERM", stop);
process.on("SIGINT", () => {
  // on Windows every Ctrl-C reaches the children too, and kill() would cut them off in the middle of stopping
  if (process.platform === "win32") isStopping = true;
  else stop();
});
for (const child of children) {
  child.on("exit", (code) => {
    process.exitCode ||= code ?? (isStopping ? 0 : 1);
    stop();
  });
}

/** Once: the server takes a second signal of a kind for impatience. */
function stop() {
  if (isStopping) return;
  isStopping = true;
  for (const child of children) child.kill("SIGTERM");
}

/** @param {string[]} args */
function run(args) {
  return spawn(process.execPath, args, { cwd: root, stdio: "inherit" });
}
