// The frame of every page: the navigation, the search, the banner and the tenant.

import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { ask, chooseTenant, onDenial } from "../client/client.ts";
import { forgetMerchants } from "../client/merchants.ts";
import { onSessionEnd } from "../client/token.ts";
import { PageHead } from "../elements/page.tsx";
import { setServerTime } from "../elements/time.tsx";
import { AuditPage } from "../pages/audit/audit-page.tsx";
import { CallbackPage } from "../pages/callback/callback-page.tsx";
import { CallbacksPage } from "../pages/callbacks/callbacks-page.tsx";
import { CarriersPage } from "../pages/carriers/carriers-page.tsx";
import { HealthPage } from "../pages/health/health-page.tsx";
import { MerchantPage } from "../pages/merchants/merchant-page.tsx";
import { MerchantsPage } from "../pages/merchants/merchants-page.tsx";
import { MessagePage } from "../pages/message/message-page.tsx";
import { MessagesPage } from "../pages/messages/messages-page.tsx";
import { OverviewPage } from "../pages/overview/overview-page.tsx";
import { RecipientPage } from "../pages/recipient/recipient-page.tsx";
import { RecipientsPage } from "../pages/recipient/recipients-page.tsx";
import { RequestsPage } from "../pages/requests/requests-page.tsx";
import { PasswordPage } from "../pages/sign-in/password-page.tsx";
import { SignInPage } from "../pages/sign-in/sign-in-page.tsx";
import { Banner } from "./banner.tsx";
import { Failure } from "./failure.tsx";
import { Find } from "./find.tsx";
import { useHeading } from "./heading.ts";
import { Icon } from "./icon.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { Link, useRoute } from "./navigation.tsx";
import { onDemand } from "./on-demand.tsx";
import { addressOf, allMessages, type Route } from "./route.ts";
import { isOperator, type Session, SessionContext } from "./session.ts";
import { Side } from "./side.tsx";

const later = () => import("../pages/later.ts");
const CallsPage = onDemand(async () => (await later()).CallsPage);
const BatchPage = onDemand(async () => (await later()).BatchPage);
const CallPage = onDemand(async () => (await later()).CallPage);
const RegistrationPage = onDemand(async () => (await later()).RegistrationPage);
const VoicePage = onDemand(async () => (await later()).VoicePage);
const AccountPage = onDemand(async () => (await later()).AccountPage);
const SetUpPage = onDemand(async () => (await later()).SetUpPage);
const UsersPage = onDemand(async () => (await later()).UsersPage);
const InstallationPage = onDemand(async () => (await later()).InstallationPage);
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
    forgetMerchants();
    const show = (found: Session) => {
      setServerTime(found.now);
      setSession(found);
    };
    ask("getSession", { signal }).then(show, (failure) => {
      if (!signal.aborted) setError(failure);
    });
  };
  const [isSignedOut, setSignedOut] = useState(false);
  const [isMenuOpen, setMenuOpen] = useState(false);
  const closeMenu = () => setMenuOpen(false);
  const route = useRoute();
  useHeading(route);
  const needsSession = route.page !== "password";
  // useLayoutEffect runs before the first paint; useEffect would run after it
  useLayoutEffect(() => {
    onSessionEnd(() => setSignedOut(true));
    // the tenant may require a second factor since the session was loaded
    onDenial(() => {
      const show = (found: Session) => found.needsSecondFactor && setSession(found);
      ask("getSession").then(show, () => {});
    });
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
  if (session.needsSecondFactor) {
    return (
      <SessionContext.Provider value={session}>
        <SetUpPage enter={load} />
      </SessionContext.Provider>
    );
  }
  const shown = isOperator(session) ? toOperatorRoute(route) : route;
  const choose = (tenantId: string) => {
    chooseTenant(tenantId);
    load();
  };
  return (
    <SessionContext.Provider value={session}>
      <a class="skip" href="#content">
        Skip to content
      </a>
      <div class="frame">
        <Side session={session} route={shown} isOpen={isMenuOpen} close={closeMenu} onFailure={setError} />
        <div class="body">
          <Banner key={session.tenant.tenantId} />
          <header class="top">
            <button
              type="button"
              class="menu bare"
              aria-label="Menu"
              aria-expanded={isMenuOpen}
              aria-controls="side"
              onClick={() => setMenuOpen(!isMenuOpen)}
            >
              <Icon name="menu" />
            </button>
            {session.canSearch && <Find route={route} />}
            {(session.tenant.mode === "test" || session.isDevelopment) && <span class="test-data">test data</span>}
            <TenantChoice session={session} choose={choose} />
            <KeysHelp />
          </header>
          <main id="content" tabIndex={-1}>
            <Page key={session.tenant.tenantId} route={shown} />
          </main>
        </div>
      </div>
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

/** The page that an operator sees at an address. */
function toOperatorRoute(route: Route): Route {
  if (["installation", "audit", "account"].includes(route.page)) return route;
  // the first page of all other users shows the messages
  return { page: route.page === "messages" ? "installation" : "nothing" };
}

function Page({ route }: { readonly route: Route }) {
  switch (route.page) {
    case "messages":
      return <MessagesPage query={route.query} open={route.open} />;
    case "message":
      return <MessagePage messageId={route.messageId} />;
    case "audit":
      return <AuditPage key={addressOf(route)} {...route} />;
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
    case "recipients":
      return <RecipientsPage />;
    case "merchants":
      return <MerchantsPage />;
    case "merchant":
      return <MerchantPage key={route.merchantId} merchantId={route.merchantId} />;
    case "recipient":
      return <RecipientPage key={route.contact} contact={route.contact} />;
    case "requests":
      return <RequestsPage failedOnly={route.failedOnly} requestId={route.requestId} />;
    case "callbacks":
      return <CallbacksPage key={`${route.status} ${route.before}`} status={route.status} before={route.before} />;
    case "callback":
      return <CallbackPage key={route.webhookId} webhookId={route.webhookId} />;
    case "account":
      return <AccountPage />;
    case "carriers":
      return <CarriersPage />;
    case "health":
      return <HealthPage />;
    case "installation":
      return <InstallationPage />;
    case "simulator":
      return <SimulatorPage />;
    case "operations":
      return <OperationsPage />;
    case "operation":
      return <OperationPage key={addressOf(route)} operationId={route.operationId} values={route.values} />;
    case "password":
    case "nothing":
      return (
        <section class="page">
          <PageHead title="Nothing here" />
          <p>
            There is no such page. <Link to={allMessages}>Go to the first page</Link>
          </p>
        </section>
      );
  }
}
