// Sends one POST to an untrusted receiver: limited in time and size, without redirects, and only to public addresses.

import { lookup } from "node:dns";
import { Resolver } from "node:dns/promises";
import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as HttpsAgent, type RequestOptions, request as requestHttps } from "node:https";
import type { LookupFunction } from "node:net";
import { findCallbackUrlFault, isLocalhost, isLoopbackAddress } from "../../domain/callbacks/rules.ts";
import { isPublicAddress } from "../../domain/network-addresses.ts";
import type { CallbackReach } from "../../domain/policies.ts";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";

/** Maximum number of response body bytes that are read and discarded so that the connection can be reused. */
const MOST_BODY_BYTES = 64 * 1024;
/** Size limit for a response's status line and headers, and separately for its trailers. */
const MOST_HEADER_BYTES = 16 * 1024;
/** Maximum number of interim responses (1xx) before the final one. Interim responses are ignored. */
const MOST_INTERIM = 8;
/** Smaller body chunks count as this many bytes, because receiving them costs as much. */
const LEAST_PIECE_BYTES = 256;
/** A connection that is idle for longer is closed. */
const IDLE_MS = 4_000;

export interface PostResult {
  /** Undefined if no response arrived. */
  readonly status: number | undefined;
  readonly retryAfter?: string | undefined;
  /** Short outcome that reveals nothing of the URL: `200`, `timeout`, `ECONNREFUSED`. */
  readonly outcome: string;
}

export interface Poster {
  /** Never rejects. */
  post(request: { url: string; headers: Readonly<Record<string, string>>; body: string }): Promise<PostResult>;
  /** Aborts all attempts in flight. Their outcome is `interrupted`. */
  close(): void;
}

export interface PosterOptions {
  readonly reach: CallbackReach;
  /** Timeout of a whole attempt, in real time. */
  readonly timeoutMs: number;
  /** Resolves names. @default the DNS servers, or the system's resolver if private addresses are allowed */
  readonly resolve?: LookupFunction;
  /** PEM certificates to trust instead of the default CAs and NODE_EXTRA_CA_CERTS. */
  readonly ca?: string;
}

export function createPoster({ reach, timeoutMs, resolve, ca }: PosterOptions): Poster {
  const reuse = { keepAlive: true, timeout: IDLE_MS, maxFreeSockets: 64 };
  const httpsAgent = new HttpsAgent({ ...reuse, ...(ca === undefined ? {} : { ca }) });
  const httpAgent = new HttpAgent(reuse);
  const lookup = lookupFor(reach, resolve);

  function open(url: URL, options: RequestOptions): ClientRequest {
    return url.protocol === "https:"
      ? requestHttps(url, { ...options, agent: httpsAgent })
      : requestHttp(url, { ...options, agent: httpAgent });
  }

  const underWay = new Set<AbortController>();

  async function tryTwice(begin: () => ClientRequest, body: string): Promise<PostResult> {
    try {
      return await exchange(begin(), body);
    } catch (error) {
      if (error instanceof StaleConnection) return exchange(begin(), body);
      throw error;
    }
  }

  return {
    async post({ url, headers, body }) {
      // check literal addresses here: they are never resolved, and may have been disallowed after the URL was accepted
      if (findCallbackUrlFault(url, reach) !== undefined) {
        return { status: undefined, outcome: "not allowed" };
      }
      const abort = new AbortController();
      const timer = setTimeout(() => abort.abort("timeout"), timeoutMs);
      underWay.add(abort);
      const options = {
        method: "POST",
        headers: { ...headers, "content-length": Buffer.byteLength(body) },
        maxHeaderSize: MOST_HEADER_BYTES,
        signal: abort.signal,
        ...(lookup === undefined ? {} : { lookup }),
      };
      try {
        return await tryTwice(() => open(new URL(url), options), body);
      } catch (error) {
        return { status: undefined, outcome: abort.signal.aborted ? String(abort.signal.reason) : describe(error) };
      } finally {
        clearTimeout(timer);
        underWay.delete(abort);
      }
    },
    close() {
      for (const abort of underWay) abort.abort("interrupted");
      httpsAgent.destroy();
      httpAgent.destroy();
    },
  };
}

function lookupFor(reach: CallbackReach, resolve: LookupFunction | undefined): LookupFunction | undefined {
  if (reach === "private") return resolve;
  const guarded = createGuardedLookup(resolve);
  return reach === "loopback" ? createLocalLookup(guarded) : guarded;
}

/**
 * Thrown if the receiver closed an idle connection just as it was reused. Most likely the receiver read nothing. If it
 * did read the request, it recognizes the repeated one by its `webhook-id`.
 */
class StaleConnection extends Error {}

/** Creates an error whose code becomes the outcome of the attempt. */
function refuse(code: string, text: string): Error {
  return Object.assign(new Error(text), { code });
}

function exchange(request: ClientRequest, body: string): Promise<PostResult> {
  return new Promise((resolve, reject) => {
    let answered: PostResult | undefined;
    request.on("error", (error: NodeJS.ErrnoException) => {
      // the status counts, even if reading the body fails
      if (answered !== undefined) {
        resolve(answered);
        return;
      }
      const isStale = request.reusedSocket && (error.code === "ECONNRESET" || error.code === "EPIPE");
      reject(isStale ? new StaleConnection() : error);
    });
    let interim = 0;
    request.on("information", () => {
      interim += 1;
      if (interim > MOST_INTERIM) request.destroy(refuse("TOO_MANY_INTERIM", "too many interim replies"));
    });
    // a switch to another protocol (101) emits neither a response nor an error
    request.on("close", () => {
      if (answered === undefined) reject(refuse("NO_REPLY", "the connection ended without a reply"));
    });
    request.on("response", (response) => {
      const { statusCode: status, headers } = response;
      const result = { status, retryAfter: headers["retry-after"], outcome: String(status) };
      answered = result;
      discard(response, () => resolve(result));
    });
    request.end(body);
  });
}

/** Reads and discards the body, within the limits. */
function discard(response: IncomingMessage, done: () => void): void {
  let bytes = 0;
  response.on("data", (chunk: Buffer) => {
    bytes += Math.max(chunk.length, LEAST_PIECE_BYTES);
    if (bytes > MOST_BODY_BYTES) response.destroy();
  });
  // "close" follows every error
  response.on("error", () => {});
  response.on("close", done);
}

function describe(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return code ?? name;
}

/**
 * Creates a `lookup` for Node's sockets that fails unless every address found by `resolve` is public. Sockets connect
 * to the addresses that were checked, so DNS rebinding cannot redirect them.
 */
export function createGuardedLookup(resolve: LookupFunction = createResolver()): LookupFunction {
  return createCheckedLookup(resolve, isPublicAddress);
}

/** Creates a `lookup` that resolves `localhost` and its subdomains to this machine, and all other names with `others`. */
export function createLocalLookup(others: LookupFunction): LookupFunction {
  const own = createCheckedLookup(
    (_hostname, options, callback) => lookup("localhost", options, callback),
    isLoopbackAddress,
  );
  return (hostname, options, callback) => (isLocalhost(hostname) ? own : others)(hostname, options, callback);
}

function createCheckedLookup(resolve: LookupFunction, isAllowed: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      if (error !== null) {
        callback(error, found, family);
        return;
      }
      const addresses = typeof found === "string" ? [found] : found.map(({ address }) => address);
      const isSafe = addresses.length > 0 && addresses.every(isAllowed);
      const fault = refuse("PRIVATE_ADDRESS", "the name has an address that callbacks may not go to");
      callback(isSafe ? null : fault, found, family);
    });
  };
}

/** Timeout of one query to one name server. */
const ANSWER_MS = 2_000;
const TRIES = 2;
/** Timeout for resolving one name, over all name servers. Must be shorter than an attempt. */
const LONGEST_MS = 5_000;
/** Names that no public name server knows (RFC 6761). They are never queried. */
const reserved = /\.(?:example|invalid|localhost|test)\.?$/i;

interface ResolverOptions {
  /** Addresses of name servers, with a port if it is not 53. @default this machine's name servers */
  readonly servers?: readonly string[];
  /** Timeout for resolving one name, in milliseconds. @default 5000 */
  readonly longestMs?: number;
}

/**
 * Creates a `lookup` for Node's sockets that queries the name servers and ignores the hosts file. Node's own `lookup`
 * runs in the thread pool without a timeout, so names that never resolve would delay all others.
 */
export function createResolver(options: ResolverOptions = {}): LookupFunction {
  return (hostname, { all }, callback) => {
    findAddresses(hostname, options).then(
      (found) => {
        const [first] = found;
        if (all === true) callback(null, found);
        else callback(null, first?.address ?? "", first?.family ?? 4);
      },
      (error) => callback(error, "", 4),
    );
  };
}

/** Returns the addresses that arrived in time, at least one. Rejects with the name server's error if there are none. */
async function findAddresses(
  hostname: string,
  { servers, longestMs = LONGEST_MS }: ResolverOptions,
): Promise<{ address: string; family: number }[]> {
  if (reserved.test(hostname)) throw refuse("ENOTFOUND", "the name is reserved");
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers(servers);
  let isLate = false;
  const bound = setTimeout(() => {
    isLate = true;
    resolver.cancel();
  }, longestMs);
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  clearTimeout(bound);
  const found = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && isLate) throw refuse("ETIMEOUT", "no name server answered in time");
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found;
}
