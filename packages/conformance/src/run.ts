// Runs a command line: checks whether a server keeps the contract, as far as this is visible from outside.

import { randomBytes, randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Conformance, checkConformance } from "./check-conformance.ts";
import { type Asked, readLine, usage } from "./program/command-line.ts";
import { createHttpSend } from "./program/http-send.ts";
import { printable } from "./program/printable.ts";
import { probe } from "./program/probe.ts";
import { EXIT, Refusal } from "./program/refusal.ts";
import { printReport, summaryOf } from "./program/report.ts";
import { NoReply, RunEnded } from "./target/send.ts";

const REQUEST_TIMEOUT_MS = 15_000;
const MAX_REQUESTS = 3_000;

/** The environment of a command line, and the target of its output. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  out(text: string): void;
  err(text: string): void;
  /** Returns a signal that Ctrl-C aborts; from then on Ctrl-C alone does not end the process. */
  watchInterruption(): AbortSignal;
}

/** Runs `msgctl-conformance` with these arguments, and returns its exit code. */
export async function run(args: readonly string[], terminal: Terminal): Promise<number> {
  const say = (line: string) => terminal.err(`conformance: ${printable(line)}\n`);
  try {
    const asked = readLine(args, terminal);
    if (typeof asked !== "string") return await check(asked, terminal, say);
    terminal.out(asked === "help" ? usage : `${readVersion()}\n`);
    return EXIT.kept;
  } catch (error) {
    const isKnown = [Refusal, RunEnded, NoReply].some((kind) => error instanceof kind);
    if (!(error instanceof Error && isKnown)) throw error;
    say(error.message);
    return error instanceof Refusal ? error.exitCode : EXIT.notRun;
  }
}

function readVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version;
}

async function check(asked: Asked, terminal: Terminal, say: (line: string) => void): Promise<number> {
  const { baseUrl, credential, others, operationIds, isJson, deadlineMs } = asked;
  const interruption = terminal.watchInterruption();
  const bounds = { requestTimeoutMs: REQUEST_TIMEOUT_MS, deadlineMs, maxRequests: MAX_REQUESTS, interruption };
  const send = createHttpSend(baseUrl, credential, bounds);
  await probe(send, baseUrl, others);
  const prefix = `conformance-${randomBytes(4).toString("hex")}-`;
  say(`writes to ${baseUrl.origin}: merchants named ${prefix}…,`);
  say("with their consents, a brand, campaigns, numbers, messages, calls and payments;");
  say("direct messages of the tenant; all of it stays there afterwards");
  const surroundings = { credential, others, prefix, newNumber: createNumbers(), pause: sleep };
  const found = await checkConformance(send, surroundings, operationIds);
  terminal.out(
    isJson
      ? `${JSON.stringify({ baseUrl: baseUrl.href, prefix, summary: summaryOf(found), ...found }, null, 2)}\n`
      : printReport(found),
  );
  if (interruption.aborted) return EXIT.interrupted;
  if (isNothingFoundOut(found)) {
    say("nothing was checked: every request exceeded the rate limit. Raise the limit for this credential");
    return EXIT.notRun;
  }
  return exitCodeOf(found);
}

/** A rate limit explains a missing reply, but not a run in which every request was refused. */
function isNothingFoundOut({ violations, ended, outcomes }: Conformance): boolean {
  if (violations.length > 0 || ended !== null) return false;
  return !outcomes.some(({ result, code }) => result === "reached" && code !== "rate_limited");
}

function exitCodeOf({ violations, ended }: Conformance): number {
  if (violations.length > 0) return EXIT.violated;
  return ended === null ? EXIT.kept : EXIT.notRun;
}

/** Numbers that nobody has: 555-0100 to 555-0199 of one of many area codes, so that two runs use different numbers. */
function createNumbers(): () => string {
  const area = randomInt(220, 989);
  let count = randomInt(100);
  return () => {
    count += 1;
    return `+1${area}55501${String(count % 100).padStart(2, "0")}`;
  };
}
