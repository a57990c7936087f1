import type { Input } from "../record.ts";
import type { WrittenFlag } from "./written-command.ts";

/** The flag of a record's input as that of a written command, which passes its value on. */
export function inputFlag({ name, description, enum: choices, repeatable, type }: Input): WrittenFlag {
  return {
    flags: type === "boolean" && !repeatable ? `--${name}` : `--${name} <value>`,
    description,
    ...(choices && { choices }),
    ...(repeatable && { repeatable }),
  };
}
