// Callbacks posted by a real msgd, verified by the SDK as a receiver would.

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { MessagingClient } from "@msgctl/sdk";
import { verifyWebhook, type WebhookEvent } from "@msgctl/sdk/webhooks";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const to = "+12025550100";

describe("the callbacks of a real server", () => {
  const folder = new MsgdFolder();
  let secrets: string[];
  const events: WebhookEvent[] = [];
  const refused: unknown[] = [];
  let credential: Credential;
  let server: MsgdProcess;
  let client: MessagingClient;
  let callbackUrl: string;

  function readSecret({ tenantId }: Credential, ...flags: string[]): string {
    const args = ["callbacks", "secret", "--tenant", tenantId, ...flags];
    return folder.command<{ callbackSecret: string }>(...args).callbackSecret;
  }

  const receiver = createServer(async (request, response) => {
    const body = await buffer(request);
    try {
      events.push(await verifyWebhook(body, request.headers, secrets));
      response.writeHead(204).end();
    } catch (error) {
      refused.push(error);
      response.writeHead(400).end();
    }
  });

  beforeAll(async () => {
    await new Promise<void>((listening) => receiver.listen(0, "127.0.0.1", listening));
    callbackUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
    credential = folder.createTenant();
    server = await folder.serve("--allow-private-callbacks");
    client = new MessagingClient({ ...credential, baseUrl: server.baseUrl });
    await client.merchants.upsert({ merchantId: "m1", displayName: "First", voiceMinutesLimit: 100 });
    await client.consent.record({ merchantId: "m1", channel: "VOICE", contact: to, status: "OPT_IN" });
  });
  afterAll(async () => {
    await folder.remove();
    receiver.closeAllConnections();
    receiver.close();
  });

  /** Returns the events of a call and its batch, in order of arrival. */
  async function call() {
    events.length = 0;
    const body = { merchantId: "m1", useCase: "OTP", messageText: "Your code is 1234.", toNumber: to, callbackUrl };
    const submitted = await client.tts.create(body);
    await vi.waitFor(() => expect(events.at(-1)?.type).toBe("voice.tts_batch.finalized"), 60_000);
    return { submitted, told: [...events] };
  }

  it("are verified and typed, and end with the state that the service shows afterwards", async () => {
    secrets = [readSecret(credential)];
    const { submitted, told } = await call();
    expect(refused).toEqual([]);
    expect(new Set(told.map(({ id }) => id)).size).toBe(told.length);

    const [ofCall, ofBatch] = told.slice(-2);
    if (ofCall?.type !== "voice.tts_call.finalized")
      throw new Error(`expected voice.tts_call.finalized, received ${ofCall?.type}`);
    expect(ofCall.data).toEqual(await client.tts.get(submitted.requestId ?? ""));
    if (ofBatch?.type !== "voice.tts_batch.finalized")
      throw new Error(`expected voice.tts_batch.finalized, received ${ofBatch?.type}`);
    expect(ofBatch.data).toEqual(await client.tts.summary(submitted.batchId));
    expect(ofBatch.data.success).toBe(1);
  });
});
