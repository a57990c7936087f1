/** One call of an operation in the three ways there are; address and credential come from the environment in each. */
export interface RequestExample {
  /** For a POSIX shell. */
  readonly curl: string;
  /** For a POSIX shell. */
  readonly msgctl: string;
  /** A whole program for `@msgctl/sdk`. */
  readonly typescript: string;
}
