// Asks the name servers for a callback's host. Node's own `lookup` would ask in the thread pool, two names at a time and for
// as long as they take: names that never answer would hold up everybody else's. Each name is asked for on its own, and for
// less time than an attempt has: there are never more questions open than attempts under way, two for each.

import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";

/** How long one name server may take for one question. */
const ANSWER_MS = 2_000;
const TRIES = 2;
/** How long one name may take in all, however many servers there are to ask. */
const LONGEST_MS = 5_000;
/** Names that no public name server knows (RFC 6761), which need not be asked for. */
const reserved = /\.(?:example|invalid|localhost|test)\.?$/i;

export interface ResolverOptions {
  /** Addresses of name servers, with a port where it is not 53. @default those of this machine */
  readonly servers?: readonly string[];
  /** How long one name may take in all. @default 5000 */
  readonly longestMs?: number;
}

/** A `lookup` for Node's sockets that knows what the name servers say, and nothing of this machine's hosts file. */
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

/** At least one, of those that came in time. Rejects as the name servers refuse. */
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
