// Signing in and out, and setting a password.

import type { Views } from "@msgctl/dashboard/api";
import { Refusal } from "../rules/refusal.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import type { VisitId } from "./permissions.ts";
import { type BegunSession, LONGEST_MS, type Sessions, TooManyAttempts } from "./sessions.ts";

const COOKIE_SECONDS = LONGEST_MS / 1_000;

/** Without sessions, as in development, there is nothing to sign in to. */
export function visitHandlers(sessions: Sessions | undefined): DashboardHandlers<VisitId> {
  function requireSessions(): Sessions {
    if (sessions !== undefined) return sessions;
    throw new Refusal("route_not_found", "A server in development has no users: nobody signs in.");
  }
  return {
    signIn: {
      async visit({ address, setCookie, retryAfter }, { body }) {
        try {
          const session = await requireSessions().signIn({ ...body, address });
          setCookie(session.refresh, COOKIE_SECONDS);
          return viewToken(session);
        } catch (error) {
          if (error instanceof TooManyAttempts) retryAfter(error.waitSeconds);
          throw error;
        }
      },
    },
    refreshSession: {
      async visit({ cookie, setCookie }) {
        try {
          const session = await requireSessions().refresh(cookie);
          setCookie(session.refresh, COOKIE_SECONDS);
          return viewToken(session);
        } catch (error) {
          if (error instanceof Refusal && error.code === "credentials_invalid") setCookie(undefined);
          throw error;
        }
      },
    },
    signOut: {
      async visit({ cookie, setCookie }) {
        await requireSessions().signOut(cookie);
        setCookie(undefined);
      },
    },
    setPassword: { visit: async (_visit, { body }) => ({ email: await requireSessions().setPassword(body) }) },
  };
}

function viewToken({ token, expiresAt }: BegunSession): Views["SessionToken"] {
  return { token, expiresAt: new Date(expiresAt).toISOString() };
}
