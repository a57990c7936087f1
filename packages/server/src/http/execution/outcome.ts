/** The outcome of a successful request. */
export interface Outcome {
  readonly result: unknown;
  /** Whether the key was used before: nothing was written, and `result` is what the first call made, as it is now. */
  readonly replayed: boolean;
}

export function fresh(result: unknown): Outcome {
  return { result, replayed: false };
}
