/** What a reply says of when to try again. */

/**
 * Milliseconds to wait, from `Retry-After-Ms`, else `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * Undefined when neither is there or can be read.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const ms = readDecimal(headers.get("retry-after-ms"));
  if (ms !== undefined) return ms;
  const text = headers.get("retry-after");
  const seconds = readDecimal(text);
  if (seconds !== undefined) return seconds * 1000;
  // Every form of an HTTP date has letters; Date.parse takes "-5" for a year.
  const date = text !== null && /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

/** Node 20 leaves blanks behind a header's value. */
function readDecimal(text: string | null): number | undefined {
  return text !== null && /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}
