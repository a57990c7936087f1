import { afterEach, expect, it, vi } from "vitest";
import { readExhausted, readRetryAfter } from "./retry-after.ts";

afterEach(() => {
  vi.useRealTimers();
});

it.each([
  [{ "retry-after": "2" }, 2000],
  [{ "retry-after": "1.5" }, 1500],
  [{ "retry-after": "0" }, 0],
  [{ "retry-after": "3000000" }, 3_000_000_000],
  [{ "retry-after": "Thu, 01 Jan 2026 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Thursday, 01-Jan-26 00:00:30 GMT" }, 30_000],
  [{ "retry-after": "Wed, 31 Dec 2025 23:59:00 GMT" }, 0],
  [{ "retry-after": "2", "retry-after-ms": "150" }, 150],
  [{ "retry-after": "2", "retry-after-ms": "soon" }, 2000],
  [{ "retry-after": "soon" }, undefined],
  [{ "retry-after": "" }, undefined],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "1e99" }, undefined],
  [{ "retry-after": "0x10" }, undefined],
  [{}, undefined],
])("readRetryAfter reads %o as %s ms", (headers, ms) => {
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 1) });
  expect(readRetryAfter(new Headers(headers as Record<string, string>))).toBe(ms);
});

it.each([
  ['"default";r=0;t=42', 42_000],
  ['"default"; r=0; t=42', 42_000],
  ['"default";t=42;r=0', 42_000],
  ['"burst";r=0;t=1, "day";r=0;t=600, "hour";r=3;t=3600', 600_000],
  ['"default";r=1;t=42', 0],
  ['"default";r=05;t=42', 0],
  ['"default";r=0', 0],
  ['"default";r=0;t=soon', 0],
  ["0", 0],
  [undefined, 0],
])("readExhausted reads the RateLimit %s as %i ms", (value, ms) => {
  expect(readExhausted(new Headers(value === undefined ? {} : { ratelimit: value }))).toBe(ms);
});
