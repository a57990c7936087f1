/** Data of one operation of an API, from which the server makes its route. */
export interface ApiOperationEntry {
  readonly operationId: string;
  readonly method: "GET" | "PUT" | "POST" | "DELETE" | "PATCH";
  /** Path with `{placeholders}`. */
  readonly path: string;
  readonly tag: string;
  readonly pathParameters: readonly string[];
  readonly queryParameters: readonly string[];
  /** Whether it takes an `Idempotency-Key`. */
  readonly idempotent: boolean;
  /** Name in `schemas` of the request body. */
  readonly bodySchema: string | null;
  readonly successStatus: number;
  /** Name in `schemas` of the view, or of each element when `responseIsArray`; null when there is no JSON reply. */
  readonly responseSchema: string | null;
  readonly responseIsArray: boolean;
  /** Null when the reply has no body. */
  readonly responseMediaType: string | null;
  /** The problem codes it can answer with, by HTTP status. */
  readonly errors: Readonly<Record<number, readonly string[]>>;
}

/** Data of one operation of the contract, from which the SDK's method and msgctl's command are made too. */
export interface OperationEntry extends ApiOperationEntry {
  /** Group and name form the terminal command and, in camelCase, the SDK's method. */
  readonly group: string;
  readonly name: string;
  /** Members that the view, or each view in the list, has in every success; for XML, its root element. */
  readonly identity: readonly string[];
}
