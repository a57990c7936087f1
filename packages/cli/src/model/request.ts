/** The stages between a command line and a request: the typed values, and the request's parts. */

/** The values of a command line by the name of their input. A switch (`--active`) is a boolean. */
export type RawValues = ReadonlyMap<string, string | boolean | readonly string[]>;

export interface RequestParts {
  path: Record<string, unknown>;
  query: Record<string, unknown>;
  headers: Record<string, string>;
  /** Undefined for an operation without a body. */
  body: Record<string, unknown> | undefined;
}
