// Finds the client's address of a request, and the form in which the log shows it.

import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { createIsWithin, findClientAddress, networkOf, parseAddress } from "../rules/network-addresses.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** In its one form: the peer's, or what trusted proxies forwarded. */
    readonly clientAddress: string;
    /** The same as log lines may show it; undefined where they may not. */
    readonly loggedAddress: string | undefined;
  }
}

/** How much of an address log lines show. */
export type LoggedAddresses = "full" | "masked" | "none";

export interface ClientAddressOptions {
  /** Networks whose X-Forwarded-For is believed. @default none */
  readonly trustedProxies?: readonly string[] | undefined;
  /** @default "full" */
  readonly logAddresses?: LoggedAddresses | undefined;
}

export interface ClientAddresses {
  of(request: FastifyRequest): string;
  logged(request: FastifyRequest): string | undefined;
}

/** Address of a peer that left before it could be asked. */
const UNKNOWN = "::";
const MASK = { ipv4: 24, ipv6: 48 };

export function createClientAddresses({
  trustedProxies = [],
  logAddresses = "full",
}: ClientAddressOptions): ClientAddresses {
  const isTrusted = createIsWithin(trustedProxies);
  let hasWarned = false;

  function of({ ip, headers, log }: FastifyRequest): string {
    const peer = parseAddress(ip ?? "");
    if (peer === undefined) return UNKNOWN;
    const forwarded = [headers["x-forwarded-for"] ?? []].flat().join(",");
    if (forwarded !== "" && !hasWarned && !isTrusted(peer)) {
      hasWarned = true;
      log.warn(
        { peer },
        "X-Forwarded-For came from a peer that is no trusted proxy, and is not believed: if the peer is your proxy, all who come through it share one limit of failed sign-ins, until --trusted-proxies (MSGD_TRUSTED_PROXIES) names it",
      );
    }
    return findClientAddress(peer, forwarded, isTrusted);
  }

  return {
    of,
    logged(request) {
      if (logAddresses === "none") return undefined;
      const address = of(request);
      return logAddresses === "full" ? address : networkOf(address, MASK);
    },
  };
}

// Checks of the Host header. A web page can make its own host name resolve to this machine and then read whatever needs
// no credential (DNS rebinding), but its browser still sends that name. An address cannot be rebound.

/** Returns the name or address of a Host header in lower case, without port and brackets. */
export function readHostName(host: string): string {
  return host
    .toLowerCase()
    .replace(/:\d*$/, "")
    .replace(/^\[(.*)\]$/, "$1");
}

/** Returns whether a name returned by `readHostName` is a loopback name or address. */
export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name === "::1" || (isIP(name) === 4 && name.startsWith("127."));
}

/** Returns whether the host is an address, a loopback name, or one of `names`, which are in lower case. */
export function isKnownHost(host: string, names: ReadonlySet<string>): boolean {
  const name = readHostName(host);
  return isIP(name) !== 0 || isLoopbackName(name) || names.has(name);
}
