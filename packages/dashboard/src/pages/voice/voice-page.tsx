// The voice setup: users and whether their phones are registered, ring groups, menus and numbers.

import { Fact, PageHead } from "../../elements/page.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { isTenantAdmin, useSession } from "../../shell/session.ts";
import { Menus } from "./menus.tsx";
import { Numbers } from "./numbers.tsx";
import { type Provisioning, useProvisioning } from "./provisioning.ts";
import { RingGroups } from "./ring-groups.tsx";
import { Users } from "./users.tsx";

export function VoicePage() {
  const session = useSession();
  return (
    <section class="page">
      <PageHead title="Voice" />
      {isTenantAdmin(session) ? (
        <Everything />
      ) : (
        <p class="nothing">
          Only admins of the whole tenant can see this page, because it contains passwords of phones.
        </p>
      )}
    </section>
  );
}

function Everything() {
  const { answer, error, again } = useProvisioning();
  return (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (isEmpty(answer) ? <Nothing tenantId={answer.tenantId} /> : <Parts of={answer} />)}
    </>
  );
}

function isEmpty({ sipHost, sipUsers, phoneNumbers, ringGroups, menus }: Provisioning): boolean {
  return sipHost === null && sipUsers.length + phoneNumbers.length + ringGroups.length + menus.length === 0;
}

function Nothing({ tenantId }: Pick<Provisioning, "tenantId">) {
  return (
    <p class="nothing">
      Nothing is set up. To set it up, run this on the server:{" "}
      <code>msgd provisioning import &lt;file&gt; --tenant {String(tenantId)}</code>
    </p>
  );
}

function Parts({ of: { sipHost, sipDomain, udpPort, tlsPort, wssUrl, ...parts } }: { readonly of: Provisioning }) {
  return (
    <>
      <Users users={parts.sipUsers} />
      <RingGroups ringGroups={parts.ringGroups} />
      <Menus provisioning={parts} />
      <Numbers phoneNumbers={parts.phoneNumbers} />
      <h2>Server</h2>
      <dl class="facts">
        <Fact name="Host">{sipHost === null ? "none" : toVisible(sipHost)}</Fact>
        <Fact name="Domain">{sipDomain === null ? "none" : toVisible(sipDomain)}</Fact>
        <Fact name="Ports">
          UDP {udpPort ?? "none"}, TLS {tlsPort ?? "none"}
        </Fact>
        <Fact name="WebSocket">{wssUrl === null ? "none" : toVisible(wssUrl)}</Fact>
      </dl>
    </>
  );
}
