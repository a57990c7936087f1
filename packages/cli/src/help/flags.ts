/** How the values of a command read in its help. */
import { formatOf } from "../formats.ts";
import { GLOBAL_FLAGS } from "../global-flags.ts";
import type { Input } from "../record.ts";

type Row = readonly [term: string, text: string];

/** `--to phone` with the description and everything the record says of its values. */
export function flagRow(input: Input): Row {
  return [`    ${flagTerm(input)}`, `${input.description} ${marks(input).join(" ")}`.trim()];
}

export function argumentRow(input: Input): Row {
  return [`<${input.name}>`, `${input.description} ${marks({ ...input, required: true }).join(" ")}`.trim()];
}

/** The flags of every command, set like the others: a short form stands where the others are indented. */
export function globalFlagRows(): Row[] {
  return GLOBAL_FLAGS.map(({ flags, description }) => {
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
  return type === "string" ? (formatOf(format)?.placeholder ?? "string") : type;
}

function marks(input: Input): string[] {
  const { enum: values, repeatable, default: fallback, required } = input;
  return [
    ...(values === undefined ? [] : [`One of ${values.join(", ")}.`]),
    ...bounds(input),
    ...(repeatable ? ["May be repeated."] : []),
    ...(fallback === undefined ? [] : [`(default ${fallback})`]),
    ...(required ? ["(required)"] : []),
  ];
}

function bounds({ minimum, maximum, maxLength, maxItems }: Input): string[] {
  const texts = [];
  if (minimum !== undefined && maximum !== undefined) texts.push(`From ${minimum} to ${maximum}.`);
  else if (minimum !== undefined && minimum !== 0) texts.push(`At least ${minimum}.`);
  else if (maximum !== undefined) texts.push(`At most ${maximum}.`);
  if (maxLength !== undefined) texts.push(`At most ${maxLength} characters.`);
  if (maxItems !== undefined) texts.push(`At most ${maxItems} values.`);
  return texts;
}
