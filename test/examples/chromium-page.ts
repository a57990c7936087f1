// A page in a real browser that a test can act in, over the pipe of Chromium's own protocol: no port, no other library.

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";

interface Reply {
  readonly id?: number;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly message: string };
}

export class ChromiumPage {
  readonly #child: ChildProcess;
  readonly #profile: string;
  readonly #waiting = new Map<
    number,
    { resolve: (value: Record<string, unknown>) => void; reject: (error: Error) => void }
  >();
  #lastId = 0;
  #session: string | undefined;

  private constructor(child: ChildProcess, profile: string) {
    this.#child = child;
    this.#profile = profile;
    let rest = "";
    (child.stdio[4] as Readable).setEncoding("utf8").on("data", (text: string) => {
      const messages = (rest + text).split("\0");
      rest = messages.pop() ?? "";
      for (const message of messages) this.#take(JSON.parse(message) as Reply);
    });
    child.once("exit", (code) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`the browser ended with ${code}`));
    });
  }

  /** Opens the address; it may not be loaded yet. */
  static async open(program: string, url: string): Promise<ChromiumPage> {
    const profile = mkdtempSync(join(tmpdir(), "chromium-"));
    const flags = [
      "--headless=new",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      "--no-first-run",
      "--remote-debugging-pipe",
    ];
    // its sandbox cannot be made by root, which tests in a container run as
    if (process.getuid?.() === 0) flags.push("--no-sandbox");
    const child = spawn(program, [...flags, `--user-data-dir=${profile}`], {
      ...{ stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true },
    });
    const page = new ChromiumPage(child, profile);
    const { targetId } = await page.#send("Target.createTarget", { url });
    const { sessionId } = await page.#send("Target.attachToTarget", { targetId, flatten: true });
    page.#session = String(sessionId);
    return page;
  }

  /** What an expression is in the page; a promise is awaited. */
  async evaluate(expression: string): Promise<unknown> {
    const reply = await this.#send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (reply.exceptionDetails !== undefined) throw new Error(JSON.stringify(reply.exceptionDetails));
    return (reply.result as { value?: unknown }).value;
  }

  async close(): Promise<void> {
    const exited = once(this.#child, "exit");
    // with the processes it has started, which would still write to the profile
    if (this.#child.pid !== undefined && this.#child.exitCode === null) process.kill(-this.#child.pid, "SIGKILL");
    await exited;
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 10 });
  }

  #send(method: string, params: object): Promise<Record<string, unknown>> {
    this.#lastId += 1;
    const id = this.#lastId;
    const sessionId = this.#session;
    (this.#child.stdio[3] as Writable).write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return new Promise((resolve, reject) => this.#waiting.set(id, { resolve, reject }));
  }

  #take({ id, result, error }: Reply): void {
    if (id === undefined) return;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result ?? {});
    else waiting?.reject(new Error(error.message));
  }
}
