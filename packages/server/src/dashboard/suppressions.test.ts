import { afterEach, beforeEach, expect, it } from "vitest";
import { type SuppressionKey, saveBounce } from "../domain/messages/suppression-rows.ts";
import { SUPPRESSED_MS } from "../domain/messages/suppressions.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

const ADDRESS = "ada@example.com";
const PATH = `/recipients/${encodeURIComponent(ADDRESS)}`;

let dashboard: DashboardService;
let agent: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  agent = await dashboard.signIn("agent@acme.example", { role: "agent" });
});
afterEach(() => dashboard.close());

async function suppress(of: Partial<SuppressionKey> & { isSuppressed?: boolean } = {}): Promise<void> {
  const { service } = dashboard;
  const now = service.clock.now();
  const { isSuppressed = true, ...key } = of;
  const bounce = {
    channel: "EMAIL",
    reason: "UNREACHABLE",
    messageId: "msg_1",
    merchantId: "m1",
    bouncedAt: now,
  } as const;
  const times = { suppressedAt: isSuppressed ? now : null, endsAt: now + SUPPRESSED_MS };
  const { tenantId } = service.credential;
  await service.store.write((tx) =>
    saveBounce(tx, { tenantId, channel: "EMAIL", contact: ADDRESS, ...key }, { ...bounce, ...times }),
  );
}

const read = async (as = agent) => (await dashboard.ask("GET", PATH, { as })).body;

it("a suppressed recipient may receive nothing, and the page says since when and why", async () => {
  expect(await read()).toMatchObject({ suppression: null, mayReceive: [{ types: expect.arrayContaining(["OTP"]) }] });
  await suppress({ isSuppressed: false });
  expect(await read()).toMatchObject({ suppression: null });
  await suppress();
  const now = dashboard.service.clock.now();
  expect(await read()).toMatchObject({
    suppression: {
      ...{ channel: "EMAIL", reason: "UNREACHABLE", messageId: "msg_1" },
      ...{ since: new Date(now).toISOString(), until: new Date(now + SUPPRESSED_MS).toISOString() },
    },
    mayReceive: [{ channel: "EMAIL", merchantId: null, types: [] }],
  });
});

it("an agent lifts a suppression, which the audit records; a viewer may not", async () => {
  const { service, ask } = dashboard;
  await suppress();
  await suppress({ contact: "bob@example.com" });
  await suppress({ tenantId: service.credential.tenantId + 1 });
  const viewer = await dashboard.signIn("viewer@acme.example", { role: "viewer" });
  expect((await ask("POST", `${PATH}/unsuppress`, { as: viewer })).status).toBe(403);
  const lifted = await ask("POST", `${PATH}/unsuppress`, { as: agent });
  expect(lifted).toMatchObject({ status: 200, body: { contact: ADDRESS, suppression: null } });
  const left = await service.store.read((tx) => tx.all("SELECT tenant_id AS tenant, contact FROM suppressions"));
  expect(left).toHaveLength(2);
  const entries = await service.store.read((tx) =>
    tx.all("SELECT email, target FROM audit_entries WHERE operation = 'unsuppressRecipient'"),
  );
  expect(entries).toEqual([
    { email: viewer.email, target: "refused: the role viewer is not enough" },
    { email: agent.email, target: "a•••@example.com" },
  ]);
  expect((await ask("POST", `${PATH}/unsuppress`, { as: agent })).status).toBe(200);
});

it("a user of another merchant does not learn which message bounced", async () => {
  for (const merchantId of ["m1", "m2"]) {
    await dashboard.service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId } });
  }
  await suppress();
  const [own, other] = [
    await dashboard.signIn("m1@acme.example", { merchantId: "m1" }),
    await dashboard.signIn("m2@acme.example", { merchantId: "m2" }),
  ];
  expect((await read(own)).suppression.messageId).toBe("msg_1");
  expect((await read(other)).suppression).toMatchObject({ reason: "UNREACHABLE", messageId: null });
});
