// Creates validators of JSON Schemas with the contract's formats, and compiles schemas on demand.

import { parseEmailAddress } from "@msgctl/contract/email-addresses";
import { isTimezone } from "@msgctl/contract/timezones";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { parsePhoneNumber } from "../../domain/phone-numbers.ts";
import { turnOver } from "../../platform/timers.ts";

const LARGEST_INT32 = 2_147_483_647;

/** Adds the contract's formats to a validator, with the same rules that the operations use. */
export function addFormats(ajv: Ajv2020): void {
  ajv.addFormat("e164", (value: string) => parsePhoneNumber(value) !== undefined);
  ajv.addFormat("email", (value: string) => parseEmailAddress(value) !== undefined);
  ajv.addFormat("iana-timezone", isTimezone);
  ajv.addFormat("date", fullFormats.date);
  ajv.addFormat("date-time", fullFormats["date-time"]);
  ajv.addFormat("uri", fullFormats.uri);
  ajv.addFormat("uri-reference", fullFormats["uri-reference"]);
  // JSON.parse has already rounded what a double cannot hold, and the result is never a safe integer; a number with a
  // fraction is left to the type check
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

/** Returns the validator of a schema that `createAjv` was given. Compiles it the first time. */
export function validatorOf(ajv: Ajv2020, name: string): ValidateFunction {
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`the document has no schema ${name}`);
  return validate;
}

/** Compiles schemas when they are first needed, or between other work after the start, to keep the start short. */
export class Compilations {
  readonly #pending = new Set<() => unknown>();

  /** Returns a function that calls `compile` once, at its first call, and caches the result. */
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

  /** Compiles the remaining schemas, one at a time, with requests in between. Throws if a schema cannot be compiled. */
  async finish(): Promise<void> {
    for (const make of this.#pending) {
      make();
      await turnOver();
    }
  }
}
