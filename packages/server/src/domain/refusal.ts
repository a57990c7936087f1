// Refusals of requests, and lists of faults in them.

import type { ProblemCode } from "@msgctl/contract";
import { showText } from "./unicode.ts";

/** One fault of a request: where it is, which rule it breaks, and what is expected. */
export interface FieldFault {
  /** JSON Pointer into the body (`/toNumbers/3`), or `/path/…`, `/query/…`, `/header/…`. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Members that only some problems have. */
export interface ProblemExtras {
  readonly errors?: readonly FieldFault[];
  /** Number of faults that are not listed in `errors`. */
  readonly moreFaults?: number;
  readonly channel?: string;
  readonly available?: number;
  readonly required?: number;
  readonly suggestedLimit?: number;
  readonly merchantId?: string;
  readonly displayName?: string;
}

/**
 * A refusal with a problem code of the contract, and an explanation for the caller. Throw it before the first write of a
 * transaction, so that a refused request changes nothing.
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

/** Specific codes of field faults. If all faults share one of these, it becomes the code of the whole problem. */
const specificCodes = new Set<string>([
  "invalid_phone_number",
  "invalid_email",
  "invalid_timezone",
  "invalid_date_range",
  "idempotency_key_invalid",
]);

/** Most faults that a problem lists. */
const MOST_FAULTS = 100;
/** Keeps a problem below 64 KiB, even if quotation marks in its faults must be escaped. */
const LARGEST_FAULTS_BYTES = 40 * 1024;
const LONGEST_POINTER = 200;
const LONGEST_DETAIL = 1_000;

/** Faults beyond those that a problem lists. */
export interface OtherFaults {
  readonly count: number;
  /** All codes of these faults. */
  readonly codes: ReadonlySet<string>;
}

const none: OtherFaults = { count: 0, codes: new Set() };

/** The refusal for a request with faults. It counts all of them, and lists the first 100. */
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

/** Lists at most 100 faults, in at most 40 KiB, and counts the others. */
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
