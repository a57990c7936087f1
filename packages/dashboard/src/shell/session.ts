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

/** Whether the session may see health and carriers: only admins of the whole tenant may. */
export function maySeeHealth({ role, merchantId }: Pick<Session, "role" | "merchantId">): boolean {
  return role === "admin" && merchantId === null;
}

/** Whether the user may see the Voice page. It contains SIP passwords, so it is only for admins of the whole tenant. */
export function maySeeVoice({ role, merchantId }: Pick<Session, "role" | "merchantId">): boolean {
  return role === "admin" && merchantId === null;
}
