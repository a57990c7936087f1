// Parses rate limits as operators write them: 50:200 allows 50 requests a second, with bursts of 200.

export interface RateLimit {
  /** Requests added to the token bucket per second. */
  readonly perSecond: number;
  /** Capacity of the token bucket. */
  readonly burst: number;
}

export const RATE_WORDS = "requests a second from 0.01 to 100000, or these and the burst, such as 50:200";

/** Parses `<requests per second>[:<burst>]`; the burst defaults to ten seconds' worth. */
export function parseRateLimit(given: string): RateLimit | undefined {
  const [, rate, asked] = /^(\d{1,6}(?:\.\d{1,3})?)(?::(\d{1,7}))?$/.exec(given) ?? [];
  const perSecond = Number(rate);
  const burst = asked === undefined ? Math.ceil(perSecond * 10) : Number(asked);
  return perSecond >= 0.01 && perSecond <= 100_000 && burst >= 1 ? { perSecond, burst } : undefined;
}
