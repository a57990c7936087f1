/** What is the same for a problem code wherever it occurs. */
export interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  /** When it is answered. */
  readonly cause: string;
  /** What to do about it, with the command to run where there is one. */
  readonly hint: string;
}
