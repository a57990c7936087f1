/** Formats the values of a command for its help. */
import { findFormat } from "../flags/formats.ts";
import { GLOBAL_FLAGS } from "../flags/global-flags.ts";
import type { DefinedFlag } from "../model/command.ts";
import type { Input } from "../model/record.ts";

export type Row = readonly [term: string, text: string];

/** Formats a flag: `--to phone`, with its description and the constraints of its record. */
export function flagRow(input: Input): Row {
  return [`    ${flagTerm(input)}`, describe(input)];
}

export function argumentRow(input: Input): Row {
  return [`<${input.name}>`, describe(input)];
}

/** Formats the flag of a defined command. */
export function formatFlagRow({ flags, description, choices, repeatable }: DefinedFlag): Row {
  const plain = flags.replace(/[<>]/g, "");
  const marks = [description, ...oneOf(choices), ...(repeatable ? ["May be repeated."] : [])];
  return [plain.startsWith("--") ? `    ${plain}` : plain, marks.join(" ")];
}

/** Formats the allowed values as a sentence; empty if any value is allowed. */
export function oneOf(choices: readonly string[] | undefined): string[] {
  return choices === undefined ? [] : [`One of ${choices.join(", ")}.`];
}

function describe(input: Input): string {
  return [input.description, ...marks(input)].join(" ").trim();
}

/** Formats the global flags. A short form takes the place of the indent, so that all long forms are aligned. */
export function globalFlagRows(isShown: (flags: string) => boolean = () => true): Row[] {
  return GLOBAL_FLAGS.filter(({ flags }) => isShown(flags)).map(({ flags, description }) => {
    const plain = flags.replace(/[<>]/g, "");
    return [plain.startsWith("--") ? `    ${plain}` : plain, description];
  });
}

function flagTerm(input: Input): string {
  if (input.secret) return `--${input.name}-file path`;
  if (input.type === "boolean" && !input.repeatable) return `--[no-]${input.name}`;
  return `--${input.name} ${placeholder(input)}${input.repeatable ? " ..." : ""}`;
}

function placeholder({ type, format, enum: values }: Input): string {
  if (values !== undefined) return "enum";
  if (type === "integer-or-string") return "id";
  return type === "string" ? (findFormat(format)?.placeholder ?? "string") : type;
}

/** Help text for an input that msgctl reads from the service if the user omits it. */
export const FILLED = "If omitted, msgctl reads it from the service; --curl requires it.";

/** Formats constraints that the description does not already state. */
function marks(input: Input): string[] {
  const { enum: values, repeatable, default: fallback, description } = input;
  let said: ReadonlySet<string> | undefined;
  const isSaid = (value: unknown) => {
    said ??= new Set(description.match(/\w+(?:[.-]\w+)*/g));
    return value === 0 || said.has(String(value));
  };
  return [
    ...oneOf(values),
    ...bounds(input, isSaid),
    ...(repeatable ? ["May be repeated."] : []),
    ...(fallback === undefined || isSaid(fallback) ? [] : [`(default ${fallback})`]),
    ...(input.fill === undefined ? [] : [FILLED]),
  ];
}

/** Formats the input's limits as sentences, except for those that `isSaid` accepts. */
export function bounds(
  { minimum, maximum, maxLength, maxItems }: Input,
  isSaid: (value: unknown) => boolean,
): string[] {
  const texts = [];
  const lowest = minimum === undefined || isSaid(minimum) ? undefined : minimum;
  const highest = maximum === undefined || isSaid(maximum) ? undefined : maximum;
  if (lowest !== undefined && highest !== undefined) texts.push(`From ${lowest} to ${highest}.`);
  else if (lowest !== undefined) texts.push(`At least ${lowest}.`);
  else if (highest !== undefined) texts.push(`At most ${highest}.`);
  if (maxLength !== undefined && !isSaid(maxLength)) texts.push(`At most ${maxLength} characters.`);
  if (maxItems !== undefined && !isSaid(maxItems)) texts.push(`At most ${maxItems} values.`);
  return texts;
}
