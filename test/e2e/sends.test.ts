// Tests messages end to end: from the SDK over HTTP to a real msgd with SQLite on disk, to the simulated provider and back.

import { ConsentError, MessagingClient } from "@msgctl/sdk";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const delivered = "+12025550100";
const optedOut = "+13125550100";
const otp = { merchantId: "m1", to: delivered, message: "Your code is 481516.", type: "OTP" } as const;

describe("a real server", () => {
  const folder = new MsgdFolder();
  let credential: Credential;
  let server: MsgdProcess;
  let client: MessagingClient;

  const connect = (to: Credential) =>
    new MessagingClient({ apiKey: to.apiKey, apiSecret: to.apiSecret, baseUrl: server.baseUrl });

  beforeAll(async () => {
    credential = folder.createTenant();
    server = await folder.serve();
    client = connect(credential);
    await client.merchants.upsert({ merchantId: "m1", displayName: "First", smsLimit: 100, emailLimit: 10 });
    await client.consent.record({ merchantId: "m1", channel: "SMS", contact: optedOut, status: "OPT_OUT" });
  });
  afterAll(() => folder.remove());

  it("keeps all data after kill -9", async () => {
    const before = await client.send.sms(otp, { idempotencyKey: "before-the-kill" });
    const merchants = await client.merchants.list();
    await server.end("SIGKILL");
    server = await folder.serve();
    client = connect(credential);

    const { data, meta } = await client.send.sms(otp, { idempotencyKey: "before-the-kill" }).withResponse();
    expect(meta.replayed).toBe(true);
    expect(data.messageId).toBe(before.messageId);
    expect((await client.merchants.list()).map(({ merchantId }) => merchantId)).toEqual(
      merchants.map(({ merchantId }) => merchantId),
    );
    await expect(client.send.sms({ ...otp, to: optedOut })).rejects.toThrow(ConsentError);
    await vi.waitFor(async () => {
      const replay = await client.send.sms(otp, { idempotencyKey: "before-the-kill" });
      expect(replay.status).toBe("DELIVERED");
    }, 60_000);
  });

  it("stops on SIGTERM with exit code 0, and refuses a second server on its folder", async () => {
    await expect(folder.serve()).rejects.toThrow(/another msgd serves/);
    expect(await server.end("SIGTERM")).toBe(0);
    server = await folder.serve();
    client = connect(credential);
    expect(await client.merchants.get("m1")).toMatchObject({ displayName: "First" });
  });
});
