// The arguments of `msgctl-mock`, and its help.

import { parseArgs } from "node:util";

const MODES = ["stateful", "prism"] as const;
const DEFAULTS = { mode: "stateful", host: "127.0.0.1", port: 4010 } as const;
const LATEST_NOW = Date.UTC(9999, 0);
const FLAGS = ["--port", "--host", "--now", "--help", "--version"];

export interface MockLine {
  readonly mode: (typeof MODES)[number];
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  /** The time at which the clock is frozen, in epoch milliseconds; if undefined, it follows this machine's clock. */
  readonly now: number | undefined;
}

/** An invalid command line; the message has a line for each fault. */
export class LineError extends Error {
  override readonly name = "LineError";
}

export const help = `Serves a mock of the merchant messaging API over HTTP, for programs in any language.

Usage: msgctl-mock [stateful|prism] [flags]

  stateful    the whole service in memory: consent, quotas, delivery, callbacks (default)
  prism       the contract's examples, which no call changes; needs @stoplight/prism-cli

Flags:
  --port <number>     port to listen on; 0 picks a free one (default ${DEFAULTS.port})
  --host <address>    address to listen on (default ${DEFAULTS.host}: this machine only)
  --now <time>        stateful: freezes the clock at this time, such as 2026-01-15T12:00:00Z, until
                      you move it (default: the clock follows this machine's)
  -h, --help          print this help
  -V, --version       print the version

Exit codes: 0 stopped by Ctrl-C or SIGTERM, 1 failed, 2 wrong command line.
`;

/** Throws a `LineError` with all faults at once. */
export function readLine(args: readonly string[]): MockLine | "help" | "version" {
  const { tokens } = parseArgs({
    args: [...args],
    options: {
      port: { type: "string" },
      host: { type: "string" },
      now: { type: "string" },
      help: { type: "boolean", short: "h" },
      version: { type: "boolean", short: "V" },
    },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const faults: string[] = [];
  const words: string[] = [];
  const values = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "positional") words.push(token.value);
    if (token.kind !== "option") continue;
    if (token.name === "help" || token.name === "version") return token.name;
    if (!["port", "host", "now"].includes(token.name)) {
      faults.push(`${token.rawName}: unknown flag; expected one of ${FLAGS.join(", ")}`);
    } else if (values.has(token.name)) {
      faults.push(`--${token.name}: expected once, received twice`);
    } else {
      values.set(token.name, token.value ?? "");
    }
  }
  const [mode = DEFAULTS.mode, ...others] = words;
  if (!isMode(mode)) faults.push(`expected ${MODES.join(" or ")}, received "${mode}"`);
  if (others.length > 0) faults.push(`expected one word at most, received "${others.join(" ")}" after "${mode}"`);
  const { host = DEFAULTS.host, port = String(DEFAULTS.port), now } = Object.fromEntries(values);
  if (host === "")
    faults.push(`--host: expected an address of this machine, such as ${DEFAULTS.host}, received nothing`);
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    faults.push(`--port: expected 0 to 65535, received "${port}"`);
  }
  const time = now === undefined ? undefined : readTime(now);
  if (time !== undefined && Number.isNaN(time)) {
    faults.push(`--now: expected a time from 1970 to 9998 such as 2026-01-15T12:00:00Z, received "${now}"`);
  }
  if (mode === "prism" && now !== undefined)
    faults.push("--now: expected with stateful only, because prism has no clock");
  if (!isMode(mode) || faults.length > 0) throw new LineError(faults.join("\n"));
  return { mode, host, port: Number(port), now: time };
}

function isMode(word: string): word is MockLine["mode"] {
  return (MODES as readonly string[]).includes(word);
}

/** NaN if invalid: only an RFC 3339 date-time means the same moment everywhere. */
function readTime(text: string): number {
  const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/i.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return time >= 0 && time <= LATEST_NOW ? time : Number.NaN;
}
