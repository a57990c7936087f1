/** Sets up a defined command in commander: its arguments, its flags, and the function that runs it. */
import type { Command } from "commander";
import { type Fault, InputError } from "./failures/errors.ts";
import { wordAmong } from "./failures/similar.ts";
import { flagOption } from "./flags/flag-option.ts";
import { addGlobalFlags, collectGlobalFlags, isGlobalFlag } from "./flags/global-flags.ts";
import { expectedWords } from "./flags/value.ts";
import type { CommandDefinition, CommandLine, DefinedArgument } from "./model/command.ts";
import type { Io } from "./process/io.ts";

export function defineCommand(
  command: Command,
  definition: CommandDefinition,
  io: Io,
  run: (line: CommandLine) => Promise<void>,
): void {
  const { words, arguments: named, flags } = definition;
  // Optional for commander, so that a missing argument is reported in the same way as by the contract's commands.
  for (const { name } of named) command.argument(`[${name}]`);
  const options = flags.map((flag) => ({ ...flag, option: flagOption(flag.flags, flag) }));
  for (const { option } of options) command.addOption(option);
  addGlobalFlags(command);
  command.action(async () => {
    const wrong: Fault[] = [];
    const given = named.slice(0, command.args.length);
    const texts = given.map(({ name, choices }, index) =>
      chosen(`<${name}>`, command.args[index] ?? "", choices, wrong),
    );
    const own = Object.entries(command.opts()).filter(([name]) => !isGlobalFlag(name));
    const flagValues = own.map(([name, value]) => {
      const { option, choices } = options.find(({ option }) => option.attributeName() === name) ?? {};
      return [name, choices === undefined ? value : chosen(option?.long ?? name, value, choices, wrong)] as const;
    });
    const isComplete = options.some(
      ({ option, replacesArguments }) => replacesArguments && command.opts()[option.attributeName()] === true,
    );
    const missing = isComplete ? [] : named.slice(command.args.length).filter(({ optional }) => !optional);
    const globalFlags = collectGlobalFlags(command);
    const answers = wrong.length === 0 && missing.length > 0 ? await ask(missing, globalFlags, io) : [];
    if (wrong.length > 0 || answers === undefined) {
      const faults = missing.map(({ name, description }) => ({
        where: `<${name}>`,
        message: `missing: ${description}`,
      }));
      throw new InputError(wrong, faults, [`Run \`msgctl ${words} --help\`.`]);
    }
    const all = [...texts, ...answers];
    await run({
      command: definition,
      arguments: new Map(named.map(({ name }, index) => [name, String(all[index] ?? "")])),
      flags: Object.fromEntries(flagValues),
      globalFlags,
    });
  });
}

/** Asks for the missing arguments. Returns undefined if the user cannot be asked. */
async function ask(missing: readonly DefinedArgument[], globalFlags: Readonly<Record<string, unknown>>, io: Io) {
  const { askArguments } = await import("./runtime.ts");
  return askArguments(missing, globalFlags, io);
}

/** Returns the value, or each element of a list, as spelled in `choices`. Adds a fault for a value that is not a choice. */
function chosen(where: string, value: unknown, choices: readonly string[] | undefined, wrong: Fault[]): unknown {
  if (Array.isArray(value)) return value.map((one) => chosen(where, one, choices, wrong));
  if (choices === undefined || typeof value !== "string") return value;
  const word = wordAmong(value, choices);
  if (word === undefined) {
    wrong.push({ where, message: `received ${JSON.stringify(value)}; expected ${expectedWords(choices, value)}` });
  }
  return word;
}
