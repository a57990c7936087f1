// What a URL has to be for a callback to be posted to it. Names are judged again when they are resolved: see
// dispatch/callbacks.

import { isIP } from "node:net";
import { isPublicAddress } from "./public-address.ts";

export interface CallbackUrlFault {
  readonly code: "invalid_uri" | "not_allowed";
  readonly detail: string;
}

const LEAVE = "The operator can allow others for development, with --allow-private-callbacks.";

/**
 * The fault of a callback URL, or undefined. `allowPrivate` is the operator's leave, for development, to use http and
 * addresses of this machine or its network.
 */
export function findCallbackUrlFault(
  text: string,
  { allowPrivate }: { allowPrivate: boolean },
): CallbackUrlFault | undefined {
  if (!URL.canParse(text)) return { code: "invalid_uri", detail: "Expected an absolute https URL; it cannot be read." };
  const url = new URL(text);
  const allowed = allowPrivate ? ["https:", "http:"] : ["https:"];
  if (!allowed.includes(url.protocol)) {
    const scheme = url.protocol.slice(0, -1);
    return { code: "not_allowed", detail: `Expected an https URL; received one of ${scheme}. ${LEAVE}` };
  }
  if (url.username !== "" || url.password !== "") {
    const detail = "Expected a URL without a user name or password; check the signature of what is posted instead.";
    return { code: "not_allowed", detail };
  }
  if (!allowPrivate && isPrivateHost(url.hostname)) {
    const detail = `Expected a host that the public internet reaches; received ${url.hostname}. ${LEAVE}`;
    return { code: "not_allowed", detail };
  }
  return undefined;
}

/** Whether the host of a parsed URL is an address or a name that is private whatever a resolver says. */
function isPrivateHost(hostname: string): boolean {
  const address = addressOf(hostname);
  return address === undefined ? /(^|\.)localhost\.?$/.test(hostname) : !isPublicAddress(address);
}

/** The address that a parsed URL's `hostname` is, without the brackets of IPv6; undefined for a name. */
export function addressOf(hostname: string): string | undefined {
  const address = hostname.replace(/^\[(.*)\]$/, "$1");
  return isIP(address) === 0 ? undefined : address;
}
