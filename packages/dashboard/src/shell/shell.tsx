// What is around every page: where one is, where one can go, and for whom.

import { useEffect, useState } from "preact/hooks";
import { ask, chooseTenant } from "../client/client.ts";
import { MessagePage } from "../pages/message/message-page.tsx";
import { MessagesPage } from "../pages/messages/messages-page.tsx";
import { RequestsPage } from "../pages/requests/requests-page.tsx";
import { SimulatorPage } from "../pages/simulator/simulator-page.tsx";
import { Failure } from "./failure.tsx";
import { Link, useRoute } from "./navigation.tsx";
import type { Route } from "./route.ts";
import { type Session, SessionContext } from "./session.ts";

export function Shell() {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<unknown>();
  const load = () => {
    setError(undefined);
    ask("getSession").then(setSession, setError);
  };
  useEffect(load, []);
  const route = useRoute();
  if (error !== undefined) return <Failure error={error} again={load} />;
  if (session === undefined) return <p class="loading">Loading …</p>;
  const choose = (tenantId: string) => {
    chooseTenant(tenantId);
    load();
  };
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <header class="top">
        <span class="brand">msgd</span>
        <nav class="pages" aria-label="Pages">
          <Link to={{ page: "messages", query: "" }} isCurrent={route.page === "messages"}>
            Messages
          </Link>
          <Link to={{ page: "requests", failedOnly: false }} isCurrent={route.page === "requests"}>
            Requests
          </Link>
          {session.isDevelopment && (
            <Link to={{ page: "simulator" }} isCurrent={route.page === "simulator"}>
              Simulator
            </Link>
          )}
          <a href="/docs">API</a>
        </nav>
        <TenantChoice session={session} choose={choose} />
      </header>
      <main id="content" tabIndex={-1}>
        <Page key={session.tenant.tenantId} route={route} />
      </main>
    </SessionContext.Provider>
  );
}

function TenantChoice({ session, choose }: { readonly session: Session; readonly choose: (id: string) => void }) {
  const { tenant, tenants } = session;
  if (tenants.length < 2) return <span class="tenant">{tenant.name}</span>;
  return (
    <label class="tenant">
      <span class="visually-hidden">Tenant</span>
      <select value={tenant.tenantId} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        {tenants.map(({ tenantId, name }) => (
          <option key={tenantId} value={tenantId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "messages":
      return <MessagesPage query={route.query} />;
    case "message":
      return <MessagePage messageId={route.messageId} />;
    case "requests":
      return <RequestsPage failedOnly={route.failedOnly} />;
    case "simulator":
      return <SimulatorPage />;
    case "nothing":
      return (
        <section class="page">
          <h1>Nothing here</h1>
          <p>
            There is no such page. <Link to={{ page: "messages", query: "" }}>To the messages</Link>
          </p>
        </section>
      );
  }
}
