/** The flags that every command has. */
import type { Command, Option } from "commander";
import { FORMATS, type Format } from "../output/format.ts";
import { createDuplicateError, flagOption } from "./flag-option.ts";

interface GlobalFlag {
  flags: string;
  description: string;
  repeatable?: true;
}

export const OUTPUT_FORMATS: readonly Format[] = FORMATS;
export const DEFAULT_TIMEOUT_SECONDS = 60;

export const GLOBAL_FLAGS: readonly GlobalFlag[] = [
  { flags: "--profile <name>", description: "Profile to use; demo is the demo server started in this folder." },
  { flags: "--base-url <url>", description: "Address of the service, without /api/v1." },
  { flags: "-o, --output <format>", description: `${listFormats()}. (default table, or MSGCTL_OUTPUT)` },
  { flags: "--columns <names>", description: "Fields to show in a table or as csv, separated by commas." },
  {
    flags: "-q, --query <expression>",
    description: "JMESPath expression that picks parts of the response, such as [].status.",
  },
  { flags: "--out <file>", description: "Write the data to a file that only you can read." },
  {
    flags: "--body-file <path>",
    description: "JSON file of the request body, - for standard input. Flags and --set override it.",
  },
  {
    flags: "--set <path=value>",
    description: "Field of the request body, such as labels.0=new. May be repeated.",
    repeatable: true,
  },
  { flags: "--dry-run", description: "Show what would be sent, without sending it." },
  { flags: "--curl", description: "Print a curl command instead of sending the request." },
  { flags: "--idempotency-key <key>", description: "Key that makes it safe to repeat a write. (default a new one)" },
  { flags: "--timeout <seconds>", description: `Seconds to wait for a response. (default ${DEFAULT_TIMEOUT_SECONDS})` },
  { flags: "--retries <count>", description: "Number of retries. (default 2)" },
  { flags: "-v, --verbose", description: "Print requests and responses on standard error." },
  { flags: "--quiet", description: "Print data and errors only." },
  { flags: "--no-color", description: "Print without colour; NO_COLOR does the same." },
  { flags: "--show-secrets", description: "Print secrets instead of masking them." },
  { flags: "--no-input", description: "Never ask; fail if a value is missing." },
  { flags: "-y, --yes", description: "Answer yes to every confirmation." },
];

/** `table, json, jsonl, yaml, csv or raw` */
export function listFormats(): string {
  return `${FORMATS.slice(0, -1).join(", ")} or ${FORMATS.at(-1)}`;
}

/** Registers the flags. They may come before or after the command's words. */
export function addGlobalFlags(command: Command): void {
  for (const option of globalOptions()) command.addOption(option);
}

let options: readonly Option[] | undefined;

/** The options, created once and shared by root, groups and commands. */
function globalOptions(): readonly Option[] {
  options ??= GLOBAL_FLAGS.map((flag) => flagOption(flag.flags, flag));
  return options;
}

/** Whether every command has the flag with this camel-case name. */
export function isGlobalFlag(name: string): boolean {
  globalNames ??= new Set(globalOptions().map((option) => option.attributeName()));
  return globalNames.has(name);
}

let globalNames: ReadonlySet<string> | undefined;

/**
 * Collects the values that commander read for the global flags, whether given before or after the command's words. Values of
 * a repeatable flag are in the order from the root to the command.
 *
 * @throws {UsageError} If a flag that takes one value is given two.
 */
export function collectGlobalFlags(command: Command): Record<string, unknown> {
  const chain: Command[] = [];
  for (let current: Command | null = command; current !== null; current = current.parent) chain.unshift(current);
  const flags: Record<string, unknown> = {};
  for (const link of chain) {
    for (const [name, value] of Object.entries(link.opts())) {
      // The default of a --no- flag must not override the flag if it was given earlier on the line.
      if (!isGlobalFlag(name) || link.getOptionValueSource(name) !== "cli") continue;
      const before = flags[name];
      if (typeof before === "string") throw createDuplicateError(findLongName(name), [before, String(value)]);
      flags[name] = Array.isArray(before) && Array.isArray(value) ? [...before, ...value] : value;
    }
  }
  return flags;
}

function findLongName(name: string): string {
  return globalOptions().find((option) => option.attributeName() === name)?.long ?? name;
}
