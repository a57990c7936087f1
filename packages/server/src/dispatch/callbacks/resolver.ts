// Asks the name servers for a callback's host. Node's own `lookup` runs in the thread pool, two names at a time and
// without a timeout: names that never answer would delay all others. Here each name is queried on its own, for less
// time than an attempt has, so that there are never more than two open queries per attempt in flight.

import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";
import { clearTimeout, setTimeout } from "../../platform/timers.ts";

/** Timeout of one query to one name server. */
const ANSWER_MS = 2_000;
const TRIES = 2;
/** Timeout of one name, however many servers there are to ask. */
const LONGEST_MS = 5_000;
/** Names that no public name server knows (RFC 6761), and that are never queried. */
const reserved = /\.(?:example|invalid|localhost|test)\.?$/i;

export interface ResolverOptions {
  /** Addresses of name servers, with a port if it is not 53. @default those of this machine */
  readonly servers?: readonly string[];
  /** Timeout of one name. @default 5000 */
  readonly longestMs?: number;
}

/** A `lookup` for Node's sockets that asks the name servers and ignores this machine's hosts file. */
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

/** Returns at least one address, of those that came in time. Rejects with the name servers' error. */
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

function refuse(code: string, text: string): Error {
  return Object.assign(new Error(text), { code });
}
