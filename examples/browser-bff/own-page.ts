import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a request is the page's own: made to the name that the page is served under, which a name of an attacker's that
 * leads here is not, and for all but a read from that very origin, which every browser says of a POST and no page can
 * forge. No cookie, no token and no session is needed.
 */
export function isFromOwnPage(method: string, headers: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (headers.host !== new URL(publicOrigin).host) return false;
  return method === "GET" || method === "HEAD" || headers.origin === publicOrigin;
}
