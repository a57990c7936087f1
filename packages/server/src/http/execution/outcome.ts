/** What a request that was carried out is answered with. */
export interface Outcome {
  readonly result: unknown;
  /** The key was used before: nothing was written, and `result` is what the first call made as it stands now. */
  readonly replayed: boolean;
}

export function fresh(result: unknown): Outcome {
  return { result, replayed: false };
}
