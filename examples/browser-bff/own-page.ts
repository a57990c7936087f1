import type { IncomingHttpHeaders } from "node:http";

/**
 * Returns whether a request comes from the page itself; no cookie, token or session is needed. The Host header must name
 * the host that serves the page: this stops DNS rebinding. Unless the request is a read, its Origin header must be the
 * page's, too: every browser sends it with a POST, and no page can forge it.
 */
export function isFromOwnPage(method: string, headers: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (headers.host !== new URL(publicOrigin).host) return false;
  return method === "GET" || method === "HEAD" || headers.origin === publicOrigin;
}
