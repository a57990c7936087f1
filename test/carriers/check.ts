/** The result of a check, which passed if there are no faults. */
export interface Findings {
  readonly faults: readonly string[];
  readonly note: string;
}

/** A carrier implemented by others. */
export interface Peer {
  readonly name: string;
  /** How to install it on a machine that does not have it. */
  readonly hint: string;
  /** Its version or its path; undefined if it is not installed. */
  find(): string | undefined;
  check(): Promise<Findings>;
}
