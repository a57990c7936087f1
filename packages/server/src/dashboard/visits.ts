// Requests of those who are not signed in: from which pages they may come, and the cookies that their browsers keep.

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { clientGone } from "../http/replies/reply-client.ts";
import { Refusal } from "../rules/refusal.ts";
import type { Caller, CookieName, Visit } from "../steps/operation.ts";

/** No other host, not even of the same domain, can set a cookie with this prefix. The browser sends it to every path. */
const cookieNames: Readonly<Record<CookieName, string>> = {
  session: "__Host-msgd-session",
  device: "__Host-msgd-device",
};
const COOKIE_ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** fail2ban reads it: docs/operations.md has the expression. */
const REFUSED = "a sign-in was refused";

/**
 * Creates what finds the caller of an operation that takes no session. That throws for a request that another site's page
 * has caused.
 *
 * @param publicUrl where browsers reach the server, whatever Host a proxy sends
 */
export function createAdmitVisitor(publicUrl: string | undefined): (headers: IncomingHttpHeaders) => Caller {
  /** A browser says which page a request is of; programs need not. */
  function isForeign({ host = "", origin, ...headers }: IncomingHttpHeaders): boolean {
    const site = headers["sec-fetch-site"];
    if (site !== undefined) return site !== "same-origin" && site !== "none";
    return origin !== undefined && origin !== publicUrl && !isOriginOf(origin, host);
  }

  return (headers) => {
    if (isForeign(headers)) {
      throw new Refusal(
        "merchant_scope_denied",
        "Another site has caused this request, and may not use the dashboard. If this is the server's own address, the operator names it: --public-url (MSGD_PUBLIC_URL).",
      );
    }
    return { apiKey: "visitor", tenantId: 0, timezone: "UTC", merchantId: null };
  };
}

function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

export function createVisit(request: FastifyRequest, reply: FastifyReply): Visit {
  const gone = new AbortController();
  reply.raw.once("close", () => gone.abort(clientGone()));
  return {
    from: {
      address: request.clientAddress,
      loggedAddress: request.loggedAddress,
      requestId: request.id,
      gone: gone.signal,
    },
    readCookie: (name) => findCookie(request.headers, cookieNames[name]),
    setCookie(name, value, seconds) {
      const lasting = value === undefined ? "; Max-Age=0" : seconds === undefined ? "" : `; Max-Age=${seconds}`;
      reply.header("Set-Cookie", `${cookieNames[name]}=${value ?? ""}; ${COOKIE_ATTRIBUTES}${lasting}`);
    },
    retryAfter: (seconds) => void reply.header("Retry-After", seconds),
    noteRefusal({ code }) {
      const details = { requestId: request.id, address: request.loggedAddress, code };
      // beyond the limits attempts cost nothing, and could fill the log
      if (code === "credentials_invalid") request.log.warn({ ...details, event: "sign_in_refused" }, REFUSED);
      else request.log.info(details, REFUSED);
    },
  };
}

/** The value of a cookie; undefined without one. Those that are set here have no character that would be encoded. */
function findCookie({ cookie = "" }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
