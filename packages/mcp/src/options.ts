// The options of the process: a person sets with them what an agent may do.

export interface Options {
  /** A profile of msgctl; undefined for the environment, the current profile or the demo server, as msgctl decides. */
  readonly profile: string | undefined;
  readonly baseUrl: string | undefined;
  /** Groups whose tools may write. */
  readonly allow: readonly string[];
  /** Whether tools that cost money or cannot be undone exist, in the groups of `allow`. */
  readonly allowBillable: boolean;
  /** The merchant to which all tools are bound; undefined for all merchants of the credential. */
  readonly merchant: string | undefined;
  /** The number of recipients that the process may send to, 0 to 10000. A batch counts each of its numbers, a purchase counts one. */
  readonly maxSends: number;
  /** Whether replies show phone numbers and email addresses of people. */
  readonly showContacts: boolean;
  /** Whether billable and irreversible tools run without asking a person first. */
  readonly yes: boolean;
  /** Limit for one call with its retries, in milliseconds. */
  readonly timeoutMs: number;
  /** The port of 127.0.0.1 to serve on; undefined to serve one client over standard input and output. */
  readonly httpPort: number | undefined;
}
