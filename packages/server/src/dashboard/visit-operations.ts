// Signing in and out, and setting a password.

import type { Views } from "@msgctl/dashboard/api";
import { Refusal } from "../rules/refusal.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import { DEVICE_MS } from "./device-tokens.ts";
import type { VisitId } from "./permissions.ts";
import { type BegunSession, LONGEST_MS, type Sessions, TooManyAttempts } from "./sessions.ts";

const SESSION_SECONDS = LONGEST_MS / 1_000;
const DEVICE_SECONDS = DEVICE_MS / 1_000;

/** Without sessions, as in development, there is nothing to sign in to. */
export function visitHandlers(sessions: Sessions | undefined): DashboardHandlers<VisitId> {
  function requireSessions(): Sessions {
    if (sessions !== undefined) return sessions;
    throw new Refusal("route_not_found", "A server in development has no users: nobody signs in.");
  }
  return {
    signIn: {
      async visit({ from, readCookie, setCookie, retryAfter, noteRefusal }, { body }) {
        try {
          const { device, ...session } = await requireSessions().signIn({
            ...body,
            device: readCookie("device"),
            from,
          });
          setCookie("session", session.refresh, SESSION_SECONDS);
          setCookie("device", device, DEVICE_SECONDS);
          return viewToken(session);
        } catch (error) {
          if (error instanceof TooManyAttempts) retryAfter(error.waitSeconds);
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
