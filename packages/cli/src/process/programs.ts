/** Starts the user's pager and browser. Loaded only when one is needed. */
import type { ChildProcess, SpawnOptions } from "node:child_process";
import { browserCommand, pagerCommand } from "./config.ts";
import type { Io } from "./io.ts";

export type Spawn = (file: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

// not a static import, which the bundle would replace (no-child-process.ts)
const spawnProgram: Spawn = (...given) => process.getBuiltinModule("node:child_process").spawn(...given);

/** The exit code of a shell that does not find the program. */
const NOT_FOUND = 127;

/** Shows a text in the pager until the user quits it. Returns false if there is no pager. */
export async function page(
  text: string,
  { env, signal }: Pick<Io, "env" | "signal">,
  spawn = spawnProgram,
): Promise<boolean> {
  const command = pagerCommand(env);
  if (command === "") return false;
  // -F: exit at once if the text fits the screen; -R: show colours; -X: leave the text on the screen
  const [file, args] = command === undefined ? ["less", ["-FRX"]] : [command, []];
  const pager = spawn(file, args, {
    ...{ shell: command !== undefined, stdio: ["pipe", "inherit", "inherit"], env: { LESS: "FRX", ...env } },
  });
  const end = () => void pager.kill();
  signal.addEventListener("abort", end);
  const restore = ignoreCtrlC();
  // the user may quit before the whole text was written
  pager.stdin?.on("error", () => {});
  pager.stdin?.end(text);
  try {
    return (await exitCodeOf(pager)) !== NOT_FOUND;
  } finally {
    restore();
    signal.removeEventListener("abort", end);
  }
}

/** Ignores Ctrl-C while the pager runs: the pager gets it, too, and uses it to stop a search. */
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

/** If the browser process has not failed within this time, the address counts as opened. */
const LONGEST_START_MS = 2_000;

/** Opens an address without a shell. Returns false if there is no browser. */
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
