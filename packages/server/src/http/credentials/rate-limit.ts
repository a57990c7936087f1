// Rate limit per credential: a token bucket that refills at a steady rate. It is in this process's memory: of several
// instances on one database, each allows as much.

import type { FastifyReply } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import { Refusal } from "../../rules/refusal.ts";
import type { Caller } from "../../steps/operation.ts";

export interface RateLimit {
  /** Requests that the bucket regains each second. */
  readonly perSecond: number;
  /** Requests that may come at once. */
  readonly burst: number;
}

/** Takes a request from the caller's bucket, and says in the reply what is left. Throws `rate_limited`. */
export type LimitRate = (caller: Caller, reply: FastifyReply) => void;

interface Bucket {
  requests: number;
  filledAt: number;
}

/** Beyond this number, full buckets are removed: they are as good as none. */
const MANY_BUCKETS = 10_000;

/** The headers are those of draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy, RateLimit). */
export function createRateLimit({ perSecond, burst }: RateLimit, clock: Clock): LimitRate {
  const buckets = new Map<string, Bucket>();
  const perMs = perSecond / 1_000;
  const policy = `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`;
  let sweepAt = MANY_BUCKETS;

  function fill(bucket: Bucket, now: number): void {
    // a clock set back fills nothing
    const elapsedMs = Math.max(0, now - bucket.filledAt);
    bucket.requests = Math.min(burst, bucket.requests + elapsedMs * perMs);
    bucket.filledAt = now;
  }

  function find(apiKey: string, now: number): Bucket {
    const known = buckets.get(apiKey);
    if (known !== undefined) {
      fill(known, now);
      return known;
    }
    if (buckets.size >= sweepAt) sweep(now);
    const bucket = { requests: burst, filledAt: now };
    buckets.set(apiKey, bucket);
    return bucket;
  }

  function sweep(now: number): void {
    for (const [apiKey, bucket] of buckets) {
      fill(bucket, now);
      if (bucket.requests === burst) buckets.delete(apiKey);
    }
    sweepAt = Math.max(MANY_BUCKETS, buckets.size * 2);
  }

  return ({ apiKey }, reply) => {
    const bucket = find(apiKey, clock.now());
    const isAllowed = bucket.requests >= 1;
    if (isAllowed) bucket.requests -= 1;
    const fullInSeconds = Math.ceil((burst - bucket.requests) / perSecond);
    reply.header("RateLimit-Policy", policy);
    reply.header("RateLimit", `"default";r=${Math.floor(bucket.requests)};t=${fullInSeconds}`);
    if (isAllowed) return;
    const waitSeconds = Math.max(1, Math.ceil((1 - bucket.requests) / perSecond));
    reply.header("Retry-After", waitSeconds);
    const detail = `This credential may make ${burst} requests at once and ${perSecond} a second after that. Wait ${waitSeconds} s.`;
    throw new Refusal("rate_limited", detail);
  };
}
