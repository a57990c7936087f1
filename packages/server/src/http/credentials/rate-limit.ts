// Rate limit per credential, or of a tenant that has one of its own: a token bucket that refills at a steady rate. It is in
// this process's memory: of several instances on one database, each allows as much.

import type { FastifyReply } from "fastify";
import type { Clock } from "../../platform/clock.ts";
import type { RateLimit } from "../../rules/rate-limits.ts";
import { Refusal } from "../../rules/refusal.ts";
import type { Caller } from "../../steps/operation.ts";

export type { RateLimit } from "../../rules/rate-limits.ts";

/** Takes a request from the caller's bucket, and says in the reply what is left. Throws `rate_limited`. */
export type LimitRate = (caller: Caller, reply: FastifyReply) => void;

interface Bucket {
  limit: RateLimit;
  requests: number;
  filledAt: number;
}

/** Beyond this number, full buckets are removed: they are as good as none. */
const MANY_BUCKETS = 10_000;

/**
 * Limits each credential to `common`, but for those of a tenant that has a rate of its own, which they share. The headers are
 * those of draft-ietf-httpapi-ratelimit-headers (RateLimit-Policy, RateLimit).
 *
 * @param common undefined for none
 */
export function createRateLimit(common: RateLimit | undefined, clock: Clock): LimitRate {
  const buckets = new Map<string, Bucket>();
  let sweepAt = MANY_BUCKETS;

  function fill(bucket: Bucket, now: number): void {
    const { perSecond, burst } = bucket.limit;
    // a clock set back fills nothing
    const elapsedMs = Math.max(0, now - bucket.filledAt);
    bucket.requests = Math.min(burst, bucket.requests + (elapsedMs * perSecond) / 1_000);
    bucket.filledAt = now;
  }

  function find(name: string, limit: RateLimit, now: number): Bucket {
    const known = buckets.get(name);
    if (known !== undefined) {
      known.limit = limit;
      fill(known, now);
      return known;
    }
    if (buckets.size >= sweepAt) sweep(now);
    const bucket = { limit, requests: limit.burst, filledAt: now };
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
