// The frame of every page: the navigation, the tenant, and the user.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, chooseTenant, signOut } from "../client/client.ts";
import { onSessionEnd } from "../client/token.ts";
import { AuditPage } from "../pages/audit/audit-page.tsx";
import { CallbackPage } from "../pages/callback/callback-page.tsx";
import { CallbacksPage } from "../pages/callbacks/callbacks-page.tsx";
import { HealthPage } from "../pages/health/health-page.tsx";
import { MessagePage } from "../pages/message/message-page.tsx";
import { MessagesPage } from "../pages/messages/messages-page.tsx";
import { OverviewPage } from "../pages/overview/overview-page.tsx";
import { RecipientPage } from "../pages/recipient/recipient-page.tsx";
import { RequestsPage } from "../pages/requests/requests-page.tsx";
import { PasswordPage } from "../pages/sign-in/password-page.tsx";
import { SignInPage } from "../pages/sign-in/sign-in-page.tsx";
import { Failure } from "./failure.tsx";
import { useHeading } from "./heading.ts";
import { KeysHelp } from "./keys-help.tsx";
import { Link, useRoute } from "./navigation.tsx";
import { onDemand } from "./on-demand.tsx";
import { addressOf, allCalls, allRequests, type Route } from "./route.ts";
import { maySeeVoice, type Session, SessionContext } from "./session.ts";

const later = () => import("../pages/later.ts");
const CallsPage = onDemand(async () => (await later()).CallsPage);
const BatchPage = onDemand(async () => (await later()).BatchPage);
const CallPage = onDemand(async () => (await later()).CallPage);
const RegistrationPage = onDemand(async () => (await later()).RegistrationPage);
const VoicePage = onDemand(async () => (await later()).VoicePage);
const UsersPage = onDemand(async () => (await later()).UsersPage);
const KeysPage = onDemand(async () => (await later()).KeysPage);

const forms = () => import("../pages/forms.ts");
const OperationsPage = onDemand(async () => (await forms()).OperationsPage);
const OperationPage = onDemand(async () => (await forms()).OperationPage);
const SimulatorPage = onDemand(async () => (await forms()).SimulatorPage);

export function Shell() {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<unknown>();
  const left = useRef(new AbortController());
  const load = () => {
    // drop the request for a tenant chosen earlier
    left.current.abort();
    left.current = new AbortController();
    const { signal } = left.current;
    setError(undefined);
    ask("getSession", { signal }).then(setSession, (failure) => {
      if (!signal.aborted) setError(failure);
    });
  };
  const [isSignedOut, setSignedOut] = useState(false);
  const route = useRoute();
  useHeading(route);
  const needsSession = route.page !== "password";
  // useLayoutEffect runs before the first paint; useEffect would run after it
  useLayoutEffect(() => {
    onSessionEnd(() => setSignedOut(true));
    if (needsSession) load();
  }, [needsSession]);
  if (route.page === "password") return <PasswordPage />;
  if (isSignedOut) {
    const enter = () => {
      setSignedOut(false);
      setSession(undefined);
      load();
    };
    return <SignInPage enter={enter} />;
  }
  if (error !== undefined) return <Failure error={error} again={load} />;
  if (session === undefined) return <p class="loading">Loading …</p>;
  const choose = (tenantId: string) => {
    chooseTenant(tenantId);
    load();
  };
  const isTenantAdmin = session.role === "admin" && session.merchantId === null;
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
          <Link to={{ page: "overview" }} isCurrent={route.page === "overview"}>
            Overview
          </Link>
          <Link to={allCalls} isCurrent={["calls", "batch", "call"].includes(route.page)}>
            Calls
          </Link>
          <Link to={{ page: "registration", merchantId: "" }} isCurrent={route.page === "registration"}>
            Registration
          </Link>
          {maySeeVoice(session) && (
            <Link to={{ page: "voice" }} isCurrent={route.page === "voice"}>
              Voice
            </Link>
          )}
          <Link to={allRequests} isCurrent={route.page === "requests"}>
            Requests
          </Link>
          <Link
            to={{ page: "callbacks", status: "", before: "" }}
            isCurrent={route.page === "callbacks" || route.page === "callback"}
          >
            Callbacks
          </Link>
          {!session.isDevelopment && session.role === "admin" && (
            <Link to={{ page: "users" }} isCurrent={route.page === "users"}>
              Users
            </Link>
          )}
          {session.role === "admin" && (
            <Link to={{ page: "keys" }} isCurrent={route.page === "keys"}>
              API keys
            </Link>
          )}
          {!session.isDevelopment && isTenantAdmin && (
            <Link to={{ page: "audit", about: "" }} isCurrent={route.page === "audit"}>
              Audit
            </Link>
          )}
          {session.isDevelopment && (
            <Link to={{ page: "simulator" }} isCurrent={route.page === "simulator"}>
              Simulator
            </Link>
          )}
          {isTenantAdmin && (
            <Link to={{ page: "health" }} isCurrent={route.page === "health"}>
              Health
            </Link>
          )}
          <Link to={{ page: "operations" }} isCurrent={route.page === "operations" || route.page === "operation"}>
            Operations
          </Link>
          <a href="/docs">API</a>
        </nav>
        {(session.tenant.mode === "test" || session.isDevelopment) && <span class="test-data">test data</span>}
        <TenantChoice session={session} choose={choose} />
        {session.email !== null && (
          <span class="user">
            {session.email}{" "}
            <button type="button" onClick={() => void signOut().catch(setError)}>
              Sign out
            </button>
          </span>
        )}
        <KeysHelp />
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
    case "audit":
      return <AuditPage key={route.about} about={route.about} />;
    case "calls":
      return <CallsPage key={addressOf(route)} {...route} />;
    case "batch":
      return <BatchPage key={route.batchId} batchId={route.batchId} status={route.status} />;
    case "call":
      return <CallPage key={route.requestId} requestId={route.requestId} />;
    case "registration":
      return <RegistrationPage merchantId={route.merchantId} />;
    case "voice":
      return <VoicePage />;
    case "users":
      return <UsersPage />;
    case "keys":
      return <KeysPage />;
    case "overview":
      return <OverviewPage />;
    case "recipient":
      return <RecipientPage key={route.contact} contact={route.contact} />;
    case "requests":
      return <RequestsPage failedOnly={route.failedOnly} requestId={route.requestId} />;
    case "callbacks":
      return <CallbacksPage key={`${route.status} ${route.before}`} status={route.status} before={route.before} />;
    case "callback":
      return <CallbackPage key={route.webhookId} webhookId={route.webhookId} />;
    case "health":
      return <HealthPage />;
    case "simulator":
      return <SimulatorPage />;
    case "operations":
      return <OperationsPage />;
    case "operation":
      return <OperationPage key={route.operationId} operationId={route.operationId} />;
    case "password":
    case "nothing":
      return (
        <section class="page">
          <h1>Nothing here</h1>
          <p>
            There is no such page. <Link to={{ page: "messages", query: "" }}>Go to the messages</Link>
          </p>
        </section>
      );
  }
}
