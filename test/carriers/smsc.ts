// An SMSC on an independent implementation of SMPP: Perl's Net::SMPP.

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("smsc.pl", import.meta.url));
const SYSTEM_ID = "msgd";
const PASSWORD = "secret";

/** A part of a text. The part that completes the text has `text`. */
interface Line {
  readonly to: string;
  readonly part: string;
  readonly text?: string;
}

/** Returns the version of Net::SMPP; undefined if it is not installed. */
export function findNetSmpp(): string | undefined {
  const { status, stdout } = spawnSync("perl", ["-MNet::SMPP", "-e", "print $Net::SMPP::VERSION"]);
  return status === 0 ? `Net::SMPP ${stdout.toString()}` : undefined;
}

export const smscSettings = (port: number) => ({
  ...{ kind: "smpp", host: "127.0.0.1", port, systemId: SYSTEM_ID, password: PASSWORD },
  ...{ sender: "+12025550199", window: 10 },
});

export class Smsc {
  /** All parts that the SMSC accepted, in order. */
  readonly taken: Line[] = [];
  readonly #process;

  constructor(port: number) {
    this.#process = spawn("perl", [script, String(port), SYSTEM_ID, PASSWORD], { stdio: ["pipe", "pipe", "inherit"] });
    createInterface({ input: this.#process.stdout }).on("line", (line) => this.taken.push(JSON.parse(line) as Line));
  }

  /** The complete texts that were sent to a number. */
  textsTo(recipient: string): readonly string[] {
    return this.taken.flatMap(({ to, text }) => (to === recipient && text !== undefined ? [text] : []));
  }

  /** Sends a text from a phone. */
  say(from: string, to: string, words: string): void {
    this.#process.stdin.write(`${from} ${to} ${words}\n`);
  }

  async stop(): Promise<void> {
    this.#process.kill();
    if (this.#process.exitCode === null && this.#process.signalCode === null) await once(this.#process, "exit");
  }
}
