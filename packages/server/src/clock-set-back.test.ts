// Sets the machine's clock back while a server runs. Later messages are sent at once, and messages in progress are neither
// lost nor sent twice.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { takeLastingDatabase } from "./testing/engine.ts";
import { type InMemoryService, openInMemoryService } from "./testing/in-memory-service.ts";

const hourMs = 3_600_000;
let service: InMemoryService;

beforeEach(async () => {
  service = await openInMemoryService({ isDevelopment: true });
  await service.start();
  const body = { merchantId: "m1", displayName: "First", smsLimit: 100 };
  await service.call("POST", "/api/v1/merchants", { body });
});
afterEach(() => service.close());

/** Sends a message, and returns the state that a repeat with the same key shows. */
async function send(key: string, to = "+12025550100"): Promise<{ messageId: string; status: string }> {
  const body = { merchantId: "m1", to, message: "Hello", type: "OTP" };
  const reply = await service.call("POST", "/api/v1/messages/sms", { body, headers: { "idempotency-key": key } });
  expect(reply.statusCode).toBe(200);
  return reply.json();
}

async function countSends(messageId: string): Promise<number> {
  const headers = { host: "localhost" };
  const reply = await service.app.inject({ url: `/control/messages?messageId=${messageId}`, headers });
  return reply.json()[0].providerSends;
}

describe.each([1, 24 * 30])("a clock that is set back by %i hours", (hours) => {
  it("does not delay later messages", async () => {
    await service.clock.advanceBy(hours * hourMs);
    await send("before");
    await service.clock.advanceBy(1_000);
    service.clock.returnToBase();
    const { messageId } = await send("after");
    await service.clock.advanceBy(1_000);
    expect((await send("after")).status).toBe("DELIVERED");
    expect(await countSends(messageId)).toBe(1);
    const slow = await send("slowed down", "+12025550121");
    await service.clock.advanceBy(2_000);
    expect((await send("slowed down", "+12025550121")).status).toBe("DELIVERED");
    expect(await countSends(slow.messageId)).toBe(1);
  });

  it("does not lose messages in progress, and sends each once", async () => {
    await service.clock.advanceBy(hours * hourMs);
    const accepted = await send("accepted");
    const doubtful = await send("in doubt", "+12025550103");
    await service.clock.settle();
    service.clock.returnToBase();
    expect(await send("accepted")).toMatchObject({ messageId: accepted.messageId });
    await service.clock.advanceBy((hours + 1) * hourMs);
    for (const [key, to] of [["accepted"], ["in doubt", "+12025550103"]] as const) {
      expect((await send(key, to)).status).toBe("DELIVERED");
    }
    expect([await countSends(accepted.messageId), await countSends(doubtful.messageId)]).toEqual([1, 1]);
  });
});

it("a starting server makes jobs due that a server with a fast clock postponed, except calls due in the morning", async () => {
  const yearMs = 366 * 24 * hourMs;
  // early in the morning in New York
  const now = Date.UTC(2026, 0, 15, 10);
  const { location: database, release } = await takeLastingDatabase();
  const open = (at: number) => openInMemoryService({ database, now: at, consentPolicy: "opt_out_only" });
  const ahead = await open(now + yearMs);
  await ahead.start();
  await ahead.call("POST", "/api/v1/merchants", {
    body: { merchantId: "m1", displayName: "First", voiceMinutesLimit: 10 },
  });
  const call = { merchantId: "m1", toNumber: "+12125550100", messageText: "Hello", useCase: "MARKETING" };
  const called = await ahead.call("POST", "/api/v1/voice/tts-calls", { body: call });
  expect(called.json().status).toBe("SCHEDULED");
  await ahead.close();
  const right = await open(now);
  await right.start();
  const latestOf = async (kind: string) => {
    const found = await right.store.read((tx) =>
      tx.get<{ dueAt: number }>(`SELECT MAX(due_at) AS "dueAt" FROM jobs WHERE kind = $1`, kind),
    );
    return found?.dueAt;
  };
  await expect.poll(() => latestOf("pruning")).toBeLessThanOrEqual(now + 24 * hourMs);
  expect(await latestOf("calls.begin")).toBe(Date.parse(called.json().scheduledAt));
  await right.close();
  await release();
});
