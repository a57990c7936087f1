/** A written command as a commander command: its arguments, its flags, and its line once it was read. */
import type { Command } from "commander";
import { InputError } from "../errors.ts";
import { addGlobalFlags, collectGlobalFlags, isGlobalFlag } from "../global-flags.ts";
import type { WrittenCommand, WrittenLine } from "./written-command.ts";

export function defineWritten(
  command: Command,
  { words, arguments: named, flags }: WrittenCommand,
  run: (line: WrittenLine) => Promise<void>,
): void {
  // Optional for commander: a missing one is reported as the contract's commands report it.
  for (const { name } of named) command.argument(`[${name}]`);
  for (const { flags: given, description } of flags) command.option(given, description);
  addGlobalFlags(command);
  command.action(async () => {
    const missing = named.slice(command.args.length);
    if (missing.length > 0) {
      const faults = missing.map(({ name, description }) => ({
        where: `<${name}>`,
        message: `missing: ${description}`,
      }));
      throw new InputError([], faults, [`Run \`msgctl ${words} --help\`.`]);
    }
    const own = Object.entries(command.opts()).filter(([name]) => !isGlobalFlag(name));
    await run({
      arguments: new Map(named.map(({ name }, index) => [name, command.args[index] ?? ""])),
      flags: Object.fromEntries(own),
      globalFlags: collectGlobalFlags(command),
    });
  });
}
