import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a request comes from the page itself. It has to name the host under which the page is served: an attacker's host
 * name that resolves here differs. Except for a read, it also needs that very origin, which every browser sends with a POST
 * and no page can forge. No cookie, token or session is needed.
 */
export function isFromOwnPage(method: string, headers: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (headers.host !== new URL(publicOrigin).host) return false;
  return method === "GET" || method === "HEAD" || headers.origin === publicOrigin;
}
