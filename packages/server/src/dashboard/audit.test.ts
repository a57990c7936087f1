import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { noteDecision } from "../domain/tenancy/operator-audit.ts";
import { StoreUnavailable } from "../store/store.ts";
import { type DashboardService, openDashboardService, type SignedIn } from "../testing/dashboard-service.ts";

const CONTACT = "+447911123456";
/** `CONTACT` with the 0 of the national form, which msgd reads as the same number. */
const SPELT = "+4407911123456";

let dashboard: DashboardService;
let admin: SignedIn;
beforeEach(async () => {
  dashboard = await openDashboardService();
  const { service } = dashboard;
  await service.call("POST", "/api/v1/merchants", {
    body: { merchantId: "m1", displayName: "M", smsLimit: 10, voiceMinutesLimit: 10 },
  });
  const consent = { merchantId: "m1", channel: "SMS", contact: CONTACT, status: "OPT_IN", source: "a form" };
  await service.call("POST", "/api/v1/consents", { body: consent });
  admin = await dashboard.signIn("ann@example.com");
});
afterEach(async () => {
  vi.restoreAllMocks();
  await dashboard.close();
});

const listRows = () =>
  dashboard.service.store.read((tx) =>
    tx.all<{ operation: string; target: string | null; subject: string | null }>(
      "SELECT operation, target, subject FROM audit_entries WHERE operation NOT IN ($1, $2) ORDER BY entry_id",
      "signIn",
      "setPassword",
    ),
  );

const path = `/recipients/${encodeURIComponent(CONTACT)}`;
const ask = (method: "GET" | "POST", path: string) => dashboard.ask(method, path, { as: admin });

it("the dashboard refuses to show or change anything that the audit cannot record", async () => {
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

it("the audit records a request before its reply, even if nothing is found", async () => {
  await ask("GET", path);
  expect((await ask("GET", "/messages/msg_00000000000000000000000000")).status).toBe(404);
  const { body } = await ask("GET", "/audit");
  const operations = body.entries.map(({ operation }: { operation: string }) => operation);
  expect(operations).toEqual(["getMessage", "getRecipient", "signIn", "setPassword"]);
});

it("the audit finds every view of a recipient by number, however it was written", async () => {
  const { service } = dashboard;
  const call = { merchantId: "m1", toNumber: CONTACT, messageText: "Hello", useCase: "OTP" };
  const message = { merchantId: "m1", to: CONTACT, message: "Hello", type: "OTP" };
  const { messageId } = (await service.call("POST", "/api/v1/messages/sms", { body: message })).json();
  const voice = { merchantId: "m1", channel: "VOICE", contact: CONTACT, status: "OPT_IN", source: "a form" };
  await service.call("POST", "/api/v1/consents", { body: voice });
  const asked: readonly ["GET" | "POST", string, object?][] = [
    ["GET", "/recipients/0044%207911%20123456"],
    ["POST", "/v1/voice/tts-calls", call],
    ["GET", `/messages/${messageId}`],
    ["GET", `/messages?q=${encodeURIComponent(`id:${messageId}`)}`],
    ["GET", `/messages?q=${encodeURIComponent(`to:${CONTACT}`)}`],
    ["GET", `/messages?q=${encodeURIComponent(`${CONTACT} status:failed`)}`],
  ];
  for (const [method, path, body] of asked) await dashboard.ask(method, path, { as: admin, ...(body && { body }) });
  const { requestId } = (await service.call("POST", "/api/v1/voice/tts-calls", { body: call })).json();
  await ask("GET", `/v1/voice/tts-calls/${requestId}`);
  const { body } = await ask("GET", `/audit?about=${encodeURIComponent(SPELT)}`);
  expect(body.entries.map(({ operation }: { operation: string }) => operation)).toEqual([
    ...["getTtsCall", "searchMessages", "searchMessages", "searchMessages", "getMessage"],
    ...["createTtsCalls", "getRecipient"],
  ]);
});

it("the audit is for admins and auditors of the whole tenant, and an auditor cannot change anything", async () => {
  const statuses: number[] = [];
  for (const [role, merchantId] of [
    ["viewer", null],
    ["auditor", null],
    ["agent", null],
    ["auditor", "m1"],
  ] as const) {
    const as = await dashboard.signIn(`${role}.${merchantId}@example.com`, { role, merchantId });
    statuses.push((await dashboard.ask("GET", "/audit", { as })).status);
  }
  expect(statuses).toEqual([403, 200, 403, 403]);
  const as = await dashboard.signIn("auditor@example.com", { role: "auditor" });
  const consent = { merchantId: "m1", channel: "SMS", contact: CONTACT, status: "OPT_IN" };
  const replies = [
    await dashboard.ask("GET", path, { as }),
    await dashboard.ask("POST", "/v1/consents", { as, body: consent }),
    await dashboard.ask("GET", "/health", { as }),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 403, 403]);
});

it("the audit can be filtered by person, operation and time, in pages without gaps", async () => {
  const { clock } = dashboard.service;
  const agent = await dashboard.signIn("agent@example.com", { role: "agent" });
  await dashboard.ask("GET", path, { as: agent });
  await clock.advanceBy(24 * 60 * 60_000);
  const admin = await dashboard.signIn("second@example.com");
  await dashboard.ask("GET", path, { as: admin });
  const list = async (filter: string) => {
    const { body } = await dashboard.ask("GET", `/audit?${filter}`, { as: admin });
    expect(body.next).toBeNull();
    return body.entries.map(({ email, operation }: Record<string, string>) => `${email} ${operation}`);
  };
  expect(await list("email=Agent%40example.com")).toEqual([
    ...["agent@example.com getRecipient", "agent@example.com signIn", "agent@example.com setPassword"],
  ]);
  expect(await list("operation=getRecipient")).toEqual([
    ...["second@example.com getRecipient", "agent@example.com getRecipient"],
  ]);
  expect(await list(`operation=getRecipient&from=2026-01-16`)).toEqual(["second@example.com getRecipient"]);
  expect(await list(`operation=getRecipient&to=2026-01-15`)).toEqual(["agent@example.com getRecipient"]);
});

it("a search of the audit accepts a number as people write it, and reports invalid text", async () => {
  const about = (text: string) => ask("GET", `/audit?about=${encodeURIComponent(text)}`);
  await ask("GET", path);
  for (const text of [CONTACT, "+44 7911 123456", "+44 (0)7911 123456", "0044 7911 123456"]) {
    expect([text, (await about(text)).body.entries?.length]).toEqual([text, 1]);
  }
  for (const text of ["jane", "12", "07911 12", "1•••"]) {
    const { status, body } = await about(text);
    expect([text, status, body.errors[0].pointer]).toEqual([text, 400, "/query/about"]);
  }
  expect((await about("(202) 555-0100")).body.errors[0].detail).toContain("Did you mean +12025550100?");
});

it("the audit stores no number, address or search word in clear text, not even for refused requests", async () => {
  const secret = ["2025550150", "202-555-0150", "555-0150", "555 0150", "jane", "doe"];
  const typed = ["+12025550150", "12025550150", "(202) 555-0150", "202-555-0150", "jane.doe@example.com", "Jane Doe"];
  for (const text of typed) {
    const word = encodeURIComponent(text);
    for (const q of [text, `to:${text}`, `"${text}"`, `from:${text}`, `to:${text} foo:bar`, `id:${text}`]) {
      await ask("GET", `/messages?q=${encodeURIComponent(q)}`);
    }
    for (const path of [
      `/messages/${word}`,
      `/recipients/${word}`,
      `/callbacks/${word}`,
      `/v1/voice/tts-calls/${word}`,
    ]) {
      await ask("GET", path);
    }
  }
  await ask("POST", `/recipients/${encodeURIComponent("+12025550150")}/erasures`);
  const rows = await listRows();
  expect(rows.length).toBeGreaterThan(10);
  for (const { operation, target } of rows) {
    for (const word of secret)
      expect([operation, target?.toLowerCase() ?? ""]).not.toContainEqual(expect.stringContaining(word));
  }
});

it("a request has one entry per recipient or, if it has many recipients, one entry with their number", async () => {
  const numbers = (count: number) =>
    Array.from({ length: count }, (_, index) => `+120255501${String(index).padStart(2, "0")}`);
  const call = (toNumbers: readonly string[]) =>
    dashboard.ask("POST", "/v1/voice/tts-calls", {
      as: admin,
      body: { merchantId: "m1", toNumbers, messageText: "Hi", useCase: "OTP" },
    });
  await call(numbers(2));
  await call(numbers(21));
  expect((await listRows()).map(({ target, subject }) => [target, subject !== null])).toEqual([
    ["merchantId m1, +1202•••00, +1202•••01", true],
    ["merchantId m1, +1202•••00, +1202•••01", true],
    ["merchantId m1, 21 recipients", false],
  ]);
});

it("if the audit cannot be written, the reply is a problem document", async () => {
  vi.spyOn(dashboard.service.store, "write").mockRejectedValue(
    new StoreUnavailable("the database failed: ECONNREFUSED"),
  );
  const { body, headers } = await ask("GET", path);
  expect(headers["content-type"]).toMatch(/^application\/problem\+json/);
  expect(headers["retry-after"]).toBeDefined();
  expect(body).toMatchObject({ code: "unavailable", requestId: headers["x-request-id"] });
  expect(JSON.stringify(body)).not.toContain("ECONNREFUSED");
});

it("if a user's role does not suffice, the refusal is recorded once in ten minutes", async () => {
  const viewer = await dashboard.signIn("vi@example.com", { role: "viewer" });
  const erase = () => dashboard.ask("POST", `${path}/erasures`, { as: viewer });
  for (let count = 0; count < 3; count += 1) expect((await erase()).status).toBe(403);
  await dashboard.service.clock.advanceBy(10 * 60_000);
  await erase();
  const target = "refused: the role viewer is not enough";
  expect(await listRows()).toMatchObject([
    { operation: "eraseRecipient", target },
    { operation: "eraseRecipient", target },
  ]);
});

it("the audit shows the operator's decisions, which have no request id", async () => {
  const { store, credential } = dashboard.service;
  const entry = {
    tenantId: credential.tenantId,
    by: "Ann",
    operation: "payments settle",
    target: "paymentId pay_1",
  } as const;
  await store.write((tx) => noteDecision(tx, { ...entry, now: 0 }));
  const { body } = await ask("GET", "/audit");
  expect(body.entries[0]).toMatchObject({
    ...{ email: "Ann", operation: "payments settle", target: "paymentId pay_1", requestId: null },
  });
});
