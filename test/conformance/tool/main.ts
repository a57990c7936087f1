// `npm run conformance -- --base-url <url>`: whether a server keeps the contract, as far as that shows from outside.

import { randomBytes, randomInt } from "node:crypto";
import { CliError } from "../../../packages/cli/src/failures/errors.ts";
import { printable } from "../../../packages/cli/src/output/printable.ts";
import { Interruption } from "../../../packages/cli/src/process/interruption.ts";
import { type Conformance, checkConformance } from "../checks.ts";
import { NoReply, RunEnded } from "../target.ts";
import { readAsked, usage } from "./asked.ts";
import { createHttpSend } from "./http-send.ts";
import { probe } from "./probe.ts";
import { EXIT, Refusal } from "./refusal.ts";
import { printReport, summaryOf } from "./report.ts";

/** From Ctrl-C to the end of the process, whatever else is under way. */
const PRINT_WITHIN_MS = 6_000;
const REQUEST_TIMEOUT_MS = 15_000;
const MAX_REQUESTS = 3_000;

async function run(args: readonly string[]): Promise<number> {
  const asked = readAsked(args);
  if (asked === undefined) {
    process.stdout.write(usage);
    return EXIT.kept;
  }
  const { baseUrl, credential, others, operationIds, isJson, deadlineMs } = asked;
  const watch = new Interruption();
  watch.graceMs = PRINT_WITHIN_MS;
  const interruption = watch.signal;
  const bounds = { requestTimeoutMs: REQUEST_TIMEOUT_MS, deadlineMs, maxRequests: MAX_REQUESTS, interruption };
  const send = createHttpSend(baseUrl, credential, bounds);
  await probe(send, baseUrl, others);
  const prefix = `conformance-${randomBytes(4).toString("hex")}-`;
  say(`writes to ${baseUrl.origin}: merchants named ${prefix}…,`);
  say("with consents, a brand, campaigns, numbers, messages, calls and payments of theirs;");
  say("direct messages of the tenant; all of it stays there afterwards");
  const surroundings = { credential, others, prefix, newNumber: createNumbers() };
  const found = await checkConformance(send, surroundings, operationIds);
  process.stdout.write(
    isJson
      ? `${JSON.stringify({ baseUrl: baseUrl.href, prefix, summary: summaryOf(found), ...found }, null, 2)}\n`
      : printReport(found),
  );
  if (interruption.aborted) return EXIT.interrupted;
  return exitCodeOf(found);
}

function exitCodeOf({ violations, ended, outcomes }: Conformance): number {
  if (violations.length > 0) return EXIT.violated;
  if (ended !== null) return EXIT.notRun;
  // a rate limit may excuse any reply, but not all
  if (outcomes.some(({ result, code }) => result === "reached" && code !== "rate_limited")) return EXIT.kept;
  say("nothing was found out: every request was refused for its rate. Raise the limit for this credential");
  return EXIT.notRun;
}

/** Numbers that nobody has: 555-0100 to 555-0199 of an area, one of many so that no two runs meet. */
function createNumbers(): () => string {
  const area = randomInt(220, 989);
  let count = randomInt(100);
  return () => {
    count += 1;
    return `+1${area}55501${String(count % 100).padStart(2, "0")}`;
  };
}

function say(line: string): void {
  process.stderr.write(`conformance: ${printable(line)}\n`);
}

run(process.argv.slice(2)).then(
  (exitCode) => {
    process.exitCode = exitCode;
  },
  (error: unknown) => {
    const isKnown = [Refusal, RunEnded, NoReply, CliError].some((kind) => error instanceof kind);
    if (!(error instanceof Error && isKnown)) throw error;
    say(error.message);
    process.exitCode = error instanceof Refusal ? error.exitCode : EXIT.notRun;
  },
);
