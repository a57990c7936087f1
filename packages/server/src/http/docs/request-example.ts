/** An example call of an operation in three languages. Each takes base URL and credential from the environment. */
export interface RequestExample {
  /** For a POSIX shell. */
  readonly curl: string;
  /** For a POSIX shell. */
  readonly msgctl: string;
  /** A whole program for `@msgctl/sdk`. */
  readonly typescript: string;
}
