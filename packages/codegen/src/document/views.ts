import { alternatives, type Contract, type Operation, resolve, type Schema } from "../model.ts";

type Schemas = Pick<Contract, "schemas">;

/** The view an operation replies with, or the element of the list it replies with; undefined for text or no reply. */
export function viewOf({ success }: Operation, { schemas }: Schemas): Schema | undefined {
  return success.schemaName === undefined ? undefined : schemas[success.schemaName];
}

/**
 * The schema of a field inside a view, or undefined when there is no such field. A dot in the path descends into an
 * object, but not into a list of objects: a table cell cannot show a field of several objects.
 */
export function fieldOf(contract: Schemas, view: Schema, path: string): Schema | undefined {
  let schema: Schema | undefined = view;
  for (const name of path.split(".")) {
    const properties = propertiesOf(contract, schema);
    schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  }
  return schema;
}

/** The properties of an object schema, following references and alternatives. */
export function propertiesOf(contract: Schemas, schema: Schema | undefined): Record<string, Schema> {
  if (schema === undefined) return {};
  const target = resolve(contract, schema);
  const parts = [...alternatives(target), ...(target.allOf ?? [])];
  return Object.assign({}, target.properties, ...parts.map((part) => propertiesOf(contract, part)));
}
