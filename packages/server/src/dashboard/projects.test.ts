import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { pruneProjectLabels } from "../domain/tenancy/project-rows.ts";
import { issueCredential } from "../domain/tenancy/tenants.ts";
import { placeholderPages } from "../testing/dashboard-service.ts";
import { type InMemoryService, openInMemoryService, pepper } from "../testing/in-memory-service.ts";

let service: InMemoryService;
afterEach(() => service.close());

async function open(isDevelopment: boolean): Promise<void> {
  service = await openInMemoryService({ isDevelopment, dashboardFiles: placeholderPages() });
  const limits = { smsLimit: 100, voiceMinutesLimit: 100, emailLimit: 100 };
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "First", ...limits } });
}

const labelled = (project: string | undefined) => (project === undefined ? {} : { "x-project": project });

const send = (project?: string, to = "+12025550100") =>
  service.call("POST", "/api/v1/messages/sms", {
    headers: labelled(project),
    body: { merchantId: "m1", to, message: "Hello", type: "OTP" },
  });

async function sendAccepted(project?: string, to?: string): Promise<string> {
  const reply = await send(project, to);
  expect(reply.statusCode).toBe(200);
  return reply.json().messageId;
}

const ask = async (path: string) =>
  (
    await service.app.inject({ method: "GET", url: `/dashboard/api/${path}`, headers: { host: "127.0.0.1:4800" } })
  ).json();

/** Reads all pages of a search: a search that reaches its time limit returns an incomplete page. */
async function find(q: string): Promise<string[]> {
  const found: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const { messages, next } = await ask(`messages?${new URLSearchParams({ q, ...(cursor && { cursor }) })}`);
    found.push(...messages.map(({ messageId }: { messageId: string }) => messageId));
    cursor = next;
  }
  return found;
}

const countRows = () => service.store.read(async (tx) => (await tx.all("SELECT label_id FROM project_labels")).length);

describe("in development", () => {
  beforeEach(async () => {
    await open(true);
    await service.start();
  });

  it("a label applies to the objects that the request creates, and can be searched for", async () => {
    const plain = await sendAccepted();
    const one = await sendAccepted("run-1");
    const other = await sendAccepted("Run.2_b");
    await expect.poll(() => find("")).toHaveLength(3);
    expect(await find("project:run-1")).toEqual([one]);
    expect(await find("project:Run.2_b")).toEqual([other]);
    expect(await find("project:RUN-1")).toEqual([]);
    expect((await find("-project:run-1")).sort()).toEqual([plain, other].sort());
    expect(await find("project:run-1 to:+1202 channel:sms")).toEqual([one]);
    const { messages } = await ask("messages?q=project:run-1");
    expect(messages).toMatchObject([{ messageId: one, project: "run-1" }]);
    expect(await ask(`messages/${one}`)).toMatchObject({ messageId: one, project: "run-1" });
    expect(await ask(`messages/${plain}`)).toMatchObject({ messageId: plain, project: null });
    expect(await ask("messages?q=project:a%2Fb")).toMatchObject({
      code: "validation_error",
      errors: [{ detail: expect.stringMatching(/1 to 64 letters.*received a\/b/) }],
    });
  });

  it("a label applies to every kind of send, and to calls before and after they are dialled", async () => {
    const to = "+12025550100";
    const ids = async (path: string, body: object) =>
      (await service.call("POST", path, { headers: labelled("run-1"), body: { merchantId: "m1", ...body } })).json();
    await ids("/api/v1/messages/email", {
      to: "delivered@simulator.example",
      subject: "Hi",
      body: "Hello",
      type: "OTP",
    });
    await ids("/api/v1/messages/voice", { to, text: "Hello", type: "OTP" });
    await ids("/api/v1/voice/tts-calls", { toNumbers: [to, "+12025550101"], messageText: "Hello", useCase: "OTP" });
    const calls = await find("project:run-1");
    await expect.poll(() => find("project:run-1")).toHaveLength(4);
    const [call] = await find("project:run-1 channel:voice");
    expect(await ask(`messages/${call}`)).toMatchObject({ project: "run-1" });
    await service.clock.advanceBy(3_600_000);
    await expect.poll(() => find("project:run-1 channel:voice status:delivered")).toHaveLength(3);
    expect(await find("project:run-1")).toEqual(expect.arrayContaining(calls));
    expect(await find("-project:run-1")).toEqual([]);
  });

  it("the label is the key's name if there is no header, even for a request whose body cannot be read", async () => {
    const request = { tenantId: service.credential.tenantId, merchantId: null, name: "ci", pepper, now: 0 };
    const as = await service.store.write((tx) => issueCredential(tx, request));
    const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
    const call = async (headers: Record<string, string>) =>
      (await service.call("POST", "/api/v1/messages/sms", { as, headers, body })).json().messageId;
    const [named, labelledToo] = [await call({}), await call(labelled("run-1"))];
    expect([await find("project:ci"), await find("project:run-1")]).toEqual([[named], [labelledToo]]);
    const headers = { "content-type": "application/json", "x-api-key": as.apiKey, "x-api-secret": as.apiSecret };
    await service.app.inject({ method: "POST", url: "/api/v1/messages/sms", headers, payload: "{" });
    expect((await ask("requests"))[0]).toMatchObject({ project: "ci", status: 400 });
  });

  it("the confirmation of a reply inherits the label", async () => {
    const messageId = await sendAccepted("run-1");
    const body = { tenantId: String(service.credential.tenantId), messageId, replyBody: "STOP" };
    expect((await service.call("POST", "/api/v1/simulator/reply", { body })).statusCode).toBe(200);
    await expect.poll(() => find("project:run-1")).toHaveLength(2);
  });

  it("a repeated request does not change the label", async () => {
    const headers = { "idempotency-key": "once" };
    const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };
    const call = (project: string) =>
      service.call("POST", "/api/v1/messages/sms", { headers: { ...headers, ...labelled(project) }, body });
    const { messageId } = (await call("run-1")).json();
    const repeat = await call("run-2");
    expect([repeat.json().messageId, repeat.headers["idempotent-replayed"]]).toEqual([messageId, "true"]);
    expect(await ask("projects")).toEqual([{ project: "run-1" }]);
  });

  it("labels are listed, the last used first, and shown with their requests", async () => {
    for (const project of ["b", "a", "c", "a"]) {
      await sendAccepted(project);
      await service.clock.advanceBy(1_000);
    }
    expect(await ask("projects")).toEqual([{ project: "a" }, { project: "c" }, { project: "b" }]);
    expect((await send("a", "nobody")).statusCode).toBe(400);
    const requests = (await ask("requests")).map(({ project, status }: Record<string, unknown>) => [project, status]);
    expect(requests.slice(0, 2)).toEqual([
      ["a", 400],
      ["a", 200],
    ]);
    expect(await countRows()).toBe(4);
  });

  it.each(["", "a b", "a/b", "é", "x".repeat(65), "a, b"])(
    "the label %j is refused, and the error says which labels are allowed",
    async (project) => {
      const reply = await send(project);
      expect(reply.json()).toMatchObject({
        status: 400,
        code: "validation_error",
        errors: [{ pointer: "/header/X-Project", detail: expect.stringContaining("1 to 64 letters") }],
      });
      expect(await countRows()).toBe(0);
      expect((await send("x".repeat(64))).statusCode).toBe(200);
    },
  );

  it("a label is deleted with its message", async () => {
    const [gone, kept] = [await sendAccepted("run-1"), await sendAccepted("run-2")];
    const prune = () => service.store.write((tx) => pruneProjectLabels(tx, { overAt: 0, limit: 10 }));
    expect(await prune()).toMatchObject({ removed: 0 });
    await service.store.write((tx) => tx.run("DELETE FROM messages WHERE message_id = $1", gone));
    expect(await prune()).toMatchObject({ removed: 1 });
    expect(await ask("projects")).toEqual([{ project: "run-2" }]);
    expect(await find("project:run-2")).toEqual([kept]);
    const host = { host: "127.0.0.1:4800" };
    await service.app.inject({ method: "POST", url: "/control/reset", headers: host });
    expect(await countRows()).toBe(0);
  });
});

it("a label is ignored outside of development", async () => {
  await open(false);
  expect((await send("no label / at all")).statusCode).toBe(200);
  expect((await send("run-1")).statusCode).toBe(200);
  expect(await countRows()).toBe(0);
});
