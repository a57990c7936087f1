/** Reads from a reply when to retry. */

/**
 * Milliseconds to wait, from `Retry-After-Ms`, else `Retry-After` in seconds or as a date (RFC 9110, 10.2.3).
 * Undefined if neither header is present and valid.
 */
export function readRetryAfter(headers: Headers): number | undefined {
  const after = headers.get("retry-after") ?? "";
  // Without the check for letters, which every HTTP date has, Date.parse would read "-5" as a year.
  const date = /[a-z]/i.test(after) ? Date.parse(after) : Number.NaN;
  const waits = [
    readDecimal(headers.get("retry-after-ms") ?? ""),
    readDecimal(after) * 1000,
    Math.max(0, date - Date.now()),
  ];
  return waits.find((ms) => ms >= 0);
}

/**
 * Milliseconds for which the service accepts no more requests, from `RateLimit` (`"default";r=0;t=42`): the longest if
 * the header has several limits; 0 if requests are left.
 */
export function readExhausted(headers: Headers): number {
  const limits = (headers.get("ratelimit") ?? "").split(",");
  const waits = limits.map((limit) => (/;\s*r=0\s*(;|$)/.test(limit) && /;\s*t=(\d{1,9})\b/.exec(limit)?.[1]) || 0);
  return Math.max(...waits.map(Number)) * 1000;
}

/** NaN if it is not a number. Node 20 leaves blanks after a header's value. */
function readDecimal(text: string): number {
  return /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : Number.NaN;
}
