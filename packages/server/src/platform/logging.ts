// Configures the log: pino, one JSON object per line. A persistent fault (a full disk, a provider that is down) is logged once,
// and later lines have the number of repeats, so that the log cannot fill the disk.

import type { FastifyServerOptions } from "fastify";

/** Logs the warnings and errors of a part of the server. */
export interface Logger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How long repeats of a logged fault are suppressed. */
const QUIET_MS = 10_000;
/** The most reasons that are distinguished. Further ones within `QUIET_MS` share the reason `OTHERS`. */
const MOST_REASONS = 200;
const OTHERS = "too many different faults";
/** pino's number for `warn`, the lowest level at which repeats are suppressed. */
const WARN = 40;

/** Decides which lines are logged: one per reason in each `QUIET_MS`, with the number of lines suppressed before it. */
export class RepeatLimiter {
  readonly #now: () => number;
  readonly #reasons = new Map<string, { until: number; suppressed: number }>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Returns undefined if the line is to be suppressed, else the number of lines with its reason suppressed before it. */
  admit(reason: string): number | undefined {
    const now = this.#now();
    const known = this.#reasons.get(reason);
    // the second condition keeps a clock that was set back from extending the quiet period
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

/** The most bytes of log lines that may wait to be read. */
const MOST_WAITING = 1024 * 1024;

/** Drops lines while 1 MiB or more is unread: if the reader of a pipe is stuck, memory does not fill up. */
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
  // a separate limiter: tenants choose their receivers, and many failing ones must not crowd out other faults
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

/** Returns the reason of a line: its message and error, without numbers, as these differ between requests. */
function reasonOf(args: readonly unknown[]): string {
  const [first, second] = args;
  if (typeof first === "string") return first;
  const error = first instanceof Error ? first : (first as { err?: unknown } | undefined)?.err;
  const { cause: deeper } = Object(error) as { cause?: unknown };
  const last = deeper instanceof Error ? deeper.message : "";
  const cause = error instanceof Error ? `${error.name}: ${error.message}: ${last}` : "";
  return `${String(second)} ${cause}`.replaceAll(/\d+/g, "#").slice(0, 300);
}

/** Returns the receiver of callbacks that a line is about, because each receiver's faults are counted separately. */
function receiverOf([first]: readonly unknown[]): string | undefined {
  const receiver = (first as { receiver?: unknown } | undefined)?.receiver;
  return typeof receiver === "string" ? receiver : undefined;
}

/** Returns whether a line is an event that other programs count. Every event is logged; its code limits their number. */
function isEvent([first]: readonly unknown[]): boolean {
  return typeof (first as { event?: unknown } | undefined)?.event === "string";
}
