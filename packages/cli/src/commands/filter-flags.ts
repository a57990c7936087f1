import type { DefinedFlag } from "../model/command.ts";
import type { Input, OperationRecord } from "../model/record.ts";

/** Returns the query inputs of an operation as flags of a defined command, which passes them on. */
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
