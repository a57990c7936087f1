// `npm start`: the server in development mode, set up first. With --watch it builds and restarts on every change.

import { spawn } from "node:child_process";
import { join } from "node:path";
import { endWithShell } from "./orphan.mjs";
import { buildAgain, root, setUp } from "./setup.mjs";
import { watchSources } from "./watch.mjs";

const isWatching = process.argv[2] === "--watch";
const flags = process.argv.slice(isWatching ? 3 : 2);

endWithShell();
await setUp();

let server = run();
let isStopping = false;

const stopWatching = isWatching
  ? watchSources(root, async () => {
      if (!(await buildAgain()) || isStopping) return;
      await end();
      if (!isStopping) server = run();
    })
  : () => {};

// npm passes its own signals on, and the server may have one already, from the terminal
process.on("SIGTERM", stop);
process.on("SIGINT", () => {
  // on Windows every Ctrl-C reaches the server too, and kill() would cut it off in the middle of stopping
  if (process.platform !== "win32") stop();
  isStopping = true;
  stopWatching();
});

/** Once: the server takes a second signal of a kind for impatience. */
function stop() {
  if (isStopping) return;
  isStopping = true;
  stopWatching();
  server.kill("SIGTERM");
}

function run() {
  const child = spawn(process.execPath, [join(root, "packages/server/bin/msgd.js"), "serve", "--dev", ...flags], {
    cwd: root,
    stdio: "inherit",
  });
  child.on("exit", (code) => {
    // the next change may mend what ended it
    if (isWatching && !isStopping) return;
    process.exitCode = code ?? (isStopping ? 0 : 1);
  });
  return child;
}

/** Ends the server, unless it has ended by itself. */
async function end() {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
}
