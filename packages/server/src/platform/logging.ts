// How the server logs: pino to a stream, one JSON object per line. A persistent fault (a full disk, a provider that is
// down) is logged once and then with a count, so that the log cannot fill the disk it complains about.

import type { FastifyServerOptions } from "fastify";

/** Takes the warnings and errors of a part of the server. */
export interface Logger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How long repeats of a logged fault are suppressed. */
const QUIET_MS = 10_000;
/** How many different faults are told apart; any more within that time count as one. */
const MOST_REASONS = 200;
const OTHERS = "too many different faults";
/** pino's number for `warn`, the lowest level that is limited. */
const WARN = 40;

interface Quiet {
  until: number;
  suppressed: number;
}

/** Decides which lines are logged: one per reason in each quiet period, with the number suppressed before it. */
export class RepeatLimiter {
  readonly #now: () => number;
  readonly #reasons = new Map<string, Quiet>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns undefined for a line to suppress, else how many with its reason were suppressed before it. */
  admit(reason: string): number | undefined {
    const now = this.#now();
    const known = this.#reasons.get(reason);
    // a clock set back must not extend the quiet period
    if (known !== undefined && now < known.until && known.until <= now + QUIET_MS) {
      known.suppressed += 1;
      return undefined;
    }
    if (known === undefined && this.#reasons.size >= MOST_REASONS) {
      this.#forgetQuietOnes(now);
      if (reason !== OTHERS && this.#reasons.size >= MOST_REASONS) return this.admit(OTHERS);
    }
    this.#reasons.set(reason, { until: now + QUIET_MS, suppressed: 0 });
    return known?.suppressed ?? 0;
  }

  #forgetQuietOnes(now: number): void {
    for (const [reason, { until }] of this.#reasons) if (until <= now) this.#reasons.delete(reason);
  }
}

/** Bytes of lines that wait for a reader of the log, such as a pipe's that is stuck. */
const MOST_WAITING = 1024 * 1024;

/** Drops lines while more than a MiB of them waits to be read: a stuck reader must not take the server's memory. */
export function dropWhenFull(stream: { write(text: string): unknown; readonly writableLength: number }) {
  return {
    write(text: string): void {
      if (stream.writableLength < MOST_WAITING) stream.write(text);
    },
  };
}

/** Returns the logger options of a server. */
export function createLogging(options: {
  level: string;
  stream: { write(text: string): void };
  now?: () => number;
}): NonNullable<FastifyServerOptions["logger"]> {
  const now = options.now ?? Date.now;
  const faults = new RepeatLimiter(now);
  // apart: tenants choose their receivers, and many that fail must not crowd out other faults
  const receivers = new RepeatLimiter(now);
  return {
    level: options.level,
    stream: options.stream,
    hooks: {
      logMethod(args, method, level) {
        if (level < WARN || isEvent(args)) return method.apply(this, args);
        const receiver = receiverOf(args);
        const reason = reasonOf(args);
        const left = receiver === undefined ? faults.admit(reason) : receivers.admit(`${reason} ${receiver}`);
        if (left === undefined) return;
        const [first, ...rest] = args as unknown[];
        const isDetailed = typeof first === "object" && first !== null && left > 0;
        const shown = isDetailed ? [{ ...first, repeated: left }, ...rest] : args;
        return method.apply(this, shown as typeof args);
      },
    },
  };
}

/** What makes two lines the same: the message and the error, without what differs from request to request. */
function reasonOf(args: readonly unknown[]): string {
  const [first, second] = args;
  if (typeof first === "string") return first;
  const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
  const cause = error instanceof Error ? `${error.name}: ${error.message}: ${causeOf(error)}` : "";
  return `${String(second)} ${cause}`.replaceAll(/\d+/g, "#").slice(0, 300);
}

/** Returns the receiver of callbacks that the line is about: the fault of each is logged apart. */
function receiverOf([first]: readonly unknown[]): string | undefined {
  const receiver = (first as { receiver?: unknown } | undefined)?.receiver;
  return typeof receiver === "string" ? receiver : undefined;
}

/** Whether other programs count such lines: each is logged, and whoever logs them bounds their number. */
function isEvent([first]: readonly unknown[]): boolean {
  return typeof (first as { event?: unknown } | undefined)?.event === "string";
}

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : "";
}
