// Runs the merchant's backend as a separate process, between an app and a real server. Callbacks about the outcome of a call
// are tested in readmes.test.ts.

import { signWebhook } from "@msgctl/sdk/webhooks";
import { afterAll, beforeAll, expect, it } from "vitest";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";
import { ExampleProcess } from "./example-process.ts";

const folder = new MsgdFolder();
let server: MsgdProcess;
let backend: ExampleProcess;

beforeAll(async () => {
  server = await folder.serve("--dev");
  const { apiKey, apiSecret, tenantId } = folder.demoCredential;
  const { callbackSecret } = folder.command<{ callbackSecret: string }>("callbacks", "secret", "--tenant", tenantId);
  backend = await ExampleProcess.start("examples/merchant-backend/main.ts", {
    MSGCTL_API_KEY: apiKey,
    MSGCTL_API_SECRET: apiSecret,
    MSGCTL_BASE_URL: server.baseUrl,
    MSGCTL_CALLBACK_SECRETS: callbackSecret,
    PORT: "0",
  });
});
afterAll(async () => {
  await backend?.end();
  await folder.remove();
});

async function post(path: string, body: object): Promise<[status: number, body: Record<string, unknown>]> {
  const response = await fetch(`${backend.origin}${path}`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
  });
  const text = await response.text();
  return [response.status, text === "" ? {} : (JSON.parse(text) as Record<string, unknown>)];
}

/** Number of the server's messages to a phone number. */
async function messagesTo(phone: string): Promise<number> {
  const response = await fetch(`${server.baseUrl}/control/messages?to=${encodeURIComponent(phone)}`);
  return ((await response.json()) as unknown[]).length;
}

/** Makes the server fail as planned. */
async function plan(fault: object): Promise<void> {
  const response = await fetch(`${server.baseUrl}/control/faults`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(fault) },
  });
  expect(response.ok).toBe(true);
}

it("the backend sends a code once, however often the request is repeated", async () => {
  const request = { requestId: "sign-in-0001", phone: "+12025550121" };
  const [status, first] = await post("/otp", request);
  expect([status, first]).toEqual([
    202,
    { messageId: expect.stringMatching(/^msg_/), status: "QUEUED", repeated: false },
  ]);
  const [again, second] = await post("/otp", request);
  expect([again, second]).toMatchObject([202, { messageId: first.messageId, repeated: true }]);
  expect(await messagesTo(request.phone)).toBe(1);
});

it("the backend refuses a request id that is reused for another phone, and an invalid phone number", async () => {
  await post("/otp", { requestId: "sign-in-0002", phone: "+12025550100" });
  expect(await post("/otp", { requestId: "sign-in-0002", phone: "+12125550100" })).toMatchObject([409, {}]);
  expect(await post("/otp", { requestId: "sign-in-0003", phone: "12" })).toMatchObject([422, {}]);
  expect((await post("/otp", { requestId: "short", phone: "+12025550100" }))[0]).toBe(400);
});

it("the backend sends nothing to a recipient who has opted out", async () => {
  const phone = "+14155550100";
  expect(await post("/otp", { requestId: "sign-in-0004", phone })).toMatchObject([202, {}]);
  expect(await post("/opt-outs", { phone })).toEqual([204, {}]);
  expect(await post("/otp", { requestId: "sign-in-0005", phone })).toEqual([403, { error: "consent_opted_out" }]);
  expect(await messagesTo(phone)).toBe(1);
});

it("the backend refuses a callback signed by somebody else", async () => {
  const forged = await signWebhook(
    { type: "voice.of_a_newer_service", data: {} },
    "whsec_b3RoZXIgc2VjcmV0IG9mIDI0IGJ5dGVz",
  );
  const response = await fetch(`${backend.origin}/callbacks`, { method: "POST", ...forged });
  expect([response.status, await response.json()]).toEqual([400, { error: "no_matching_signature" }]);
});

it("the backend sends another code on request, and says how long to wait if the request is too early", async () => {
  const phone = "+12125550161";
  const first = await post("/otp", { requestId: "sign-in-0008", phone });
  const again = await post("/otp", { requestId: "sign-in-0009", phone });
  expect([first[0], again[0], again[1].repeated]).toEqual([202, 202, false]);
  const response = await fetch(`${server.baseUrl}/control/messages?to=${encodeURIComponent(phone)}`);
  const texts = ((await response.json()) as { content: string }[]).map(({ content }) => content);
  expect(new Set(texts).size).toBe(2);

  await plan({ operation: "sendSms", code: "rate_limited", times: 3 });
  const tooFast = await post("/otp", { requestId: "sign-in-0010", phone });
  expect(tooFast).toEqual([429, { error: "rate_limited", retryAfterSeconds: 1 }]);
  expect(await messagesTo(phone)).toBe(2);
  await fetch(`${server.baseUrl}/control/faults`, { method: "DELETE" });
});

it("the backend distinguishes a used-up quota from an unavailable service", async () => {
  await plan({ operation: "sendSms", code: "quota_exceeded" });
  const request = { requestId: "sign-in-0007", phone: "+12025550100" };
  expect(await post("/otp", request)).toEqual([503, { error: "quota_exceeded" }]);
  await server.end("SIGTERM");
  expect(await post("/otp", request)).toEqual([502, { error: "service_failed" }]);
  expect(await post("/opt-outs", {})).toMatchObject([400, {}]);
});

it("the backend prints no credential", () => {
  const { apiKey, apiSecret } = folder.demoCredential;
  expect(backend.written.join("\n")).not.toMatch(new RegExp(`${apiKey}|${apiSecret}`));
});
