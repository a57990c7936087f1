/** Prints what a command has: data on standard output, remarks on standard error. Loaded once there is something to print. */
import type { GlobalOptions } from "../global-flags.ts";
import type { Io } from "../io.ts";
import type { Output } from "../record.ts";
import type { Query } from "./query.ts";
import { render } from "./render.ts";
import { COLOURED, PLAIN } from "./style.ts";

export interface Shown {
  data: unknown;
  /** What is known of the data: its columns and its secrets. */
  output: Output;
  options: Pick<GlobalOptions, "output" | "columns" | "query" | "showSecrets" | "quiet">;
  /** The query of the options where it was read before; else it is read now. */
  query?: Query | undefined;
  /** Whether standard output is coloured. */
  isColoured: boolean;
  /** Said before the remarks about the data. */
  remarks?: readonly string[];
}

/** @throws {CliError} Where the query is none, or fails on the data. */
export async function show(
  { data, output, options, isColoured, remarks = [], ...shown }: Shown,
  io: Io,
): Promise<void> {
  const query = shown.query ?? (await readQuery(options.query));
  const rendered = await render(data, output, {
    format: options.output,
    columns: options.columns,
    showSecrets: options.showSecrets,
    query,
    style: isColoured ? COLOURED : PLAIN,
    width: io.stdout.isTTY ? io.stdout.columns : undefined,
    isTerminal: io.stdout.isTTY,
    zone: io.zoneOffsetMinutes,
  });
  if (rendered.stdout !== "") io.stdout.write(rendered.stdout);
  if (options.quiet) return;
  for (const remark of [...remarks, ...rendered.remarks]) io.stderr.write(`${remark}\n`);
}

async function readQuery(expression: string | undefined): Promise<Query | undefined> {
  if (expression === undefined) return undefined;
  const { requireQuery } = await import("./query.ts");
  return requireQuery(expression);
}
