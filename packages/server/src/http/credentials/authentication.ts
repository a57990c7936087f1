// Authenticates callers of the API. A credential is a key and its secret; the store holds only peppered hashes.

import { timingSafeEqual } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { OperationId } from "@msgctl/contract";
import type { Caller } from "../../domain/context.ts";
import { parseRateLimit } from "../../domain/rate-limits.ts";
import { Refusal } from "../../domain/refusal.ts";
import { hashSecret, isApiKey, isApiSecret } from "../../domain/tenancy/credentials.ts";
import { type CredentialRow, findCredential, noteCredentialUse } from "../../domain/tenancy/rows.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Store } from "../../store/store.ts";

/** How long a key is cached. A revoked key stops working on every instance within this time. */
const CACHE_MS = 1_000;
/** Bounds the memory of the cache. */
const LARGEST_CACHE = 10_000;
/** The precision of a key's time of last use, which is stored at most this often. */
const USE_MS = 60_000;

export const API_KEY_CHALLENGE = 'ApiKey realm="msgd"';

interface CacheEntry {
  readonly rows: readonly CredentialRow[];
  readonly hashes: readonly Buffer[];
  readonly caller: Caller;
  readonly staleAt: number;
  /** Expiry by `Clock.elapsed`, needed because after the clock is set back `staleAt` would lie too far ahead. */
  readonly elapsesAt: number;
}

/** Returns the caller, synchronously for a cached key. Fails with `credentials_missing`, `…_invalid` or `…_revoked`. */
export type Authenticate = (headers: IncomingHttpHeaders) => Caller | Promise<Caller>;

export interface Authenticator extends Authenticate {
  /** Clears the cache. Call after the tables were emptied. */
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
  /** Called if a key's time of last use could not be stored. The request does not fail because of it. */
  onError?: (error: unknown) => void;
}): Authenticator {
  const cache = new Map<string, CacheEntry>();
  const usesKept = new Map<string, number>();

  function findCached(apiKey: string): CacheEntry | undefined {
    const cached = cache.get(apiKey);
    const now = clock.now();
    const isFresh = cached !== undefined && cached.staleAt > now && cached.elapsesAt > clock.elapsed();
    return isFresh && cached.staleAt <= now + CACHE_MS ? cached : undefined;
  }

  async function find(apiKey: string): Promise<CacheEntry | undefined> {
    const now = clock.now();
    const elapsesAt = clock.elapsed() + CACHE_MS;
    const rows = await store.read((tx) => findCredential(tx, apiKey, now));
    const [first] = rows;
    // an unknown key is never cached, so that a new key works at once
    if (first === undefined) {
      cache.delete(apiKey);
      return undefined;
    }
    const { tenantId, timezone, merchantId, name: keyName } = first;
    const hashes = rows.map((row) => Buffer.from(row.secretHash, "latin1"));
    const rateLimit = first.rateLimit === null ? undefined : parseRateLimit(first.rateLimit);
    const caller = { apiKey, tenantId, timezone, merchantId, keyName, ...(rateLimit && { rateLimit }) };
    const entry = { rows, hashes, caller, staleAt: now + CACHE_MS, elapsesAt };
    if (cache.size >= LARGEST_CACHE) cache.clear();
    cache.set(apiKey, entry);
    return entry;
  }

  /** Returns the caller, or undefined if the secret does not match. Throws if the key is revoked or the tenant disabled. */
  function match(entry: CacheEntry | undefined, apiSecret: string): Caller | undefined {
    const presented = Buffer.from(hashSecret(apiSecret, pepper), "latin1");
    let matches = false;
    for (const hash of entry?.hashes ?? noSecrets) if (timingSafeEqual(hash, presented)) matches = true;
    if (entry === undefined || !matches) return undefined;
    if (entry.rows.some((row) => row.revokedAt !== null)) {
      throw new Refusal("credentials_revoked", "This API key was revoked. Use another, or ask the operator for one.");
    }
    if (entry.rows.some((row) => row.disabledAt !== null)) {
      const detail =
        "The operator has disabled this account: none of its API keys works until it is enabled. Ask the operator.";
      throw new Refusal("credentials_revoked", detail);
    }
    return entry.caller;
  }

  /** Stores the time of the key's use, at most once a minute. The request neither waits for this nor fails with it. */
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
    // a wrong checksum is a typo and needs no lookup; otherwise known and unknown keys take equal time. A secret that
    // does not match is looked up, so that a new one works at once
    if (!isApiKey(apiKey) || !isApiSecret(apiSecret)) throw credentialsInvalid();
    return authenticateFresh(apiKey, apiSecret);
  };
  const forget = () => {
    cache.clear();
    usesKept.clear();
  };
  return Object.assign(authenticate, { forget });
}

/** Used in place of an unknown key's hashes. No secret has this hash. */
const noSecrets: readonly Buffer[] = [Buffer.alloc(64)];

/** The same error for a wrong key and a wrong secret, so that it does not reveal which one is wrong. */
function credentialsInvalid(): Refusal {
  return new Refusal("credentials_invalid", "The API key and secret are not a pair that this server knows.");
}

function credentialsMissing(hasKey: boolean, hasSecret: boolean): Refusal {
  const missing = [hasKey ? "" : "X-API-KEY", hasSecret ? "" : "X-API-SECRET"].filter(Boolean).join(" and ");
  return new Refusal("credentials_missing", `The request has no ${missing}. Send both headers of one credential.`);
}

/** The operation that accepts HTTP Basic: its caller, FreeSWITCH's mod_xml_curl, cannot send custom headers. */
export const BASIC_OPERATION: OperationId = "getDirectoryEntry";

export const BASIC_CHALLENGE = 'Basic realm="msgd", charset="UTF-8"';

/**
 * Also accepts the credential as HTTP Basic. If a request has two credentials, both must be valid and belong to the same
 * tenant; the more restricted one applies.
 */
export function orBasic(authenticate: Authenticate): Authenticate {
  return (headers) => {
    const basic = readBasic(headers.authorization);
    if (basic === undefined) return authenticate(headers);
    if (headers["x-api-key"] === undefined && headers["x-api-secret"] === undefined) return authenticate(basic);
    return Promise.all([authenticate(headers), authenticate(basic)]).then(([first, second]) => agree(first, second));
  };
}

function agree(first: Caller, second: Caller): Caller {
  if (first.tenantId !== second.tenantId) {
    const detail =
      "HTTP Basic and the X-API headers name different tenants. Send one credential, or two of one tenant.";
    throw new Refusal("tenant_mismatch", detail);
  }
  return second.merchantId === null ? first : second;
}

/** Converts HTTP Basic to the X-API headers; undefined without it. A malformed value becomes an invalid credential. */
function readBasic(authorization: string | undefined): IncomingHttpHeaders | undefined {
  const [, scheme = "", encoded = ""] = /^\s*(\S+)\s*(\S*)\s*$/.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() !== "basic") return undefined;
  const [apiKey = "", ...rest] = Buffer.from(encoded, "base64").toString("utf8").split(":");
  return { "x-api-key": apiKey, "x-api-secret": rest.join(":") };
}
