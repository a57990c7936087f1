// Who is calling. A credential is a key and its secret, sent together; the store holds only peppered hashes.

import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Clock } from "../../platform/clock.ts";
import { hashSecret, isApiKey, isApiSecret } from "../../rules/credentials.ts";
import { Refusal } from "../../rules/refusal.ts";
import type { Caller } from "../../steps/operation.ts";
import { type CredentialRow, findCredential, noteCredentialUse } from "../../store/credentials.ts";
import type { Store } from "../../store/store.ts";

/** A revoked key stops working within this time, on every instance. */
const CACHE_MS = 1_000;
/** Bounds the memory that many keys can take. */
const LARGEST_CACHE = 10_000;
/** How exact the last use of a key is: it is written no more often. */
const USE_MS = 60_000;

interface CacheEntry {
  readonly rows: readonly CredentialRow[];
  readonly hashes: readonly Buffer[];
  readonly caller: Caller;
  readonly staleAt: number;
}

/** Gives the caller, at once for a key seen lately; throws or rejects with `credentials_missing`, `…_invalid` or `…_revoked`. */
export type Authenticate = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

export interface Authenticator extends Authenticate {
  /** Looks every key up again: for whoever has emptied the tables. */
  forget(): void;
}

export function createAuthenticator({
  store,
  clock,
  pepper,
  onError = () => {},
}: {
  store: Store;
  clock: Clock;
  pepper: string;
  /** Told when the last use of a key could not be kept, which harms no request. */
  onError?: (error: unknown) => void;
}): Authenticator {
  const cache = new Map<string, CacheEntry>();
  const usesKept = new Map<string, number>();

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

  /** The caller, or undefined where the secret is none of the entry's. Throws for a revoked key. */
  function match(entry: CacheEntry | undefined, apiSecret: string): Caller | undefined {
    const presented = Buffer.from(hashSecret(apiSecret, pepper), "latin1");
    let matches = false;
    for (const hash of entry?.hashes ?? noSecrets) if (timingSafeEqual(hash, presented)) matches = true;
    if (entry === undefined || !matches) return undefined;
    if (entry.rows.some((row) => row.revokedAt !== null)) {
      throw new Refusal("credentials_revoked", "This API key was revoked. Use another, or ask the operator for one.");
    }
    return entry.caller;
  }

  /** Once a minute a key, beside the request: it neither waits for this nor fails with it. */
  function noteUse({ apiKey }: Caller): void {
    const now = clock.now();
    if (Math.abs(now - (usesKept.get(apiKey) ?? Number.NEGATIVE_INFINITY)) < USE_MS) return;
    if (usesKept.size >= LARGEST_CACHE) usesKept.clear();
    usesKept.set(apiKey, now);
    store.write((tx) => noteCredentialUse(tx, apiKey, now)).catch(onError);
  }

  async function authenticateFresh(apiKey: string, apiSecret: string): Promise<Caller> {
    const caller = match(await find(apiKey), apiSecret);
    if (caller === undefined) throw credentialsInvalid();
    noteUse(caller);
    return caller;
  }

  const authenticate: Authenticate = (headers) => {
    const apiKey = headers["x-api-key"];
    const apiSecret = headers["x-api-secret"];
    if (typeof apiKey !== "string" || typeof apiSecret !== "string" || apiKey === "" || apiSecret === "") {
      throw credentialsMissing(Boolean(apiKey), Boolean(apiSecret));
    }
    const cached = findCached(apiKey);
    const caller = cached && match(cached, apiSecret);
    if (caller !== undefined) return caller;
    // a wrong checksum is a typo, and spares the look-up; all else takes the same steps for a known key and an unknown
    // one, and a secret made this instant works in the next
    if (!isApiKey(apiKey) || !isApiSecret(apiSecret)) throw credentialsInvalid();
    return authenticateFresh(apiKey, apiSecret);
  };
  const forget = () => {
    cache.clear();
    usesKept.clear();
  };
  return Object.assign(authenticate, { forget });
}

/** What an unknown key's secret is compared with: nothing hashes to it. */
const noSecrets: readonly Buffer[] = [Buffer.alloc(64)];

/** In the same words whichever half is wrong. */
function credentialsInvalid(): Refusal {
  return new Refusal("credentials_invalid", "The API key and secret are not a pair that this server knows.");
}

function credentialsMissing(hasKey: boolean, hasSecret: boolean): Refusal {
  const missing = [hasKey ? "" : "X-API-KEY", hasSecret ? "" : "X-API-SECRET"].filter(Boolean).join(" and ");
  return new Refusal("credentials_missing", `The request has no ${missing}. Send both headers of one credential.`);
}
