import { Option } from "commander";
import { CliError, type Fault } from "../../failures/errors.ts";
import { readSecondsAsMs } from "../../flags/global-options.ts";
import type { CommandRun } from "../../model/catalog.ts";
import type { CommandLine } from "../../model/command.ts";
import type { OperationRecord } from "../../model/record.ts";
import type { RawValues } from "../../model/request.ts";
import { INTERVAL_SECONDS, LONGEST_INTERVAL_SECONDS } from "../../operation/durations.ts";
import { readAgain } from "../../operation/read-again.ts";
import { readWaitTimeout } from "../../operation/wait-options.ts";
import { readField } from "../../output/fields.ts";
import { EXIT } from "../../process/exit-codes.ts";
import type { Io } from "../../process/io.ts";
import { troubleWords } from "../../waiting/follow.ts";
import { createLiveLine, type LiveLine } from "../../waiting/live-line.ts";
import { type OpenRead, openRead } from "../../waiting/open-read.ts";
import { createAlertPrinter } from "./alert-printer.ts";
import { createNewcomers } from "./newcomers.ts";
import { readSince } from "./since.ts";

const MOST_ALERTS = 1_000_000;

export const runAlertsTail: CommandRun = async (line, io, context) => {
  const record = await context.catalog.record("listAlerts");
  const wrong: Fault[] = [];
  const limits = readLimits(line, io, wrong);
  const reading = { record, values: filterValues(record, line), wrong };
  const opened = await openRead(reading, line, io, context);
  if (opened === undefined) return;
  const live = createLiveLine(io.stderr, { ...opened.options, isLogged: false });
  const printer = createAlertPrinter(opened, record.output, io, context);
  if (io.stderr.isTTY) live.say("Waiting for alerts. Press Ctrl-C to stop.");
  try {
    await tail(opened, limits, { io, live, print: printer.print });
  } finally {
    await printer.end();
  }
};

interface Limits {
  sinceMs: number | undefined;
  intervalMs: number;
  count: number;
  timeoutMs: number;
}

function readLimits({ flags }: CommandLine, io: Io, wrong: Fault[]): Limits {
  const { interval, waitTimeout } = flags;
  const isTimed = waitTimeout !== undefined;
  return {
    sinceMs: readSince(flags.since, io.clock.now(), wrong),
    intervalMs:
      typeof interval === "string"
        ? readSecondsAsMs("--interval", interval, LONGEST_INTERVAL_SECONDS, wrong)
        : INTERVAL_SECONDS * 1000,
    count: readCount(flags.count, wrong),
    timeoutMs: isTimed ? readWaitTimeout(waitTimeout, wrong) : Number.POSITIVE_INFINITY,
  };
}

function readCount(text: unknown, wrong: Fault[]): number {
  if (typeof text !== "string") return Number.POSITIVE_INFINITY;
  const count = /^\d+$/.test(text) ? Number(text) : 0;
  if (count >= 1 && count <= MOST_ALERTS) return count;
  const message = `received ${JSON.stringify(text)}; expected an integer from 1 to ${MOST_ALERTS}`;
  wrong.push({ where: "--count", message });
  return count;
}

function filterValues({ inputs }: OperationRecord, { flags }: CommandLine): RawValues {
  const filters = inputs.filter((input) => input.in === "query");
  return new Map(
    filters.flatMap(({ name }): [string, string | boolean | readonly string[]][] => {
      const value = flags[new Option(`--${name}`).attributeName()];
      if (typeof value === "boolean") return [[name, value]];
      if (Array.isArray(value)) return [[name, value.map(String)]];
      return value === undefined ? [] : [[name, String(value)]];
    }),
  );
}

/** @throws {CliError} With exit code 130 if interrupted, 10 if the time is up before --count alerts arrived. */
async function tail(
  { read }: OpenRead,
  { sinceMs, intervalMs, count, timeoutMs }: Limits,
  { io, live, print }: { io: Io; live: LiveLine; print(alerts: readonly unknown[]): Promise<void> },
): Promise<void> {
  const { clock, signal } = io;
  const pace = { firstMs: intervalMs, growth: 1, longestMs: intervalMs };
  const newcomers = createNewcomers();
  let isFirst = true;
  let printed = 0;
  const onTrouble = (error: CliError | undefined) => live.say(troubleWords(error));
  for await (const view of readAgain({ read, pace, timeoutMs, clock, signal, onTrouble, hasAnswered: false })) {
    const fresh = newcomers.take(view as readonly unknown[]);
    const wanted = isFirst ? fresh.filter((alert) => isSince(alert, sinceMs)) : fresh;
    isFirst = false;
    const shown = wanted.slice(0, count - printed);
    await print(shown);
    printed += shown.length;
    if (printed >= count || io.outputEnd.aborted) return;
  }
  if (count === Number.POSITIVE_INFINITY) return;
  const message = `${printed} of ${count} alerts arrived within ${timeoutMs / 1000} seconds`;
  throw new CliError(EXIT.deadline, "wait_deadline", message, {
    hints: ["Wait longer with --wait-timeout, or start earlier with --since."],
  });
}

/** Without --since, no alert of the first list qualifies: all were created before the command started. */
function isSince(alert: unknown, sinceMs: number | undefined): boolean {
  return sinceMs !== undefined && Date.parse(String(readField(alert, "createdAt"))) >= sinceMs;
}
