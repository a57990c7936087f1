/** Writes the body of a request as JSON. */
import { UsageError } from "./errors.ts";
import { stringifyJson } from "./int64.ts";

/**
 * Writes a body; a `bigint` is written as bare digits.
 *
 * @throws {UsageError} For bytes, a stream, a form, and any other value that JSON would write as `{}`.
 * @throws {TypeError} As `JSON.stringify` does.
 */
export function writeBody(body: unknown): string {
  const kind = Object.prototype.toString.call(body).slice(8, -1);
  const isPlain =
    Object(body) !== body || kind === "Array" || (kind === "Object" && !(Symbol.asyncIterator in (body as object)));
  const text: string | undefined = isPlain ? stringifyJson(body) : undefined;
  if (text !== undefined) return text;
  throw new UsageError(`The body is a ${kind}. It must be an object or a list.`);
}
