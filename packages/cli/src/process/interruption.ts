/**
 * Handles Ctrl-C, SIGTERM (systemd, `timeout`, a cancelled job) and SIGHUP (a closed window). Handlers are installed when the
 * abort signal is first read: until then, as in help, the system's default action ends the process.
 */
import { EXIT, type ExitCode } from "./exit-codes.ts";

const GRACE_MS = 300;

const EXIT_CODES = { SIGINT: EXIT.interrupted, SIGTERM: EXIT.terminated, SIGHUP: EXIT.hungUp } as const;
type Name = keyof typeof EXIT_CODES;

export type InterruptedProcess = Pick<NodeJS.EventEmitter, "on" | "removeAllListeners"> & {
  pid: number;
  kill(pid: number, name: Name): void;
  exit(exitCode: ExitCode): void;
};

export class Interruption {
  readonly #process: InterruptedProcess;
  readonly #hasTerminal: () => boolean;
  #signal: AbortSignal | undefined;
  #first: { name: Name; atMs: number } | undefined;
  /** Grace period for work in flight. After it the process exits, even if work ignores the signal. */
  graceMs = GRACE_MS;

  /** `hasTerminal`: whether any standard stream is a terminal. Called early, while the terminal still exists. */
  constructor(interrupted: InterruptedProcess, hasTerminal: () => boolean) {
    this.#process = interrupted;
    this.#hasTerminal = hasTerminal;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#watch();
    return this.#signal;
  }

  /** The exit code for the signal that interrupted the command. */
  get exitCode(): ExitCode {
    return EXIT_CODES[this.#first?.name ?? "SIGINT"];
  }

  /** Ends the process with the signal's exit code. */
  exit(): void {
    if (this.exitCode === EXIT.hungUp) {
      // Kill the process instead of calling exit(): if the terminal is gone, tcsetattr fails and Node 20 aborts. A shell
      // reports exit code 129 either way.
      this.#process.removeAllListeners("SIGHUP");
      this.#process.kill(this.#process.pid, "SIGHUP");
    } else this.#process.exit(this.exitCode);
  }

  #watch(): AbortSignal {
    const controller = new AbortController();
    const end = (name: Name) => {
      // A second Ctrl-C ends the process immediately. Ignore one right after the first: npx forwards the same Ctrl-C.
      const isAgain = this.#first !== undefined && Date.now() - this.#first.atMs >= GRACE_MS;
      if (isAgain && name === "SIGINT") this.exit();
      if (this.#first !== undefined) return;
      this.#first = { name, atMs: Date.now() };
      controller.abort();
      setTimeout(() => this.exit(), this.graceMs).unref();
    };
    // Do not use once(): if no other listener is left, a library's signal handler ends the process.
    this.#process.on("SIGINT", () => end("SIGINT"));
    this.#process.on("SIGTERM", () => end("SIGTERM"));
    // Under nohup no stream is a terminal. Node.js resets the ignored SIGHUP at its start, so it is ignored here again.
    const isHangup = this.#hasTerminal();
    this.#process.on("SIGHUP", () => isHangup && end("SIGHUP"));
    return controller.signal;
  }
}
