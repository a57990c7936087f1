/** A flag as commander takes it. What cannot count twice is refused the second time: a value that is dropped is a number never called. */
import { Option } from "commander";
import { UsageError } from "../failures/errors.ts";

export interface FlagOption {
  description?: string;
  /** It may be given several times; its value is then an array of texts. */
  repeatable?: boolean | undefined;
  /** The flag that takes several values of the kind that this one takes one of. */
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

/** `--active` and `--no-active`, of which a line says one. */
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

/** What to say of two values where there is room for one. Nothing of a credential is shown, whatever flag it was put behind. */
export function createDuplicateError(flag: string, values: readonly string[], forSeveral?: string): UsageError {
  const isSecret = /--api-|mk[tms]_/.test([flag, ...values].join(" "));
  const quoted = values.map((value) => JSON.stringify(value.slice(0, LONGEST_QUOTE)));
  return new UsageError(`${flag} takes one value and was given two${isSecret ? "" : `: ${quoted.join(" and ")}`}`, [
    forSeveral === undefined
      ? `Give ${flag} once, and run the command once for each value.`
      : `Give ${forSeveral} for each value.`,
  ]);
}
