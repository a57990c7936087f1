import { randomInt } from "node:crypto";

/** The code of each request. A real backend keeps codes in its database for ten minutes, and counts wrong guesses. */
export class Codes {
  readonly #codes = new Map<string, string>();

  /** Six digits. A repeated request gets the same code as before, so that its message is the same too. */
  of(requestId: string): string {
    const known = this.#codes.get(requestId);
    if (known !== undefined) return known;
    const code = String(randomInt(1_000_000)).padStart(6, "0");
    this.#codes.set(requestId, code);
    return code;
  }
}
