import type { Input, OperationRecord } from "../record.ts";
import type { WrittenFlag } from "./written-command.ts";

/** The query values of an operation as flags of a written command, which passes them on. */
export function filterFlags({ inputs }: OperationRecord): WrittenFlag[] {
  return inputs.filter((input) => input.in === "query").map(flagOf);
}

function flagOf({ name, description, enum: choices, repeatable, type }: Input): WrittenFlag {
  return {
    flags: type === "boolean" && !repeatable ? `--${name}` : `--${name} <value>`,
    description,
    ...(choices && { choices }),
    ...(repeatable && { repeatable }),
  };
}
