// Configures the log: pino, one JSON object per line. A persistent fault (a full disk, a provider that is down) is logged once
// and then with a count, so that the log cannot fill the disk.

import type { FastifyServerOptions } from "fastify";

/** Logs the warnings and errors of a part of the server. */
export interface Logger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Time for which repeats of a logged fault are suppressed. */
const QUIET_MS = 10_000;
/** The most reasons that are distinguished; more within `QUIET_MS` count as one. */
const MOST_REASONS = 200;
const OTHERS = "too many different faults";
/** pino's number for `warn`, the lowest level that is limited. */
const WARN = 40;

/** Decides which lines are logged: one per reason in each quiet period, with the number suppressed before it. */
export class RepeatLimiter {
  readonly #now: () => number;
  readonly #reasons = new Map<string, { until: number; suppressed: number }>();

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

/** The most bytes of lines that wait to be read. */
const MOST_WAITING = 1024 * 1024;

/** Drops lines while more than a MiB waits to be read: a stuck reader, such as a pipe's, must not use up the memory. */
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
  // separate: tenants choose their receivers, and many that fail must not crowd out other faults
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

/** Returns the reason of a line: its message and error, without the numbers, which differ from request to request. */
function reasonOf(args: readonly unknown[]): string {
  const [first, second] = args;
  if (typeof first === "string") return first;
  const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
  const { cause: deeper } = Object(error) as { cause?: unknown };
  const last = deeper instanceof Error ? deeper.message : "";
  const cause = error instanceof Error ? `${error.name}: ${error.message}: ${last}` : "";
  return `${String(second)} ${cause}`.replaceAll(/\d+/g, "#").slice(0, 300);
}

/** Returns the receiver of callbacks that a line is about: the faults of each are counted separately. */
function receiverOf([first]: readonly unknown[]): string | undefined {
  const receiver = (first as { receiver?: unknown } | undefined)?.receiver;
  return typeof receiver === "string" ? receiver : undefined;
}

/** Returns whether a line is an event that other programs count: each is logged, and its code bounds their number. */
function isEvent([first]: readonly unknown[]): boolean {
  return typeof (first as { event?: unknown } | undefined)?.event === "string";
}
