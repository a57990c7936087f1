/** A written command as a commander command: its arguments, its flags, and its line once it was read. */
import { type Command, Option } from "commander";
import { type Fault, InputError } from "../errors.ts";
import { addGlobalFlags, collectGlobalFlags, isGlobalFlag } from "../global-flags.ts";
import type { Io } from "../io.ts";
import { didYouMean } from "../similar.ts";
import type { WrittenArgument, WrittenCommand, WrittenLine } from "./written-command.ts";

export function defineWritten(
  command: Command,
  written: WrittenCommand,
  io: Io,
  run: (line: WrittenLine) => Promise<void>,
): void {
  const { words, arguments: named, flags } = written;
  // Optional for commander: a missing one is reported as the contract's commands report it.
  for (const { name } of named) command.argument(`[${name}]`);
  const options = flags.map(({ flags: given, description, ...rest }) => ({
    option: new Option(given, description),
    ...rest,
  }));
  for (const { option, repeatable } of options) {
    if (repeatable) option.argParser((value: string, before: string[] = []) => [...before, value]);
    command.addOption(option);
  }
  addGlobalFlags(command);
  command.action(async () => {
    const missing = named.slice(command.args.length);
    const wrong = [
      ...named.flatMap(({ name, choices }, index) => choiceFaults(`<${name}>`, command.args[index], choices)),
      ...options.flatMap(({ option, choices }) => {
        return choiceFaults(option.long ?? option.flags, command.getOptionValue(option.attributeName()), choices);
      }),
    ];
    const globalFlags = collectGlobalFlags(command);
    const answers = wrong.length === 0 && missing.length > 0 ? await ask(missing, globalFlags, io) : [];
    if (wrong.length > 0 || answers === undefined) {
      const faults = missing.map(({ name, description }) => ({
        where: `<${name}>`,
        message: `missing: ${description}`,
      }));
      throw new InputError(wrong, faults, [`Run \`msgctl ${words} --help\`.`]);
    }
    const texts = [...command.args, ...answers];
    const own = Object.entries(command.opts()).filter(([name]) => !isGlobalFlag(name));
    await run({
      command: written,
      arguments: new Map(named.map(({ name }, index) => [name, texts[index] ?? ""])),
      flags: Object.fromEntries(own),
      globalFlags,
    });
  });
}

/** Undefined where nobody can be asked. */
async function ask(missing: readonly WrittenArgument[], globalFlags: Readonly<Record<string, unknown>>, io: Io) {
  const { askArguments } = await import("../runtime.ts");
  return askArguments(missing, globalFlags, io);
}

function choiceFaults(where: string, value: unknown, choices: readonly string[] | undefined): Fault[] {
  if (choices === undefined || value === undefined) return [];
  const values: unknown[] = Array.isArray(value) ? value : [value];
  return values.map(String).flatMap((text) => {
    if (choices.includes(text)) return [];
    const expected = `expected one of ${choices.join(", ")}${didYouMean(text, choices)}`;
    return [{ where, message: `received ${JSON.stringify(text)}; ${expected}` }];
  });
}
