/** Programs of the user that a command starts: the pager and the browser. Loaded when one is needed. */
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { browserCommand, pagerCommand } from "./config.ts";
import type { Io } from "./io.ts";

export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

// the bundle replaces imports of it, see no-child-process.ts
const spawnProgram: Spawn = (...given) => process.getBuiltinModule("node:child_process").spawn(...given);

/** Exit code of a shell if there is no such program. */
const NOT_FOUND = 127;

/** Shows a text in the pager until the user leaves it; false if there is none. */
export async function page(
  text: string,
  { env, signal }: Pick<Io, "env" | "signal">,
  spawn = spawnProgram,
): Promise<boolean> {
  const command = pagerCommand(env);
  if (command === "") return false;
  // -F: a text that fits ends it at once; -R: colours; -X: the text stays on the screen
  const [file, args] = command === undefined ? ["less", ["-FRX"]] : [command, []];
  const pager = spawn(file, args, {
    ...{ shell: command !== undefined, stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } },
  });
  const end = () => void pager.kill();
  signal.addEventListener("abort", end);
  const restore = ignoreCtrlC();
  // the user may leave before the end of the text
  pager.stdin?.on("error", () => {});
  pager.stdin?.end(text);
  try {
    return (await exitCodeOf(pager)) !== NOT_FOUND;
  } finally {
    restore();
    signal.removeEventListener("abort", end);
  }
}

/** Ctrl-C reaches the pager too, which stops a search by it. */
function ignoreCtrlC(): () => void {
  const listeners = process.listeners("SIGINT");
  const ignore = () => {};
  process.removeAllListeners("SIGINT");
  process.on("SIGINT", ignore);
  return () => {
    process.removeListener("SIGINT", ignore);
    for (const listener of listeners) process.on("SIGINT", listener);
  };
}

/** A browser that takes longer to start counts as opened. */
const LONGEST_START_MS = 2_000;

/** Opens an address; false if there is no browser. No shell reads the address. */
export async function openBrowser(
  url: string,
  { env, clock, signal }: Pick<Io, "env" | "clock" | "signal">,
  spawn = spawnProgram,
): Promise<boolean> {
  const [file, ...args] = browserCommand(env, process.platform) ?? [];
  if (file === undefined) return false;
  const browser = spawn(file, [...args, url], { stdio: "ignore", detached: true });
  browser.unref();
  const started = new AbortController();
  const waited = clock.pause(LONGEST_START_MS, AbortSignal.any([signal, started.signal])).then(() => 0);
  const exitCode = await Promise.race([exitCodeOf(browser), waited]);
  started.abort();
  return exitCode === 0;
}

function exitCodeOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    child.once("error", () => resolve(NOT_FOUND));
    child.once("close", (exitCode) => resolve(exitCode));
  });
}
