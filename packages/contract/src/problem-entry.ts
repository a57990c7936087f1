/** Facts about a problem code that are the same wherever it occurs. */
export interface ProblemEntry {
  readonly status: number;
  readonly title: string;
  /** The cause of the answer. */
  readonly cause: string;
  /** The remedy, with the command to run if there is one. */
  readonly hint: string;
}
