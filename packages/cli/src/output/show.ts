/** Prints data on standard output and remarks on standard error. Loaded only when there is something to print. */

import { CliError } from "../failures/errors.ts";
import type { Output } from "../model/record.ts";
import { isAutomated } from "../process/config.ts";
import { EXIT } from "../process/exit-codes.ts";
import { canRewrite, type Io } from "../process/io.ts";
import type { Format } from "./format.ts";
import { printable } from "./printable.ts";
import type { Query } from "./query/query.ts";
import { render } from "./render.ts";
import { COLOURED, PLAIN } from "./text/style.ts";

/** The global flags about printing. */
export interface ShowOptions {
  output: Format;
  columns: readonly string[] | undefined;
  showSecrets: boolean;
  quiet: boolean;
}

export interface Shown {
  data: unknown;
  /** Describes the columns and secrets of the data. */
  output: Output;
  options: ShowOptions;
  /** The compiled `--query`. */
  query: Query | undefined;
  /** Whether standard output is coloured. */
  isColoured: boolean;
  /** Remarks to print before those about the data. */
  remarks?: readonly string[];
  /** Whether to use the pager for a list that is longer than the screen. */
  isPaged?: boolean;
}

/** @throws {CliError} If the query fails on the data. */
export async function show(
  { data, output, options, query, isColoured, remarks = [], isPaged }: Shown,
  io: Io,
): Promise<void> {
  const rendered = await render(data, output, {
    format: options.output,
    columns: options.columns,
    showSecrets: options.showSecrets,
    query,
    style: isColoured ? COLOURED : PLAIN,
    width: io.stdout.isTTY ? io.stdout.columns : undefined,
    isTerminal: io.stdout.isTTY,
    zone: io.zoneOffsetMinutes,
    nowMs: io.stdout.isTTY ? io.clock.now() : undefined,
  });
  const isLong = isPaged && output.kind === "list" && options.output === "table" && exceedsScreen(rendered.stdout, io);
  const isShown = isLong && (await io.page(rendered.stdout));
  if (isShown && io.signal.aborted) throw new CliError(EXIT.interrupted, "interrupted", "interrupted");
  if (rendered.stdout !== "" && !isShown) io.stdout.write(rendered.stdout);
  if (options.quiet) return;
  for (const remark of [...remarks, ...rendered.remarks]) io.stderr.write(`${printable(remark)}\n`);
}

function exceedsScreen(text: string, { stdout, env }: Io): boolean {
  if (!canRewrite(stdout) || stdout.rows === undefined || isAutomated(env)) return false;
  return text.split("\n").length > stdout.rows;
}
