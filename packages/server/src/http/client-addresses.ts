// Finds the address of a request's client, and the form in which log lines show it (docs/decisions/0062).

import type { FastifyRequest } from "fastify";
import { createIsWithin, findClientAddress, networkOf, parseAddress } from "../domain/network-addresses.ts";

declare module "fastify" {
  interface FastifyRequest {
    /** The address of the peer, or the one that trusted proxies forwarded, in normalized form. */
    readonly clientAddress: string;
    /** The address as log lines may show it; undefined if they may not. */
    readonly loggedAddress: string | undefined;
  }
}

/** The part of an address that log lines show. */
export type LoggedAddresses = "full" | "masked" | "none";

export interface ClientAddressOptions {
  /** Networks whose X-Forwarded-For is trusted. @default none */
  readonly trustedProxies?: readonly string[] | undefined;
  /** @default "full" */
  readonly logAddresses?: LoggedAddresses | undefined;
}

export interface ClientAddresses {
  of(request: FastifyRequest): string;
  logged(request: FastifyRequest): string | undefined;
}

/** The address of a peer that disconnected before its address was read. */
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
        "ignored X-Forwarded-For, because it came from a peer that is not a trusted proxy: if the peer is your proxy, all clients behind it share one limit of failed sign-ins until --trusted-proxies (MSGD_TRUSTED_PROXIES) names it",
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
