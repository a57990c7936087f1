// A headless browser, if this machine has one.

import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Browser, BrowserContext, BrowserContextOptions } from "playwright-core";

/** Timeout of each wait for a page, in milliseconds. It is long because busy machines are slow. */
const PATIENCE_MS = 60_000;

export interface BrowserOptions {
  readonly name: string;
  /** Names of its program on PATH. */
  readonly programs: readonly string[];
  /** Starts the program at a path. */
  readonly launch: (path: string) => Promise<Browser>;
}

export class InstalledBrowser {
  readonly name: string;
  readonly #options: BrowserOptions;
  readonly #program: string | undefined;
  #shared: Promise<Browser> | undefined;

  constructor(options: BrowserOptions) {
    this.name = options.name;
    this.#options = options;
    this.#program = findProgram(options.programs);
  }

  /** Whether it is on PATH. */
  get isInstalled(): boolean {
    return this.#program !== undefined;
  }

  /** Starts the browser. Throws if it is not installed. */
  async launch(): Promise<Browser> {
    const { name, programs, launch } = this.#options;
    if (this.#program === undefined) throw new Error(`expected one of ${programs.join(", ")} on PATH: install ${name}`);
    return launch(this.#program);
  }

  /**
   * Opens a browser context for one person. The suite closes it. All suites of this process share the browser, which ends
   * with the process. A crashed browser is restarted.
   */
  async openContext(options?: BrowserContextOptions): Promise<BrowserContext> {
    this.#shared ??= this.launch();
    if (!(await this.#shared).isConnected()) this.#shared = this.launch();
    const context = await (await this.#shared).newContext(options);
    context.setDefaultTimeout(PATIENCE_MS);
    return context;
  }
}

function findProgram(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find((path) => existsSync(path));
}
