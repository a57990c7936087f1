// Tests the built packages: sends one message with the SDK and one with msgctl, and checks that it arrives.

import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runMsgctl } from "../e2e/msgctl-process.ts";
import { MsgdFolder, type MsgdProcess } from "../e2e/msgd-process.ts";

const sdk = new URL("../../packages/sdk/dist/index.js", import.meta.url);
const sms = { merchantId: "demo", to: "+12025550100", message: "Hello", type: "OTP" } as const;
const folder = new MsgdFolder();
let server: MsgdProcess;
beforeAll(async () => {
  server = await folder.serveDemo();
});
afterAll(() => folder.remove());

it("the SDK sends a message, and a later read finds it delivered", async () => {
  const { MessagingClient } = (await import(fileURLToPath(sdk))) as typeof import("@msgctl/sdk");
  const { apiKey, apiSecret } = folder.demoCredential;
  const client = new MessagingClient({ baseUrl: server.baseUrl, apiKey, apiSecret });
  const send = () => client.send.sms(sms, { idempotencyKey: "smoke" });
  const { messageId, status } = await send();
  expect(status).toBe("QUEUED");
  await expect.poll(send).toMatchObject({ messageId, status: "DELIVERED" });
});

it("msgctl sends a message with the demo profile", async () => {
  const flags = Object.entries({ "merchant-id": sms.merchantId, to: sms.to, message: sms.message, type: sms.type });
  const args = ["send", "sms", "--profile", "demo", ...flags.flatMap(([name, value]) => [`--${name}`, value])];
  const { exitCode, stdout, stderr } = await runMsgctl([...args, "-o", "json"], { cwd: folder.parent });
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: "" });
  expect(JSON.parse(stdout)).toMatchObject({ status: "QUEUED" });
});

it("msgd explains the contract and serves its files", async () => {
  for (const path of ["/docs", "/docs/send/sms", "/docs/client.js", "/favicon.ico", "/dashboard", "/openapi.json"]) {
    const { status } = await fetch(server.baseUrl + path, { headers: { accept: "text/html,*/*" } });
    expect({ path, status }).toEqual({ path, status: 200 });
  }
});
