/** The result of a check. It passed if there are no faults. */
export interface Findings {
  readonly faults: readonly string[];
  readonly note: string;
}

/** A third-party implementation of a carrier. */
export interface Peer {
  readonly name: string;
  /** Says how to install it. */
  readonly hint: string;
  /** Its version or its path; undefined if it is not installed. */
  find(): string | undefined;
  check(): Promise<Findings>;
}
