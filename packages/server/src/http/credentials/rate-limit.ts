// Limits the rate of requests by token buckets in this process's memory. So each of several instances allows the full rate.

import type { FastifyReply } from "fastify";
import type { Caller } from "../../domain/context.ts";
import type { RateLimit } from "../../domain/rate-limits.ts";
import { Refusal } from "../../domain/refusal.ts";
import type { Clock } from "../../platform/clock.ts";

/** Takes a token from the caller's bucket and adds the remaining number to the reply's headers. Throws `rate_limited`. */
export type LimitRate = (caller: Caller, reply: FastifyReply) => void;

interface Bucket {
  limit: RateLimit;
  requests: number;
  filledAt: number;
}

/** The number of buckets beyond which full ones are removed. That loses nothing, because a new bucket is full, too. */
const MANY_BUCKETS = 10_000;

/**
 * Limits each credential to the rate `common`. If a tenant has its own rate, all its credentials share that. Headers
 * follow draft-ietf-httpapi-ratelimit-headers.
 *
 * @param common undefined for no limit
 */
export function createRateLimit(common: RateLimit | undefined, clock: Clock): LimitRate {
  const buckets = new Map<string, Bucket>();
  let sweepAt = MANY_BUCKETS;

  function fill(bucket: Bucket, now: number): void {
    const { perSecond, burst } = bucket.limit;
    // if the clock was set back, the elapsed time is negative
    const elapsedMs = Math.max(0, now - bucket.filledAt);
    bucket.requests = Math.min(burst, bucket.requests + (elapsedMs * perSecond) / 1_000);
    bucket.filledAt = now;
  }

  function find(name: string, limit: RateLimit, now: number): Bucket {
    const known = buckets.get(name);
    if (known === undefined && buckets.size >= sweepAt) sweep(now);
    const bucket = known ?? { limit, requests: limit.burst, filledAt: now };
    bucket.limit = limit;
    fill(bucket, now);
    buckets.set(name, bucket);
    return bucket;
  }

  function sweep(now: number): void {
    for (const [name, bucket] of buckets) {
      fill(bucket, now);
      if (bucket.requests === bucket.limit.burst) buckets.delete(name);
    }
    sweepAt = Math.max(MANY_BUCKETS, buckets.size * 2);
  }

  return ({ apiKey, tenantId, rateLimit: own }, reply) => {
    const limit = own ?? common;
    if (limit === undefined) return;
    const { perSecond, burst } = limit;
    const bucket = find(own === undefined ? apiKey : `tenant ${tenantId}`, limit, clock.now());
    const isAllowed = bucket.requests >= 1;
    if (isAllowed) bucket.requests -= 1;
    const fullInSeconds = Math.ceil((burst - bucket.requests) / perSecond);
    reply.header("RateLimit-Policy", `"default";q=${burst};w=${Math.ceil(burst / perSecond)}`);
    reply.header("RateLimit", `"default";r=${Math.floor(bucket.requests)};t=${fullInSeconds}`);
    if (isAllowed) return;
    const waitSeconds = Math.max(1, Math.ceil((1 - bucket.requests) / perSecond));
    reply.header("Retry-After", waitSeconds);
    const who = own === undefined ? "This credential" : "All credentials of this account together";
    const detail = `${who} may make ${burst} requests at once and ${perSecond} a second after that. Wait ${waitSeconds} s.`;
    throw new Refusal("rate_limited", detail);
  };
}
