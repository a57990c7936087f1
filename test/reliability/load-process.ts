import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Acknowledgement } from "./actions.ts";
import type { LoadPlan, LoadReport } from "./load.ts";

/** Time limit of each wait, longer than any event takes even on a busy machine. */
const BOUND_MS = 300_000;
const LOOK_MS = 20;

/** The load, in a child process. */
export class LoadProcess {
  readonly #child: ChildProcess;
  readonly #report: Promise<LoadReport>;
  readonly #file: string;
  readonly #acknowledgements: Acknowledgement[] = [];
  /** Number of bytes of the file that have been read. */
  #readBytes = 0;

  constructor(plan: LoadPlan) {
    this.#file = plan.file;
    this.#child = fork(new URL("load.ts", import.meta.url), [JSON.stringify(plan)], {
      execArgv: ["--import", "tsx"],
    });
    this.#report = new Promise((resolve, reject) => {
      this.#child.on("message", (said) => {
        if (said !== "paused") resolve(said as LoadReport);
      });
      this.#child.once("exit", (code) => reject(new Error(`the load ended with ${code}`)));
    });
    // `finish` reports the rejection to its caller
    this.#report.catch(() => undefined);
  }

  /** Like `pause`, but final. */
  finish(): Promise<LoadReport> {
    this.#child.send("finish");
    return this.#report;
  }

  /** Stops starting actions, and waits until all started ones are acknowledged. Rejects after five minutes. */
  async pause(): Promise<void> {
    const paused = once(this.#child, "message", { signal: AbortSignal.timeout(BOUND_MS) });
    this.#child.send("pause");
    await paused;
  }

  goOn(): void {
    this.#child.send("go on");
  }

  /** Waits until `actions` more actions are acknowledged. Rejects after five minutes. */
  async progress(actions: number): Promise<void> {
    const before = this.readAcknowledgements().length;
    const giveUpAt = performance.now() + BOUND_MS;
    while (this.readAcknowledgements().length < before + actions) {
      if (performance.now() > giveUpAt)
        throw new Error(`the load got fewer than ${actions} actions acknowledged in five minutes`);
      await sleep(LOOK_MS);
    }
  }

  /** Returns all acknowledgements so far. */
  readAcknowledgements(): Acknowledgement[] {
    if (!existsSync(this.#file)) return [];
    const added = readFileSync(this.#file).subarray(this.#readBytes);
    // the last line may be incomplete because it is being written: the next call reads it again
    const whole = added.subarray(0, added.lastIndexOf("\n") + 1);
    this.#readBytes += whole.length;
    for (const line of whole.toString().split("\n").filter(Boolean)) this.#acknowledgements.push(JSON.parse(line));
    return [...this.#acknowledgements];
  }

  /** Ends the process at once. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
