import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Views } from "../api.ts";

export type Session = Views["SessionView"];

export const SessionContext = createContext<Session | undefined>(undefined);

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === undefined) throw new Error("a page was shown without a session");
  return session;
}

/** Whether the user is an admin of the whole tenant. Only such admins see its health, carriers and SIP passwords. */
export function isTenantAdmin({ role, merchantId }: Pick<Session, "role" | "merchantId">): boolean {
  return role === "admin" && merchantId === null;
}

/** Whether the user may make the changes that support needs. */
export function isAgent({ role }: Pick<Session, "role">): boolean {
  return role === "agent" || role === "admin";
}

/** Whether the user may see the audit, which covers the whole tenant; an operator's covers operators. */
export function isAuditor({ role, merchantId }: Pick<Session, "role" | "merchantId">): boolean {
  return (role === "auditor" || role === "admin" || role === "operator") && merchantId === null;
}

/** Whether the user belongs to no tenant, and so sees only counts of all tenants. */
export function isOperator({ role }: Pick<Session, "role">): boolean {
  return role === "operator";
}
