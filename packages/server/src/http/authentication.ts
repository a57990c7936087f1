// Who is calling. A credential is a key and its secret, sent together; the store holds only peppered hashes.

import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../clock.ts";
import type { Caller } from "../operations/operation.ts";
import { Refusal } from "../operations/refusal.ts";
import { hashSecret, isApiKey, isApiSecret } from "../rules/credentials.ts";
import { type CredentialRow, findCredential } from "../store/credentials.ts";
import type { Store } from "../store/store.ts";

/** A revoked key stops working within this time, on every instance. */
const CACHE_MS = 1_000;
/** Bounds the memory that many keys can take. */
const LARGEST_CACHE = 10_000;

interface CacheEntry {
  readonly rows: readonly CredentialRow[];
  readonly hashes: readonly Buffer[];
  readonly caller: Caller;
  readonly staleAt: number;
}

/** Gives the caller, at once for a key seen lately; throws or rejects with `credentials_missing`, `…_invalid` or `…_revoked`. */
export type Authenticate = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

export function createAuthenticator({
  store,
  clock,
  pepper,
}: {
  store: Store;
  clock: Clock;
  pepper: string;
}): Authenticate {
  const cache = new Map<string, CacheEntry>();

  function findCached(apiKey: string): CacheEntry | undefined {
    const cached = cache.get(apiKey);
    const now = clock.now();
    return cached !== undefined && cached.staleAt > now && cached.staleAt <= now + CACHE_MS ? cached : undefined;
  }

  async function find(apiKey: string): Promise<CacheEntry | undefined> {
    const now = clock.now();
    const rows = await store.read((tx) => findCredential(tx, apiKey, now));
    const [first] = rows;
    // an unknown key is never cached: one that is made this instant works in the next
    if (first === undefined) {
      cache.delete(apiKey);
      return undefined;
    }
    const { tenantId, timezone, merchantId } = first;
    const hashes = rows.map((row) => Buffer.from(row.secretHash, "latin1"));
    const entry = { rows, hashes, caller: { apiKey, tenantId, timezone, merchantId }, staleAt: now + CACHE_MS };
    if (cache.size >= LARGEST_CACHE) cache.clear();
    cache.set(apiKey, entry);
    return entry;
  }

  function verify(entry: CacheEntry | undefined, apiSecret: string): Caller {
    const presented = Buffer.from(hashSecret(apiSecret, pepper), "latin1");
    let matches = false;
    for (const hash of entry?.hashes ?? noSecrets) if (timingSafeEqual(hash, presented)) matches = true;
    if (entry === undefined || !matches) {
      throw new Refusal("credentials_invalid", "The API key and secret are not a pair that this server knows.");
    }
    if (entry.rows.some((row) => row.revokedAt !== null && row.revokedAt <= clock.now())) {
      throw new Refusal("credentials_revoked", "This API key was revoked. Use another, or ask the operator for one.");
    }
    return entry.caller;
  }

  return (headers) => {
    const apiKey = headers["x-api-key"];
    const apiSecret = headers["x-api-secret"];
    if (typeof apiKey !== "string" || typeof apiSecret !== "string" || apiKey === "" || apiSecret === "") {
      throw credentialsMissing(Boolean(apiKey), Boolean(apiSecret));
    }
    const cached = findCached(apiKey);
    if (cached !== undefined) return verify(cached, apiSecret);
    // a wrong checksum is a typo, and spares the look-up; all else takes the same steps for a known key and an unknown one
    if (!isApiKey(apiKey) || !isApiSecret(apiSecret)) return verify(undefined, apiSecret);
    return find(apiKey).then((entry) => verify(entry, apiSecret));
  };
}

/** What an unknown key's secret is compared with: nothing hashes to it. */
const noSecrets: readonly Buffer[] = [Buffer.alloc(64)];

function credentialsMissing(hasKey: boolean, hasSecret: boolean): Refusal {
  const missing = [hasKey ? "" : "X-API-KEY", hasSecret ? "" : "X-API-SECRET"].filter(Boolean).join(" and ");
  return new Refusal("credentials_missing", `The request has no ${missing}. Send both headers of one credential.`);
}
