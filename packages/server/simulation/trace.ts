import { createHash } from "node:crypto";

/** Records everything that happens in a world, in order: the same text for the same seed. */
export class Trace {
  readonly #lines: string[] = [];

  note(line: string): void {
    this.#lines.push(line);
  }

  get lines(): readonly string[] {
    return this.#lines;
  }

  /** SHA-256 of the whole text, in hex. */
  digest(): string {
    return createHash("sha256").update(this.#lines.join("\n")).digest("hex");
  }
}
