// What a long body costs to parse and validate, in one function: the built server runs it in a thread, as that may take 100 ms.

import type { Ajv2020 } from "ajv/dist/2020.js";
import { type FieldFault, listFaults, type OtherFaults, Refusal, refuseFaults } from "../../rules/refusal.ts";
import { validatorOf } from "../validation/ajv.ts";
import { joinFaults, toFaults } from "../validation/faults.ts";
import { parseBody } from "./json.ts";

/** The faults of a body, as far as they are known before its request is validated. */
export interface BodyFaults {
  /** Whether the body was validated, not only parsed. */
  readonly isValidated: boolean;
  readonly faults: readonly FieldFault[];
  /** Those beyond what a problem tells. */
  readonly others?: OtherFaults;
}

/** What crosses between threads: plain values alone. */
export type BodyAnswer =
  | { readonly refused: Pick<Refusal, "code" | "message" | "extras"> }
  /** The value with its defaults. Of one with faults, the members without any, and null for the others. */
  | { readonly value: unknown; readonly found: BodyFaults };

/** Parses and validates a body of a tenant; `schema` is the name of its schema, null where any is taken. */
export type BodyCheck = (
  schema: string | null,
  bytes: Uint8Array<ArrayBuffer>,
  tenantId: number,
) => BodyAnswer | Promise<BodyAnswer>;

/**
 * The contract's largest body has 10 100 values. JSON.parse takes 20 ms at worst for this many, but up to 0.3 s and 100 MB
 * for what fits into 2 MiB.
 */
export const MOST_VALUES = 12_000;

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c];
const [OPEN_BRACKET, OPEN_BRACE] = [0x5b, 0x7b];

export function createBodyCheck(ajv: () => Ajv2020): (schema: string | null, bytes: Uint8Array) => BodyAnswer {
  return (schema, bytes) => {
    try {
      requireFewValues(bytes);
      const { value, malformed } = parseBody(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
      const validate = schema === null ? undefined : validatorOf(ajv(), schema);
      const isValid = validate === undefined || validate(value);
      const faults = isValid ? malformed : joinFaults(malformed, toFaults(validate, ""));
      if (faults.length === 0) return { value, found: { isValidated: true, faults } };
      const { errors = [], moreFaults = 0 } = listFaults(faults);
      const others = { count: moreFaults, codes: new Set(faults.map(({ code }) => code)) };
      return {
        value: withoutFaulty(value, faults, validate?.schema),
        found: { isValidated: true, faults: errors, others },
      };
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const { code, message, extras } = error;
      return { refused: { code, message, extras } };
    }
  };
}

/** Refuses a body, valid or not, with more values than any of the contract, before they take memory. */
function requireFewValues(bytes: Uint8Array): void {
  const values = countValues(bytes);
  if (values <= MOST_VALUES) return;
  const detail = `The body has ${values} items of lists and members of objects; at most ${MOST_VALUES} are read, which is more than any request needs.`;
  throw refuseFaults([{ pointer: "", code: "too_many", detail }]);
}

/** Counts items of lists and members of objects; an empty list or object counts as one. */
function countValues(bytes: Uint8Array): number {
  let count = 0;
  let isInText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) isInText = !isInText;
    else if (isInText) at += byte === BACKSLASH ? 1 : 0;
    else if (byte === COMMA || byte === OPEN_BRACKET || byte === OPEN_BRACE) count += 1;
  }
  return count;
}

/** Returns what the checks beyond the schema may look at. It has no more than the schema allows. */
function withoutFaulty(value: unknown, faults: readonly FieldFault[], schema: unknown): unknown {
  if (typeof value !== "object" || value === null) return null;
  const { properties = {} } = Object(schema) as { readonly properties?: object };
  const faulty = new Set(faults.map(({ pointer }) => pointer.split("/", 2)[1]));
  const members = Object.keys(properties).filter((name) => Object.hasOwn(value, name));
  return Object.fromEntries(
    members.map((name) => [name, faulty.has(name) ? null : (value as Record<string, unknown>)[name]]),
  );
}
