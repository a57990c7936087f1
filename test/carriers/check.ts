/** What became of a check: without faults it went well. */
export interface Findings {
  readonly faults: readonly string[];
  readonly note: string;
}

/** A carrier of another hand. */
export interface Peer {
  readonly name: string;
  /** How it is got, where this machine does not have it. */
  readonly hint: string;
  /** Its version or its place; undefined if it is not there. */
  find(): string | undefined;
  check(): Promise<Findings>;
}
