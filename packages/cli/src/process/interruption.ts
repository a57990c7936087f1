/**
 * Handles Ctrl-C, SIGTERM (systemd, `timeout`, a cancelled job) and SIGHUP (the window is closed). A command that never
 * reads the signal, such as help, is ended by the system.
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
  /** Time in which work in flight may end; work that ignores the signal must not keep the process alive. */
  graceMs = GRACE_MS;

  /** `hasTerminal`: whether any standard stream is a terminal, evaluated before it can be gone. */
  constructor(interrupted: InterruptedProcess, hasTerminal: () => boolean) {
    this.#process = interrupted;
    this.#hasTerminal = hasTerminal;
  }

  get signal(): AbortSignal {
    this.#signal ??= this.#watch();
    return this.#signal;
  }

  /** The exit code of a command that was interrupted: that of its signal. */
  get exitCode(): ExitCode {
    return EXIT_CODES[this.#first?.name ?? "SIGINT"];
  }

  /** Ends the process with the signal's exit code. */
  exit(): void {
    if (this.exitCode === EXIT.hungUp) {
      // To a shell this is 129 too. Node 20 aborts in its own exit if the terminal is gone: tcsetattr fails there.
      this.#process.removeAllListeners("SIGHUP");
      this.#process.kill(this.#process.pid, "SIGHUP");
    } else this.#process.exit(this.exitCode);
  }

  #watch(): AbortSignal {
    const controller = new AbortController();
    const end = (name: Name) => {
      // A second Ctrl-C ends it at once. One right after the first is the same: npx passes it on as well.
      const isAgain = this.#first !== undefined && Date.now() - this.#first.atMs >= GRACE_MS;
      if (isAgain && name === "SIGINT") this.exit();
      if (this.#first !== undefined) return;
      this.#first = { name, atMs: Date.now() };
      controller.abort();
      setTimeout(() => this.exit(), this.graceMs).unref();
    };
    // Not once(): libraries that wait for signals end the process when no other listener is left.
    this.#process.on("SIGINT", () => end("SIGINT"));
    this.#process.on("SIGTERM", () => end("SIGTERM"));
    // Under nohup no stream is a terminal. Node forgets at its start that the signal was to be ignored.
    const isHangup = this.#hasTerminal();
    this.#process.on("SIGHUP", () => isHangup && end("SIGHUP"));
    return controller.signal;
  }
}
