// Creates validators of JSON Schemas with the contract's formats, and compiles schemas on demand.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { isTimezone } from "@msgctl/contract/timezones";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { parsePhoneNumber } from "../../domain/phone-numbers.ts";
import { turnOver } from "../../platform/timers.ts";

const LARGEST_INT32 = 2_147_483_647;

/** Adds the contract's formats to a validator. They use the same rules as the operations. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat("e164", (value: string) => parsePhoneNumber(value) !== undefined);
  ajv.addFormat("email", (value: string) => parseEmailAddress(value) !== undefined);
  ajv.addFormat("iana-timezone", isTimezone);
  ajv.addFormat("date", fullFormats.date);
  ajv.addFormat("date-time", fullFormats["date-time"]);
  ajv.addFormat("uri", fullFormats.uri);
  ajv.addFormat("uri-reference", fullFormats["uri-reference"]);
  // JSON.parse rounds an integer that a double cannot hold, and the result is never a safe integer; the type check
  // refuses a number with a fraction
  ajv.addFormat("int64", {
    type: "number",
    validate: (value: number) => Number.isSafeInteger(value) || !Number.isInteger(value),
  });
  ajv.addFormat("int32", { type: "number", validate: (value: number) => Math.abs(value) <= LARGEST_INT32 });
  ajv.addFormat("double", { type: "number", validate: Number.isFinite });
}

/** Creates a validator that knows the schemas by their names. */
export function createAjv(schemas: Readonly<Record<string, object>>): Ajv2020 {
  const ajv = new Ajv2020({
    coerceTypes: false,
    allErrors: true,
    removeAdditional: false,
    useDefaults: true,
    verbose: true,
    strict: true,
    allowUnionTypes: true,
    // the contract's tests check the schemas against the meta-schema, which is slow to compile
    meta: false,
    validateSchema: false,
  });
  addFormats(ajv);
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  return ajv;
}

/** Returns the validator of a schema that was passed to `createAjv`. Compiles it at the first call. */
export function validatorOf(ajv: Ajv2020, name: string): ValidateFunction {
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`the document has no schema ${name}`);
  return validate;
}

/** Compiles schemas when they are first needed, or in idle turns after the start, so that the start is fast. */
export class Compilations {
  readonly #pending = new Set<() => unknown>();

  /** Returns a function that calls `compile` at its first call and caches the result. */
  later<T>(compile: () => T): () => T {
    let made: { value: T } | undefined;
    const make = () => {
      made ??= { value: compile() };
      this.#pending.delete(make);
      return made.value;
    };
    this.#pending.add(make);
    return make;
  }

  /** Compiles the remaining schemas one per turn, so that requests run in between. Throws if a schema is invalid. */
  async finish(): Promise<void> {
    for (const make of this.#pending) {
      make();
      await turnOver();
    }
  }
}
