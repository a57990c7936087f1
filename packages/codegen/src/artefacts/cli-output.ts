// The output of a command: the kind of its answer, the fields that a table may show, and the secret fields.
import { alternatives, type Contract, type Operation, resolve, type Schema } from "../model.ts";

/** The output, as packages/cli/src/model/record.ts declares it. */
export interface CliOutput {
  kind: "object" | "list" | "text" | "none";
  columns: string[];
  fields: string[];
  secrets: string[];
}

type Schemas = Pick<Contract, "schemas">;

export function outputOf(contract: Schemas, { success, command }: Operation): CliOutput {
  const view = success.schemaName === undefined ? undefined : contract.schemas[success.schemaName];
  return {
    kind: kindOf(success),
    columns: command.columns,
    fields: view === undefined ? [] : fieldsOf(contract, view),
    secrets: view === undefined ? [] : secretsOf(contract, view),
  };
}

function kindOf({ isArray, schemaName, mediaType }: Operation["success"]): CliOutput["kind"] {
  if (isArray) return "list";
  if (schemaName !== undefined) return "object";
  return mediaType === undefined ? "none" : "text";
}

/** Dotted names of a view's fields, including those inside objects, but not those inside lists. */
function fieldsOf(contract: Schemas, view: Schema, prefix = ""): string[] {
  return properties(contract, view).flatMap(([name, schema]) => {
    const nested = fieldsOf(contract, schema, `${prefix}${name}.`);
    return nested.length > 0 ? nested : [prefix + name];
  });
}

/** Dotted names of a view's secret fields, including those inside the elements of lists. */
function secretsOf(contract: Schemas, view: Schema, prefix = ""): string[] {
  return properties(contract, view).flatMap(([name, schema]) => {
    if (resolve(contract, schema)["x-secret"]) return [prefix + name];
    const inside = resolve(contract, schema).items ?? schema;
    return secretsOf(contract, inside, `${prefix}${name}.`);
  });
}

function properties(contract: Schemas, schema: Schema): [string, Schema][] {
  const target = resolve(contract, schema);
  return [
    ...Object.entries(target.properties ?? {}),
    ...alternatives(target).flatMap((part) => properties(contract, part)),
  ];
}
