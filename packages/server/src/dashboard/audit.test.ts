import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteDecision } from "../steps/operator-audit.ts";
import { StoreUnavailable } from "../store/store.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

const CONTACT = "+12025550100";

let dashboard: DashboardService;
let admin: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  const { service } = dashboard;
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "M", smsLimit: 10 } });
  const consent = { merchantId: "m1", channel: "SMS", contact: CONTACT, status: "OPT_IN", source: "a form" };
  await service.call("POST", "/api/v1/consents", { body: consent });
  admin = await dashboard.signIn("ann@example.com");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dashboard.close();
});

const path = `/recipients/${encodeURIComponent(CONTACT)}`;
const ask = (method: "GET" | "POST", path: string) => dashboard.ask(method, path, { as: admin });

it("has nothing shown or changed that cannot be noted", async () => {
  const failing = vi
    .spyOn(dashboard.service.store, "write")
    .mockRejectedValue(new StoreUnavailable("the disk is full"));
  const refused = await ask("GET", path);
  expect([refused.status, refused.body.code]).toEqual([503, "unavailable"]);
  expect(JSON.stringify(refused.body)).not.toContain("a form");
  expect((await ask("POST", `${path}/erasures`)).status).toBe(503);
  failing.mockRestore();
  expect((await ask("GET", path)).body).toMatchObject({ consents: [{ source: "a form" }], erasures: [] });
});

it("is noted before the reply, also what is not found", async () => {
  await ask("GET", path);
  expect((await ask("GET", "/messages/msg_00000000000000000000000000")).status).toBe(404);
  const { body } = await ask("GET", "/audit");
  expect(body.entries.map(({ operation }: { operation: string }) => operation)).toEqual(["getMessage", "getRecipient"]);
});

it("has what the operator decided, which no request asked for", async () => {
  const { store, credential } = dashboard.service;
  const entry = { tenantId: credential.tenantId, by: "Ann", operation: "payments settle", target: "paymentId pay_1" };
  await store.write((tx) => noteDecision(tx, { ...entry, now: 0 }));
  const { body } = await ask("GET", "/audit");
  expect(body.entries).toMatchObject([
    { email: "Ann", operation: "payments settle", target: "paymentId pay_1", requestId: null },
  ]);
});
