/** Flags as commander options. A single-value flag given twice is refused: a dropped value is a number never called. */
import { Option } from "commander";
import { UsageError } from "../failures/errors.ts";

export interface FlagOption {
  description?: string;
  /** Whether it may be given several times; its value is then an array of texts. */
  repeatable?: boolean | undefined;
  /** The flag to use instead for several such values. */
  forSeveral?: string | undefined;
}

/** `flags` as commander takes them: `--port <number>`. */
export function flagOption(flags: string, { description, repeatable, forSeveral }: FlagOption = {}): Option {
  const option = new Option(flags, description);
  if (repeatable) return option.argParser((value: string, before: string[] = []) => [...before, value]);
  if (!option.required) return option;
  return option.argParser((value: string, before?: string) => {
    if (before !== undefined) throw createDuplicateError(option.long ?? flags, [before, value], forSeveral);
    return value;
  });
}

/** `--active` and `--no-active`, which exclude each other. */
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

/** The error for two values where one is allowed. A credential is never shown, whichever flag it was given to. */
export function createDuplicateError(flag: string, values: readonly string[], forSeveral?: string): UsageError {
  const isSecret = /--api-|mk[tms]_/.test([flag, ...values].join(" "));
  const quoted = values.map((value) => JSON.stringify(value.slice(0, LONGEST_QUOTE)));
  return new UsageError(`${flag} takes one value and was given two${isSecret ? "" : `: ${quoted.join(" and ")}`}`, [
    forSeveral === undefined
      ? `Give ${flag} once, and run the command once for each value.`
      : `Give ${forSeveral} for each value.`,
  ]);
}
