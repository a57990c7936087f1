// A built clone of this repository, as a reader of a README in examples/ has it: with a separate development server, and as
// many terminals as the README needs. All ports are replaced by free ones.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { findFreePort } from "../../packages/server/src/testing/free-port.ts";
import { cleanEnvironment } from "../e2e/msgctl-process.ts";
import { MsgdFolder } from "../e2e/msgd-process.ts";
import { root } from "./example-process.ts";

/** Output of a program that keeps running, so that the reader opens another terminal. */
const GOES_ON = /^(?:listening on http|Not ready: )/m;

export class ReaderClone {
  readonly #folder = new MsgdFolder();
  readonly #terminals: { readonly child: ChildProcess; readonly ended: Promise<unknown> }[] = [];
  #serverUrl = "";
  #port = 0;
  #written = "";

  /** Output of all terminals. */
  get written(): string {
    return this.#written;
  }

  get credential() {
    return this.#folder.demoCredential;
  }

  /** Starts the server as `npm start -- <flags>` does. */
  async start(flags: readonly string[]): Promise<void> {
    for (const name of ["bin", "examples", "node_modules"])
      symlinkSync(join(root, name), join(this.#folder.parent, name));
    this.#serverUrl = (await this.#folder.serveDemo(...flags)).baseUrl;
    this.#port = await findFreePort();
  }

  /**
   * Runs lines in bash, up to the first that fails. Resolves with the exit code; undefined for a program that keeps running.
   */
  paste(lines: string): Promise<number | null | undefined> {
    const child = spawn("bash", ["--norc", "-euo", "pipefail", "-c", this.here(lines)], {
      cwd: this.#folder.parent,
      env: {
        ...cleanEnvironment(this.#folder.parent),
        // npx must use the installed packages, and never ask a registry
        ...{ npm_config_offline: "true", npm_config_update_notifier: "false" },
        ...{ PORT: String(this.#port), DIRECTORY_PORT: String(this.#port) },
      },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    this.#terminals.push({ child, ended: once(child, "close") });
    return new Promise((resolve, reject) => {
      let written = "";
      for (const output of [child.stdout, child.stderr]) {
        output.setEncoding("utf8").on("data", (text: string) => {
          this.#written += text;
          written += text;
          if (GOES_ON.test(written)) resolve(undefined);
        });
      }
      child.once("error", reject);
      child.once("close", resolve);
    });
  }

  /** Replaces the addresses in a text of a README with this clone's. */
  here(text: string): string {
    return text
      .replaceAll("127.0.0.1:4800", new URL(this.#serverUrl).host)
      .replaceAll(/127\.0\.0\.1:(?:4830|49\d\d)\b/g, `127.0.0.1:${this.#port}`);
  }

  async remove(): Promise<void> {
    for (const { child, ended } of this.#terminals) {
      // kills the shell with all processes that it has started
      if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
        process.kill(-child.pid, "SIGKILL");
      await ended;
    }
    await this.#folder.remove();
  }
}
