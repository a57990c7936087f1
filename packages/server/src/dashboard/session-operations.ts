// Shows the session, and signs visitors in and out. Sets their cookies, and refuses requests from pages of other sites.

import type { IncomingHttpHeaders } from "node:http";
import { operations } from "@msgctl/contract";
import type { Views } from "@msgctl/dashboard/api";
import type { FastifyReply, FastifyRequest } from "fastify";
import { viewTime } from "../domain/calendar.ts";
import type { Caller } from "../domain/context.ts";
import type { CookieName, Visit } from "../domain/handler.ts";
import { callingCodeOfZone } from "../domain/phone-numbers.ts";
import { Refusal } from "../domain/refusal.ts";
import { EVERY_TENANT, findTenant, listTenants, type TenantRow } from "../domain/tenancy/rows.ts";
import { mayAs } from "../domain/users/rules.ts";
import { clientGone } from "../http/replies/replies.ts";
import { type DashboardHandlers, permissions, type VisitId } from "./dashboard-api.ts";
import { type BegunSession, LONGEST_MS, type Sessions, TooManyAttempts } from "./sessions.ts";
import { DEVICE_MS } from "./signed-tokens.ts";

/** What an operator sees in place of a tenant. */
const allTenants: TenantRow = { tenantId: EVERY_TENANT, name: "All tenants", timezone: "UTC", mode: "live" };

/** Maximum number of tenants that are listed in development. */
const MOST_TENANTS = 100;

export function sessionHandlers({
  isDevelopment,
  canSearch,
}: {
  isDevelopment: boolean;
  canSearch: boolean;
}): DashboardHandlers<"getSession" | "listPermissions"> {
  return {
    getSession: {
      async read({ tx, caller, now }) {
        const isOperator = caller.role === "operator";
        const own = isOperator ? allTenants : await findTenant(tx, caller.tenantId);
        if (own === undefined) throw new Error("a session has no tenant");
        const tenants = isDevelopment ? await listTenants(tx) : [own];
        return {
          email: caller.email,
          role: caller.role,
          merchantId: caller.merchantId,
          needsSecondFactor: caller.needsSecondFactor,
          tenant: viewTenant(own),
          tenants: tenants.slice(0, MOST_TENANTS).map(viewTenant),
          isDevelopment,
          canSearch: canSearch && !isOperator,
          callingCode: callingCodeOfZone(own.timezone) ?? null,
          now: new Date(now).toISOString(),
        };
      },
    },
    listPermissions: {
      answer: async ({ role }) =>
        Object.values(operations).map(({ operationId }) => {
          const { role: least } = permissions[operationId];
          return { operationId, role: least, isAllowed: mayAs(role, least) };
        }),
    },
  };
}

function viewTenant({ tenantId, ...tenant }: TenantRow): Views["TenantView"] {
  return { tenantId: String(tenantId), ...tenant };
}

const SESSION_SECONDS = LONGEST_MS / 1_000;
const DEVICE_SECONDS = DEVICE_MS / 1_000;

/** Creates the handlers of a user's own account. In development there are no users, and so no sessions. */
export function accountHandlers(
  sessions: Sessions | undefined,
): DashboardHandlers<"listSessions" | "endOtherSessions" | "changePassword"> {
  return {
    listSessions: {
      async answer({ userId, sessionId: ownId }) {
        const found = userId === null ? [] : await sessions?.list(userId);
        return (found ?? []).map(({ sessionId, createdAt, refreshedAt }) => ({
          ...{ createdAt: viewTime(createdAt), refreshedAt: viewTime(refreshedAt), isCurrent: sessionId === ownId },
        }));
      },
    },
    endOtherSessions: {
      async answer({ userId, sessionId }) {
        if (userId !== null && sessionId !== null) await sessions?.endOthers(userId, sessionId);
      },
    },
    changePassword: {
      async visit({ setCookie, retryAfter }, { body }, { userId, sessionId }) {
        if (sessions === undefined || userId === null || sessionId === null) throw noUsers();
        const { device } = await retryLater(retryAfter, () => sessions.changePassword({ ...body, userId, sessionId }));
        setCookie("device", device, DEVICE_SECONDS);
      },
    },
  };
}

/** Runs `work`. Adds a Retry-After to a refusal after too many failed attempts. */
export async function retryLater<T>(retryAfter: Visit["retryAfter"], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof TooManyAttempts) retryAfter(error.waitSeconds);
    throw error;
  }
}

/** Refuses an operation on users or their sessions on a development server. */
export function noUsers(): Refusal {
  return new Refusal("route_not_found", "A development server has no users: nobody signs in.");
}

/**
 * Creates the handlers of operations that need no session. On a development server, which has no users, `sessions` is
 * undefined and the handlers throw `route_not_found`.
 */
export function visitHandlers(sessions: Sessions | undefined): DashboardHandlers<VisitId> {
  function requireSessions(): Sessions {
    if (sessions !== undefined) return sessions;
    throw noUsers();
  }
  return {
    signIn: {
      async visit({ from, readCookie, setCookie, retryAfter, noteRefusal }, { body }) {
        try {
          const attempt = { ...body, code: body.code, device: readCookie("device"), from };
          const { device, ...session } = await retryLater(retryAfter, () => requireSessions().signIn(attempt));
          setCookie("session", session.refresh, SESSION_SECONDS);
          setCookie("device", device, DEVICE_SECONDS);
          return viewToken(session);
        } catch (error) {
          if (error instanceof Refusal) noteRefusal(error);
          throw error;
        }
      },
    },
    refreshSession: {
      async visit({ from, readCookie, setCookie }) {
        try {
          const session = await requireSessions().refresh(readCookie("session"), from);
          setCookie("session", session.refresh, SESSION_SECONDS);
          return viewToken(session);
        } catch (error) {
          if (error instanceof Refusal && error.code === "credentials_invalid") setCookie("session", undefined);
          throw error;
        }
      },
    },
    signOut: {
      async visit({ readCookie, setCookie }) {
        await requireSessions().signOut(readCookie("session"));
        setCookie("session", undefined);
      },
    },
    setPassword: {
      async visit({ from, setCookie }, { body }) {
        const { email, device } = await requireSessions().setPassword({ ...body, from });
        setCookie("device", device, DEVICE_SECONDS);
        return { email };
      },
    },
  };
}

function viewToken({ token, expiresAt }: BegunSession): Views["SessionToken"] {
  return { token, expiresAt: new Date(expiresAt).toISOString() };
}

/** Names of cookies. The prefix `__Host-` prevents other hosts, even of the same domain, from setting them. */
const cookieNames: Readonly<Record<CookieName, string>> = {
  session: "__Host-msgd-session",
  device: "__Host-msgd-device",
};
const COOKIE_ATTRIBUTES = "Path=/; HttpOnly; Secure; SameSite=Strict";

/** The message that fail2ban matches: docs/operations.md has the expression. */
const REFUSED = "a sign-in was refused";

/**
 * Returns a function that returns the caller for operations that need no session. The function throws if a page of
 * another site made the request.
 *
 * @param publicUrl the URL at which browsers reach the server, even if a proxy changes the Host header
 */
export function createAdmitVisitor(publicUrl: string | undefined): (headers: IncomingHttpHeaders) => Caller {
  /** Returns whether the headers say that a page of another site made the request. */
  function isForeign({ host = "", origin, ...headers }: IncomingHttpHeaders): boolean {
    const site = headers["sec-fetch-site"];
    if (site !== undefined) return site !== "same-origin" && site !== "none";
    return origin !== undefined && origin !== publicUrl && !isOriginOf(origin, host);
  }

  return (headers) => {
    if (isForeign(headers)) {
      throw new Refusal(
        "merchant_scope_denied",
        "Another site caused this request and may not use the dashboard. If that site is this server's own address, the operator has to set --public-url (MSGD_PUBLIC_URL).",
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
      // attempts beyond the limits are not logged: they are cheap and could fill the log
      if (code === "credentials_invalid") request.log.warn({ ...details, event: "sign_in_refused" }, REFUSED);
      else request.log.info(details, REFUSED);
    },
  };
}

/** Returns the value of a cookie; undefined if the request has no such cookie. This server's cookies need no decoding. */
function findCookie({ cookie = "" }: IncomingHttpHeaders, name: string): string | undefined {
  const pairs = cookie.split(";").map((pair) => pair.trim());
  return pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
}
