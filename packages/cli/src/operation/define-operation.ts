/** Turns a record into a commander command: its arguments, its flags, and the values parsed from the line. */

import type { Command, Option } from "commander";
import { UsageError } from "../failures/errors.ts";
import { readMessage } from "../failures/thrown.ts";
import { flagOption, switchOptions } from "../flags/flag-option.ts";
import { addGlobalFlags, collectGlobalFlags } from "../flags/global-flags.ts";
import { readText } from "../flags/read-text.ts";
import type { Input, OperationRecord } from "../model/record.ts";
import type { RawValues } from "../model/request.ts";
import type { Io } from "../process/io.ts";
import type { Invocation } from "./run-operation.ts";
import { listWaitFlags } from "./wait-flags.ts";

/** Adds the record's arguments and flags to `command`. `run` is called with the line's values, unchecked. */
export function defineOperation(
  command: Command,
  record: OperationRecord,
  io: Io,
  run: (invocation: Invocation) => Promise<void>,
): void {
  const positional = record.inputs.filter((input) => input.positional);
  // Optional for commander, so that a missing argument is reported together with all other missing values.
  for (const { name, repeatable } of positional) command.argument(`[${name}${repeatable ? "..." : ""}]`);
  for (const input of record.inputs) if (!input.positional) addFlag(command, input, record);
  const waitOptions = listWaitFlags(record).map(({ flags }) => flagOption(flags));
  for (const option of waitOptions) command.addOption(option);
  addGlobalFlags(command);
  command.action(async () => {
    refuseSharedInput(record, command);
    const values = new Map([...readArguments(positional, command), ...(await readFlags(record, command, io))]);
    await run({ record, values, flags: { ...collectGlobalFlags(command), ...collectOptions(waitOptions, command) } });
  });
}

function collectOptions(options: readonly Option[], command: Command): Record<string, unknown> {
  const values = options.map(
    (option) => [option.attributeName(), command.getOptionValue(option.attributeName())] as const,
  );
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** Returns the key of a flag's value in commander: `toNumbers` for `--to-numbers`. */
function camelCase(name: string): string {
  return name.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}

function addFlag(command: Command, { name, type, repeatable, secret }: Input, { inputs }: OperationRecord): void {
  if (type === "boolean" && !repeatable && !secret) {
    for (const option of switchOptions(name)) command.addOption(option);
    return;
  }
  const several = inputs.find((input) => input.repeatable && input.name === `${name}s`);
  const forSeveral = several && `--${several.name}`;
  command.addOption(flagOption(secret ? `--${name}-file <path>` : `--${name} <value>`, { repeatable, forSeveral }));
}

function readArguments(positional: readonly Input[], command: Command): [string, string | string[]][] {
  return positional.flatMap(({ name, repeatable }, index): [string, string | string[]][] => {
    const texts = repeatable ? command.args.slice(index) : command.args.slice(index, index + 1);
    const [first] = texts;
    return first === undefined ? [] : [[name, repeatable ? texts : first]];
  });
}

async function readFlags(record: OperationRecord, command: Command, io: Io): Promise<RawValues> {
  const given = command.opts<Record<string, string | boolean | string[] | undefined>>();
  const values = new Map<string, string | boolean | readonly string[]>();
  for (const { name, secret, positional } of record.inputs) {
    const value = positional ? undefined : given[camelCase(secret ? `${name}-file` : name)];
    if (value !== undefined) values.set(name, secret ? await readSecret(name, String(value), io) : value);
  }
  return values;
}

/** Refuses two flags that read standard input: the second one would get nothing. */
function refuseSharedInput({ inputs }: OperationRecord, command: Command): void {
  const own: Record<string, unknown> = command.opts();
  const given: Record<string, unknown> = { ...own, bodyFile: collectGlobalFlags(command).bodyFile };
  const flags = [...inputs.filter(({ secret }) => secret).map(({ name }) => `${name}-file`), "body-file"];
  const readers = flags.filter((flag) => given[camelCase(flag)] === "-").map((flag) => `--${flag}`);
  if (readers.length < 2) return;
  throw new UsageError(`${readers.join(" and ")} both read standard input (-), which can be read only once`, [
    "Give all but one of them the path of a file.",
  ]);
}

/** Reads a secret from a file or standard input (`-`). A command line would expose it to other users and to the history. */
async function readSecret(name: string, path: string, io: Io): Promise<string> {
  try {
    return withoutLineEnd(await readText(path, io));
  } catch (error) {
    throw new UsageError(`--${name}-file: ${JSON.stringify(path)} ${readMessage(error)}`, [
      "Give the path of a file, or - for standard input.",
    ]);
  }
}

function withoutLineEnd(text: string): string {
  return text.replace(/\r?\n$/, "");
}
