// What a URL has to be for a callback to be posted to it. Names are judged again when they are resolved: see
// dispatch/callbacks.

import { BlockList, isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export interface CallbackUrlFault {
  readonly code: "invalid_uri" | "not_allowed";
  readonly detail: string;
}

/**
 * Where callbacks may go: to public hosts by https; in development to this machine too, by http as well; with the
 * operator's leave to any address, by either.
 */
export type CallbackReach = "public" | "loopback" | "private";

const LEAVE =
  "The operator can allow others for development: this machine with --dev, its network with --allow-private-callbacks.";

/** The fault of a callback URL, or undefined. */
export function findCallbackUrlFault(text: string, reach: CallbackReach): CallbackUrlFault | undefined {
  if (!URL.canParse(text)) return { code: "invalid_uri", detail: "Expected an absolute https URL; it cannot be read." };
  const url = new URL(text);
  const isFree = reach === "private" || (reach === "loopback" && isLoopbackHost(url.hostname));
  const allowed = isFree ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    const scheme = url.protocol.slice(0, -1);
    return { code: "not_allowed", detail: `Expected an https URL; received one of ${scheme}. ${LEAVE}` };
  }
  if (url.username !== "" || url.password !== "") {
    const detail = "Expected a URL without a user name or password; check the signature of what is posted instead.";
    return { code: "not_allowed", detail };
  }
  if (!isFree && isPrivateHost(url.hostname)) {
    const detail = `Expected a host that the public internet reaches; received ${url.hostname}. ${LEAVE}`;
    return { code: "not_allowed", detail };
  }
  return undefined;
}

/** Whether the host of a parsed URL is an address or a name that is private whatever a resolver says. */
function isPrivateHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? isLocalhost(hostname) : !isPublicAddress(address);
}

function isLoopbackHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? isLocalhost(hostname) : isLoopbackAddress(address);
}

/** Whether the name is one of this machine's own, which no name server decides (RFC 6761). */
export function isLocalhost(hostname: string): boolean {
  return /(^|\.)localhost\.?$/i.test(hostname);
}

const loopback = new BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

/** Whether the IP address is this machine's own. */
export function isLoopbackAddress(address: string): boolean {
  return loopback.check(address, isIP(address) === 4 ? "ipv4" : "ipv6");
}

/** The address that a parsed URL's `hostname` is, without the brackets of IPv6; undefined for a name. */
export function addressOf(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}
