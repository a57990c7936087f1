/** The values of a command line, and the parts of a request that are made from them. */

/** The unparsed values of a command line, by input name. The value of a switch (`--active`) is a boolean. */
export type RawValues = ReadonlyMap<string, string | boolean | readonly string[]>;

export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Undefined for an operation without a body. */
  body: Record<string, unknown> | undefined;
}
