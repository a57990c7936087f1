/** Prints data on standard output and remarks on standard error. Loaded once there is something to print. */

import type { Output } from "../model/record.ts";
import type { Io } from "../process/io.ts";
import type { Format } from "./format.ts";
import { printable } from "./printable.ts";
import type { Query } from "./query/query.ts";
import { render } from "./render.ts";
import { COLOURED, PLAIN } from "./text/style.ts";

/** The flags that say how to print. */
export interface ShowOptions {
  output: Format;
  columns: readonly string[] | undefined;
  showSecrets: boolean;
  quiet: boolean;
}

export interface Shown {
  data: unknown;
  /** What is known about the data: its columns and its secrets. */
  output: Output;
  options: ShowOptions;
  /** The compiled `--query`. */
  query: Query | undefined;
  /** Whether standard output is coloured. */
  isColoured: boolean;
  /** Printed before the remarks about the data. */
  remarks?: readonly string[];
}

/** @throws {CliError} When the query fails on the data. */
export async function show({ data, output, options, query, isColoured, remarks = [] }: Shown, io: Io): Promise<void> {
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
  if (rendered.stdout !== "") io.stdout.write(rendered.stdout);
  if (options.quiet) return;
  for (const remark of [...remarks, ...rendered.remarks]) io.stderr.write(`${printable(remark)}\n`);
}
