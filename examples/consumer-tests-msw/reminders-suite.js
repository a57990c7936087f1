// The tests that all runners share. Each runner passes in its own `test` and hook functions.

import assert from "node:assert/strict";
import { createMockService } from "@msgctl/mocks";
import { setupServer } from "msw/node";
import { createReceiver, createReminders } from "./reminders.js";

const guest = "+12025550100";
const optedOut = "+13125550100";

/**
 * @param {{
 *   test: (name: string, run: () => Promise<void>) => void,
 *   beforeAll: (run: () => Promise<void>) => void,
 *   beforeEach: (run: () => Promise<void>) => void,
 *   afterAll: (run: () => Promise<void>) => void,
 * }} runner
 */
export function defineTests({ test, beforeAll, beforeEach, afterAll }) {
  /** @type {import("@msgctl/mocks").MockService} */
  let service;
  /** @type {ReturnType<typeof setupServer>} */
  let server;
  beforeAll(async () => {
    service = await createMockService();
    server = setupServer(...service.handlers);
    server.listen({ onUnhandledRequest: service.onUnhandledRequest });
  });
  beforeEach(() => service.reset());
  afterAll(async () => {
    server.close();
    await service.close();
  });

  test("reminds a guest once", async () => {
    const messageId = await createReminders(service).remind(guest);
    await service.clock.advance("10m");
    const [message] = await service.messages({ to: guest });
    assert.deepEqual([message?.messageId, message?.status], [messageId, "DELIVERED"]);
    assert.equal(message?.providerSends, 1);
  });

  test("sends nothing to a guest who opted out", async () => {
    assert.equal(await createReminders(service).remind(optedOut), "opted out");
    assert.deepEqual(await service.messages(), []);
  });

  test("retries after the service tells it to wait", async () => {
    await service.failNext("sendSms", { code: "rate_limited" });
    await createReminders(service).remind(guest);
    assert.equal((await service.messages()).length, 1);
  });

  test("receives the outcome of a call after its receiver was down", async () => {
    const receiver = createReceiver(service.webhookSecret, service.clock.now);
    let attempts = 0;
    service.onCallback((request) => {
      attempts += 1;
      return attempts === 1 ? new Response(null, { status: 500 }) : receiver.receive(request);
    });
    await createReminders(service).callWithCode(guest);
    await service.clock.advance("72h");
    const types = [...receiver.events.values()].map(({ type }) => type);
    assert.ok(types.includes("voice.tts_batch.finalized"), types.join());
    const callbacks = await service.callbacks();
    assert.ok(callbacks.every(({ status }) => status === "DELIVERED"));
    assert.equal(attempts, callbacks.length + 1);
  });

  test("needs no interception if the client accepts a fetch function", async () => {
    server.close();
    try {
      await createReminders(service, service.fetch).remind(guest);
      assert.equal((await service.messages()).length, 1);
    } finally {
      server.listen({ onUnhandledRequest: service.onUnhandledRequest });
    }
  });
}
