// Refusals of requests, and the faults that they name.

import type { ProblemCode } from "@msgctl/contract";
import { showText } from "./unicode.ts";

/** One fault of a request: its position, the rule that it breaks, and the allowed values. */
export interface FieldFault {
  /** JSON Pointer into the body (`/toNumbers/3`), or `/path/…`, `/query/…`, `/header/…`. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Members that a problem carries beside the ones every problem has. */
export interface ProblemExtras {
  readonly errors?: readonly FieldFault[];
  /** Number of faults beside those in `errors`. */
  readonly moreFaults?: number;
  readonly channel?: string;
  readonly available?: number;
  readonly required?: number;
  readonly suggestedLimit?: number;
  readonly merchantId?: string;
  readonly displayName?: string;
}

/**
 * A refusal in the contract's terms: a code of its own, and words for the caller.
 * Thrown before the first write of a transaction, so that a refused request changes nothing.
 */
export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;

  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}, options?: ErrorOptions) {
    super(detail, options);
    this.code = code;
    this.extras = extras;
  }
}

/** Codes that name a fault of one field so well that they become the whole problem's code when all faults share them. */
const specificCodes = new Set<string>([
  "invalid_phone_number",
  "invalid_email",
  "invalid_timezone",
  "invalid_date_range",
  "idempotency_key_invalid",
]);

/** Faults that a problem names. */
const MOST_FAULTS = 100;
/** Keeps a problem within 64 KiB, for any quotes in its faults. */
const LARGEST_FAULTS_BYTES = 40 * 1024;
const LONGEST_POINTER = 200;
const LONGEST_DETAIL = 1_000;

/** Faults beyond those that a problem lists. */
export interface OtherFaults {
  readonly count: number;
  /** All that they have. */
  readonly codes: ReadonlySet<string>;
}

const none: OtherFaults = { count: 0, codes: new Set() };

/** The refusal for a request with faults, all of them at once, of which the first 100 are listed. */
export function refuseFaults(faults: readonly FieldFault[], others = none): Refusal {
  const count = faults.length + others.count;
  const codes = new Set([...faults.map((fault) => fault.code), ...others.codes]);
  const [first] = codes;
  const shared = first !== undefined && codes.size === 1 && specificCodes.has(first);
  const code = shared ? (first as ProblemCode) : "validation_error";
  const counted = count === 1 ? "1 fault" : `${count} faults`;
  const extras = listFaults(faults, others.count);
  const more = extras.moreFaults === undefined ? "" : `, which has the first ${extras.errors?.length}`;
  return new Refusal(code, `The request has ${counted}: see errors${more}.`, extras);
}

/** The faults as a problem lists them: at most 100, in at most 40 KiB, and the number of the others. */
export function listFaults(faults: readonly FieldFault[], others = 0): Pick<ProblemExtras, "errors" | "moreFaults"> {
  const errors: FieldFault[] = [];
  let bytes = 0;
  for (const { pointer, code, detail } of faults.slice(0, MOST_FAULTS)) {
    const fault = { pointer: showText(pointer, LONGEST_POINTER), code, detail: showText(detail, LONGEST_DETAIL) };
    bytes += Buffer.byteLength(JSON.stringify(fault));
    if (bytes > LARGEST_FAULTS_BYTES) break;
    errors.push(fault);
  }
  const moreFaults = faults.length + others - errors.length;
  return moreFaults === 0 ? { errors } : { errors, moreFaults };
}
