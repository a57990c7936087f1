import { schemas } from "@msgctl/contract/schemas";
import { Ajv2020 } from "ajv/dist/2020.js";
import { addFormats } from "./formats.ts";

/** Creates a check that lists a value's deviations from a component schema of the contract, such as `MerchantView`. */
export function createSchemaCheck(): (schemaName: string, value: unknown) => string[] {
  const ajv = new Ajv2020({ allErrors: true, strict: true, allowUnionTypes: true });
  addFormats(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);

  return (schemaName, value) => {
    const validate = ajv.getSchema(schemaName);
    if (validate === undefined) throw new Error(`the contract has no schema ${schemaName}`);
    if (validate(value)) return [];
    return (validate.errors ?? []).map(({ instancePath, message }) => `${schemaName}${instancePath} ${message}`);
  };
}
