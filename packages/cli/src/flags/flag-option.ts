/** Flags as commander options. A single-value flag that is given twice is refused, so that no value is dropped silently. */
import { Option } from "commander";
import { UsageError } from "../failures/errors.ts";

export interface FlagOption {
  description?: string;
  /** Whether the flag may be given several times; its value is then an array of texts. */
  repeatable?: boolean | undefined;
  /** The flag to suggest if this flag is given several times. */
  forSeveral?: string | undefined;
}

/** Creates an option. `flags` is in commander's syntax: `--port <number>`. */
export function flagOption(flags: string, { description, repeatable, forSeveral }: FlagOption = {}): Option {
  const option = new Option(flags, description);
  if (repeatable) return option.argParser((value: string, before: string[] = []) => [...before, value]);
  if (!option.required) return option;
  return option.argParser((value: string, before?: string) => {
    if (before !== undefined) throw createDuplicateError(option.long ?? flags, [before, value], forSeveral);
    return value;
  });
}

/** Creates the options of a switch, such as `--active` and `--no-active`, which exclude each other. */
export function switchOptions(name: string): Option[] {
  return [true, false].map((meant) => {
    const [flag, other] = [`--${meant ? "" : "no-"}${name}`, `--${meant ? "no-" : ""}${name}`];
    return new Option(flag).argParser((_, before?: boolean) => {
      if (before === !meant) throw new UsageError(`${flag} contradicts ${other}`, ["Give one of them."]);
      return meant;
    });
  });
}

const LONGEST_QUOTE = 60;

/** Creates the error for a flag given twice. It never shows a credential, even one given to the wrong flag. */
export function createDuplicateError(flag: string, values: readonly string[], forSeveral?: string): UsageError {
  const isSecret = /--api-|mk[tms]_/.test([flag, ...values].join(" "));
  const quoted = values.map((value) => JSON.stringify(value.slice(0, LONGEST_QUOTE)));
  return new UsageError(`${flag} takes one value and was given two${isSecret ? "" : `: ${quoted.join(" and ")}`}`, [
    forSeveral === undefined
      ? `Give ${flag} once, and run the command once for each value.`
      : `Give ${forSeveral} for each value.`,
  ]);
}
