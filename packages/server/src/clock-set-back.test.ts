// The machine's clock is set back under a running server: what comes after it goes its way at once, and what was on its
// way is neither lost nor done twice.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
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

/** Sends, and gives the status that a reply of the same key shows. */
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
  it("does not hold up what comes after it", async () => {
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

  it("keeps what was on its way, and sends it once", async () => {
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
