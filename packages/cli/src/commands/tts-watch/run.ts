import { CliError } from "../../failures/errors.ts";
import type { CommandRun } from "../../model/catalog.ts";
import { readWaitTimeout } from "../../operation/wait-options.ts";
import { readField } from "../../output/fields.ts";
import { compactJson } from "../../output/json/json.ts";
import { EXIT } from "../../process/exit-codes.ts";
import { follow, MINUTES } from "../../waiting/follow.ts";
import { createLiveLine } from "../../waiting/live-line.ts";
import { openRead } from "../../waiting/open-read.ts";
import { batchLine } from "./batch-line.ts";

export const runTtsWatch: CommandRun = async (line, io, context) => {
  const [submission, record] = await Promise.all([
    context.catalog.record("createTtsCalls"),
    context.catalog.record("getTtsBatchSummary"),
  ]);
  const batchId = line.arguments.get("batch-id") ?? "";
  const wrong: { where: string; message: string }[] = [];
  const timeoutMs = readWaitTimeout(line.flags.waitTimeout, wrong);
  const values = new Map([["batch-id", batchId]]);
  const opened = await openRead({ record, values, wrong }, line, io, context);
  if (opened === undefined) return;
  const { options, read, print, command } = opened;
  const { until = [], failed = [] } = submission.wait ?? {};
  const readState = (view: unknown) => String(readField(view, "status"));
  // do not rewrite a line on a terminal that also shows data lines: they would overwrite each other
  const isStreamed = options.output === "jsonl";
  const verbose = options.verbose || (isStreamed && io.stdout.isTTY);
  const live = createLiveLine(io.stderr, { quiet: options.quiet, verbose, isLogged: !isStreamed });
  let first: unknown;
  let firstAtMs = 0;
  let printed: string | undefined;
  const subject = `batch ${batchId}`;
  const again = command("tts", "watch", batchId);
  const final = await follow(
    {
      ...{ subject, again, read, pace: MINUTES, timeoutMs, line: live, hasAnswered: false, stateOf: readState },
      isOver: (view) => until.includes(readState(view)) || (isStreamed && io.outputEnd.aborted),
      async onRead(view) {
        const atMs = io.clock.now();
        if (first === undefined) [first, firstAtMs] = [view, atMs];
        live.show(batchLine(view, { first, elapsedMs: atMs - firstAtMs }));
        const text = compactJson(view);
        if (!isStreamed || text === printed) return;
        printed = text;
        await print(view);
      },
    },
    io,
  );
  if (!isStreamed) await print(final);
  const state = readState(final);
  if (!failed.includes(state)) return;
  const calls = `${String(readField(final, "failed"))} of ${String(readField(final, "totalCalls"))} calls failed`;
  throw new CliError(EXIT.partial, "calls_failed", `${subject} ended as ${state}: ${calls}`, {
    hints: [`See which with \`${command("tts", "numbers", batchId, "--status", "FAILED")}\`.`],
  });
};
