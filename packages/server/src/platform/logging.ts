// How the server logs: pino to a stream, JSON a line. A fault that goes on (a full disk, a provider that is down) says
// so once and then how often, so that a log cannot fill the disk that it complains of.

import type { FastifyServerOptions } from "fastify";

/** Where a part of the server says what went wrong. */
export interface Logger {
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** How long the same fault stays quiet after it was logged. */
const QUIET_MS = 10_000;
/** Different faults that are told apart; more than that within the time count as one. */
const MOST_REASONS = 200;
const OTHERS = "too many different faults";
/** pino's number for `warn`, the lowest level that is bounded. */
const WARN = 40;

interface Quiet {
  until: number;
  suppressed: number;
}

/** Decides which lines go out: one for each reason in a while, then how many were left out of it. */
export class RepeatLimiter {
  readonly #now: () => number;
  readonly #reasons = new Map<string, Quiet>();

  constructor(now: () => number) {
    this.#now = now;
  }

  /** Undefined for a line to leave out, else how many of its reason were left out before it. */
  admit(reason: string): number | undefined {
    const now = this.#now();
    const known = this.#reasons.get(reason);
    // a clock that was set back must not make a fault quiet for as long
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

/** The logger's options for a server. */
export function createLogging(options: {
  level: string;
  stream: { write(text: string): void };
  now?: () => number;
}): NonNullable<FastifyServerOptions["logger"]> {
  const limiter = new RepeatLimiter(options.now ?? Date.now);
  return {
    level: options.level,
    stream: options.stream,
    hooks: {
      logMethod(args, method, level) {
        if (level < WARN) return method.apply(this, args);
        const left = limiter.admit(reasonOf(args));
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

function causeOf(error: Error): string {
  return error.cause instanceof Error ? error.cause.message : "";
}
