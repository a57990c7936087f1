// The side navigation: the pages that the user's role may see, in groups. On a narrow window it opens from a menu button.

import { useLayoutEffect, useRef } from "preact/hooks";
import { signOut } from "../client/client.ts";
import { Icon, type IconName } from "./icon.tsx";
import { useKeys } from "./keys.ts";
import { Link } from "./navigation.tsx";
import { allCalls, allEntries, allMessages, allRequests, type Route } from "./route.ts";
import { isAgent, isAuditor, isOperator, isTenantAdmin, type Session } from "./session.ts";
import { compactRows } from "./setting.ts";
import { Switch } from "./switch.tsx";

interface Entry {
  /** A page of the dashboard, or the address of another page of the server. */
  readonly to: Route | "/docs";
  readonly icon: IconName;
  readonly text: string;
  /** Pages that are reached through this one. */
  readonly within?: readonly Route["page"][];
}

interface Group {
  /** Undefined for the first group, which needs no heading. */
  readonly name: string | undefined;
  readonly entries: readonly Entry[];
}

/** Lists the pages that the session may see. */
function listGroups(session: Session): Group[] {
  const { role, isDevelopment } = session;
  const installation: Entry = { to: { page: "installation" }, icon: "installation", text: "Installation" };
  const audit: Entry = { to: allEntries, icon: "audit", text: "Audit" };
  if (isOperator(session)) return [{ name: undefined, entries: [installation, audit] }];
  const isAdmin = role === "admin";
  const seesTenant = isTenantAdmin(session);
  const groups: Group[] = [
    {
      name: undefined,
      entries: [
        { to: allMessages, icon: "messages", text: "Messages", within: ["message"] },
        { to: allCalls, icon: "calls", text: "Calls", within: ["batch", "call"] },
        { to: { page: "recipients" }, icon: "recipients", text: "Recipients", within: ["recipient"] },
      ],
    },
    {
      name: "Business",
      entries: [
        { to: { page: "overview" }, icon: "overview", text: "Overview" },
        { to: { page: "merchants" }, icon: "merchants", text: "Merchants", within: ["merchant"] },
        { to: { page: "registration", merchantId: "" }, icon: "registration", text: "Registration" },
        ...only(seesTenant, { to: { page: "voice" }, icon: "voice", text: "Voice" }),
      ],
    },
    {
      name: "Developers",
      entries: [
        { to: allRequests, icon: "requests", text: "Requests" },
        { to: { page: "callbacks", status: "", before: "" }, icon: "webhooks", text: "Webhooks", within: ["callback"] },
        ...only(isAdmin, { to: { page: "keys" }, icon: "keys", text: "API keys" }),
        ...only(isDevelopment, { to: { page: "simulator" }, icon: "simulator", text: "Simulator" }),
        // viewers and auditors change nothing
        ...only(isAgent(session), {
          to: { page: "operations" },
          icon: "operations",
          text: "Operations",
          within: ["operation"],
        }),
        ...only(isAgent(session), { to: "/docs", icon: "reference", text: "API reference" }),
      ],
    },
    {
      name: "Operation",
      entries: [
        ...only(seesTenant, { to: { page: "carriers" }, icon: "carriers", text: "Carriers" }),
        ...only(seesTenant, { to: { page: "health" }, icon: "health", text: "Health" }),
        ...only(isAdmin && !isDevelopment, { to: { page: "users" }, icon: "users", text: "Users" }),
        ...only(isAuditor(session) && !isDevelopment, audit),
        ...only(isDevelopment, installation),
      ],
    },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

function only(isShown: boolean, entry: Entry): Entry[] {
  return isShown ? [entry] : [];
}

export interface SideProps {
  readonly session: Session;
  readonly route: Route;
  /** Whether it is open on a narrow window. */
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly onFailure: (error: unknown) => void;
}

export function Side({ session, route, isOpen, close, onFailure }: SideProps) {
  // useEffect would run after the page is painted, and close a menu that was opened before it ran
  useLayoutEffect(close, [route]);
  const side = useRef<HTMLDivElement>(null);
  /** The element that had the focus before the menu opened. */
  const opener = useRef<Element | null>(null);
  useLayoutEffect(() => {
    if (!isOpen) return;
    opener.current = document.activeElement;
    side.current?.querySelector("a")?.focus();
  }, [isOpen]);
  const leave = () => {
    close();
    if (opener.current instanceof HTMLElement) opener.current.focus();
  };
  useKeys(isOpen ? { Escape: leave } : {});
  return (
    <div ref={side} class="side" id="side" data-open={isOpen}>
      <Link class="brand" to={allMessages}>
        <img src="/docs/icon.svg" alt="" width="22" height="22" />
        msgd
      </Link>
      <nav aria-label="Pages">
        {listGroups(session).map(({ name, entries }) => (
          <div key={name}>
            {name !== undefined && <h2>{name}</h2>}
            <ul>
              {entries.map(({ to, icon, text, within = [] }) => (
                <li key={text}>
                  {to === "/docs" ? (
                    <a href={to}>
                      <Icon name={icon} />
                      {text}
                    </a>
                  ) : (
                    <Link to={to} isCurrent={route.page === to.page || within.includes(route.page)}>
                      <Icon name={icon} />
                      {text}
                    </Link>
                  )}
                </li>
              ))}
            </ul>
          </div>
        ))}
      </nav>
      <div class="who">
        <Switch setting={compactRows}>Compact rows</Switch>
        <p>
          <bdi>{session.tenant.name}</bdi>
          <br />
          {session.email === null ? (
            "development: no sign-in"
          ) : (
            <>
              <Link to={{ page: "account" }} isCurrent={route.page === "account"}>
                {session.email}
              </Link>{" "}
              · {session.role}
              <br />
              <button type="button" class="bare" onClick={() => void signOut().catch(onFailure)}>
                Sign out
              </button>
            </>
          )}
        </p>
      </div>
    </div>
  );
}
