// Asks the name servers for a callback's host. Node's own `lookup` would ask in the thread pool, two names at a time and for
// as long as they take: names that never answer would hold up everybody else's.

import { Resolver } from "node:dns/promises";
import type { LookupFunction } from "node:net";

const ANSWER_MS = 3_000;
const TRIES = 2;
/** Names that no public name server knows (RFC 6761), which need not be asked for. */
const reserved = /\.(?:example|invalid|localhost|test)\.?$/i;

/** A `lookup` for Node's sockets that knows what the name servers say, and nothing of this machine's hosts file. */
export function createResolver(): LookupFunction {
  const resolver = new Resolver({ timeout: ANSWER_MS, tries: TRIES });
  return (hostname, options, callback) => {
    findAddresses(resolver, hostname).then(
      (found) => {
        const [first] = found;
        if (options.all === true) callback(null, found);
        else callback(null, first?.address ?? "", first?.family ?? 4);
      },
      (error) => callback(error, "", 4),
    );
  };
}

/** At least one. Rejects as the name servers refuse. */
async function findAddresses(resolver: Resolver, hostname: string): Promise<{ address: string; family: number }[]> {
  if (reserved.test(hostname)) throw Object.assign(new Error("the name is reserved"), { code: "ENOTFOUND" });
  const [four, six] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [
    ...(four.status === "fulfilled" ? four.value.map((address) => ({ address, family: 4 })) : []),
    ...(six.status === "fulfilled" ? six.value.map((address) => ({ address, family: 6 })) : []),
  ];
  if (found.length === 0 && four.status === "rejected") throw four.reason;
  return found;
}
