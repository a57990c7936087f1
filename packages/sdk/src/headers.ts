/** Headers as HTTP can carry them (RFC 9110, 5.1 and 5.5). */
import { UsageError } from "./errors.ts";

/** A name, which contains no colon, and a value. */
const HEADER = /^[!#$%&'*+.^`|~\w-]+:[\t -~\x80-\xff]*$/;

/**
 * The headers under lower-case names.
 *
 * @throws {UsageError} If a header cannot be sent. The message has its name but not its value, which may be secret.
 */
export function checkedHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in given) {
    const value: unknown = given[name];
    if (typeof value !== "string") {
      const kind = value === null || value === undefined ? value : `of type ${typeof value}`;
      throw new UsageError(
        `The header ${JSON.stringify(name)} is ${kind}. It must be text: convert it, or leave it out.`,
      );
    }
    if (!HEADER.test(`${name}:${value}`))
      throw new UsageError(
        `The header ${JSON.stringify(name)} cannot be sent. It must be letters, digits and hyphens, its value printable ` +
          "characters up to U+00FF.",
      );
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
