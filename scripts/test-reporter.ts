// Prints failures, and the progress of the run. In a terminal, vitest's own display shows the progress; elsewhere this
// reporter prints a line after each tenth of the files, or after half a minute.
import { DefaultReporter, type TestModule, type TestSpecification } from "vitest/node";

const LINE_EVERY_MS = 30_000;

export default class TestReporter extends DefaultReporter {
  #total = 0;
  #done = 0;
  #startedAt = 0;
  #lastLine = { done: 0, at: 0 };
  #timer: NodeJS.Timeout | undefined;

  override onTestRunStart(specifications: readonly TestSpecification[]): void {
    super.onTestRunStart(specifications);
    this.#total = specifications.length;
    this.#done = 0;
    this.#startedAt = Date.now();
    this.#lastLine = { done: 0, at: this.#startedAt };
    if (!this.isTTY) this.#timer = setInterval(() => this.#printProgress(), LINE_EVERY_MS).unref();
  }

  override onTestModuleEnd(module: TestModule): void {
    super.onTestModuleEnd(module);
    this.#done += 1;
    if (!this.isTTY && this.#done - this.#lastLine.done >= this.#total / 10) this.#printProgress();
  }

  override onTestRunEnd(...args: Parameters<DefaultReporter["onTestRunEnd"]>): void {
    clearInterval(this.#timer);
    super.onTestRunEnd(...args);
  }

  /** A run of more than 20 files lists only the failed ones; a shorter run, such as one folder, lists all. */
  protected override printTestModule(module: TestModule): void {
    if (this.#total <= 20 || !module.ok()) super.printTestModule(module);
  }

  #printProgress(): void {
    if (this.#total <= 20) return;
    const seconds = Math.round((Date.now() - this.#startedAt) / 1_000);
    this.log(`${this.#done} of ${this.#total} files, ${seconds} s`);
    this.#lastLine = { done: this.#done, at: Date.now() };
  }
}
