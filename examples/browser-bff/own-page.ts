import type { IncomingHttpHeaders } from "node:http";

/**
 * Whether a request comes from the page itself. Its Host must be the host that serves the page, which excludes an attacker's
 * host name that resolves to this server. Unless it is a read, its Origin must be the page's: every browser sends it with a
 * POST, and no page can forge it. No cookie, token or session is needed.
 */
export function isFromOwnPage(method: string, headers: IncomingHttpHeaders, publicOrigin: string): boolean {
  if (headers.host !== new URL(publicOrigin).host) return false;
  return method === "GET" || method === "HEAD" || headers.origin === publicOrigin;
}
