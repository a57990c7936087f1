// Name resolution for callbacks. The addresses that it lets through are those that are connected to, so a name that
// resolves to something else a moment later (DNS rebinding) gains nothing.

import type { LookupFunction } from "node:net";
import { isPublicAddress } from "../../rules/public-address.ts";
import { createResolver } from "./resolver.ts";

/** A name resolved to something that is not of the public internet. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
  readonly code = "PRIVATE_ADDRESS";
}

/** A `lookup` for Node's sockets that fails unless every address that `resolve` finds is public. */
export function createGuardedLookup(resolve: LookupFunction = createResolver()): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, found, family) => {
      if (error !== null) {
        callback(error, found, family);
        return;
      }
      const addresses = typeof found === "string" ? [found] : found.map(({ address }) => address);
      const isSafe = addresses.length > 0 && addresses.every(isPublicAddress);
      callback(isSafe ? null : new PrivateAddressError("the name has an address that is not public"), found, family);
    });
  };
}
