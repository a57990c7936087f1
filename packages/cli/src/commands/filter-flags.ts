import type { DefinedFlag } from "../model/command.ts";
import type { Input, OperationRecord } from "../model/record.ts";

/** Returns a flag for each query parameter of the operation that a command names as its `filtersOf`. */
export function filterFlags({ inputs }: OperationRecord): DefinedFlag[] {
  return inputs.filter((input) => input.in === "query").map(toFlag);
}

function toFlag({ name, description, enum: choices, repeatable, type, complete }: Input): DefinedFlag {
  return {
    flags: type === "boolean" && !repeatable ? `--${name}` : `--${name} <value>`,
    description,
    ...(choices && { choices }),
    ...(repeatable && { repeatable }),
    ...(complete !== undefined && { complete }),
  };
}
