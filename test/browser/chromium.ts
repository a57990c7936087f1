// Headless Chromium, if this machine has one.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium } from "playwright-core";

const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Timeout of each wait for a page, in milliseconds. It is long because busy machines are slow. */
const PATIENCE_MS = 60_000;

const program = findProgram();

/** Whether there is a Chromium on PATH. */
export const hasChromium = program !== undefined;

/** Starts Chromium. Throws if it is not installed. */
export function launchChromium(): Promise<Browser> {
  if (program === undefined) throw new Error(`expected one of ${NAMES.join(", ")} on PATH: install Chromium`);
  // Chromium cannot set up its sandbox as root, and tests in a container run as root
  const args = process.getuid?.() === 0 ? ["--no-sandbox"] : [];
  return chromium.launch({ executablePath: program, args });
}

let shared: Promise<Browser> | undefined;

/**
 * Opens a browser context for one person. The suite closes it. All suites of this process share the browser, which ends with
 * the process. A crashed browser is restarted.
 */
export async function openContext(options?: BrowserContextOptions): Promise<BrowserContext> {
  shared ??= launchChromium();
  if (!(await shared).isConnected()) shared = launchChromium();
  const context = await (await shared).newContext(options);
  context.setDefaultTimeout(PATIENCE_MS);
  return context;
}

function findProgram(): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
