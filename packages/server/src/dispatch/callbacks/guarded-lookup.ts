// Name resolution for callbacks. The addresses checked are the ones connected to, so a name that resolves to something
// else a moment later (DNS rebinding) gains nothing.

import { lookup } from "node:dns";
import type { LookupFunction } from "node:net";
import { isLocalhost, isLoopbackAddress } from "../../rules/callback-url.ts";
import { isPublicAddress } from "../../rules/public-address.ts";
import { createResolver } from "./resolver.ts";

/** A name resolved to an address outside the public internet. */
export class PrivateAddressError extends Error {
  override readonly name = "PrivateAddressError";
  readonly code = "PRIVATE_ADDRESS";
}

/** A `lookup` for Node's sockets that fails unless every address that `resolve` finds is public. */
export function createGuardedLookup(resolve: LookupFunction = createResolver()): LookupFunction {
  return createCheckedLookup(resolve, isPublicAddress);
}

/** A `lookup` that resolves `localhost` and names below it to this machine, and all other names with `others`. */
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
      callback(
        isSafe ? null : new PrivateAddressError("the name has an address that callbacks may not go to"),
        found,
        family,
      );
    });
  };
}
