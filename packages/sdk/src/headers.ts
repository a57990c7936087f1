/** Headers as HTTP can carry them (RFC 9110, 5.1 and 5.5). */
import { UsageError } from "./errors.ts";

const NAME = /^[!#$%&'*+.^`|~\w-]+$/;
const VALUE = /^[\t -~\x80-\xff]*$/;

/**
 * The headers under lower-case names.
 *
 * @throws {UsageError} For one that cannot be sent; the message names it, and does not hold its value, which may be secret.
 */
export function checkedHeaders(given: Record<string, string>): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const name in given) {
    const value = given[name] ?? "";
    if (!NAME.test(name) || !VALUE.test(value))
      throw new UsageError(
        `The header ${JSON.stringify(name)} cannot be sent: a name is letters, digits and hyphens, and a value holds no ` +
          "line break, other control character or character past U+00FF.",
      );
    headers[name.toLowerCase()] = value;
  }
  return headers;
}
