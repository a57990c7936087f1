import { type ChildProcess, fork } from "node:child_process";
import { readFileSync } from "node:fs";
import type { Acknowledgement } from "./actions.ts";
import type { LoadPlan, LoadReport } from "./load.ts";

/** The load, running beside this process. */
export class LoadProcess {
  readonly #child: ChildProcess;
  readonly #report: Promise<LoadReport>;
  readonly #file: string;

  constructor(plan: LoadPlan) {
    this.#file = plan.file;
    this.#child = fork(new URL("load.ts", import.meta.url), [JSON.stringify(plan)], {
      execArgv: ["--import", "tsx"],
    });
    this.#report = new Promise((resolve, reject) => {
      this.#child.once("message", (report) => resolve(report as LoadReport));
      this.#child.once("exit", (code) => reject(new Error(`the load ended with ${code}`)));
    });
    // told to whoever asks
    this.#report.catch(() => undefined);
  }

  /** Has it begin nothing new, and waits until all that it began is acknowledged. */
  finish(): Promise<LoadReport> {
    this.#child.send("finish");
    return this.#report;
  }

  /** Everything that was acknowledged so far. */
  readAcknowledgements(): Acknowledgement[] {
    return readFileSync(this.#file, "utf8")
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  }

  /** Ends it at once. */
  kill(): void {
    this.#child.kill("SIGKILL");
  }
}
