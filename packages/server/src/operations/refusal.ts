import type { ProblemCode } from "@msgctl/contract";

/** One fault of a request: where it is, which rule it breaks, and what is allowed. */
export interface FieldFault {
  /** JSON Pointer into the body (`/toNumbers/3`), or `/path/…`, `/query/…`, `/header/…`. */
  readonly pointer: string;
  readonly code: string;
  readonly detail: string;
}

/** Members that a problem carries beside the ones every problem has. */
export interface ProblemExtras {
  readonly errors?: readonly FieldFault[];
  readonly channel?: string;
  readonly available?: number;
  readonly required?: number;
}

/**
 * An answer of "no" that the contract knows: a code of its own, and words for the person who asked.
 * Thrown before the first write of a unit of work, so that a refused request changes nothing.
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

/** The refusal for a request with faults, all of them at once. */
export function refuseFaults(faults: readonly FieldFault[]): Refusal {
  const [first] = faults;
  const shared =
    first !== undefined && faults.every((fault) => fault.code === first.code) && specificCodes.has(first.code);
  const code = shared ? (first.code as ProblemCode) : "validation_error";
  const places = faults.length === 1 ? "1 fault" : `${faults.length} faults`;
  return new Refusal(code, `The request has ${places}: see errors.`, { errors: faults });
}
