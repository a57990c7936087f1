// Requests of those who are not signed in: from which pages they may come, and the cookie by which a session is refreshed.

import type { IncomingHttpHeaders } from "node:http";
import type { FastifyReply, FastifyRequest } from "fastify";
import { isPublicAddress } from "../rules/public-address.ts";
import { Refusal } from "../rules/refusal.ts";
import type { Caller, Visit } from "../steps/operation.ts";

const COOKIE = "__Secure-msgd-session";
/** Sent to what refreshes and ends the session, and to nothing else. */
const PATH = "/dashboard/api/session";

/** The caller of an operation that takes no session. Throws for a request that another site's page has caused. */
export function admitVisitor(headers: IncomingHttpHeaders): Caller {
  if (isForeign(headers)) {
    throw new Refusal("merchant_scope_denied", "Another site has caused this request, and may not use the dashboard.");
  }
  return { apiKey: "visitor", tenantId: 0, timezone: "UTC", merchantId: null };
}

/** A browser says which page a request is of; programs need not. */
function isForeign({ host = "", origin, ...headers }: IncomingHttpHeaders): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  return origin !== undefined && !isOriginOf(origin, host);
}

function isOriginOf(origin: string, host: string): boolean {
  return URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Needs the plugin for cookies. */
export function createVisit(request: FastifyRequest, reply: FastifyReply): Visit {
  return {
    address: addressOf(request),
    cookie: request.cookies[COOKIE],
    retryAfter: (seconds) => void reply.header("Retry-After", seconds),
    setCookie(value, seconds) {
      const options = { path: PATH, httpOnly: true, secure: true, sameSite: "strict" } as const;
      if (value === undefined) reply.clearCookie(COOKIE, options);
      else reply.setCookie(COOKIE, value, { ...options, ...(seconds === undefined ? {} : { maxAge: seconds }) });
    },
  };
}

/**
 * Behind a proxy, which has an address of this network, the one that the proxy saw: the last of those that are forwarded.
 * Whoever makes one up is in this network too, and still bounded by the account.
 */
function addressOf({ ip, headers }: FastifyRequest): string {
  const [forwarded = ""] = [headers["x-forwarded-for"] ?? ""].flat().slice(-1);
  const last = forwarded.split(",").at(-1)?.trim() ?? "";
  return last !== "" && last.length <= 64 && !isPublicAddress(ip) ? last : ip;
}
