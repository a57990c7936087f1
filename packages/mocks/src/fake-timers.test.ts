// A consumer's test that fakes every timer that vitest can fake in this process.

import { setupServer } from "msw/node";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createMockService, type MockService } from "./index.ts";
import { call, sms } from "./testing/requests.ts";

const hourMs = 3_600_000;
const open = new Set<MockService>();
async function openService(): Promise<MockService> {
  const service = await createMockService();
  open.add(service);
  return service;
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: [...FAKED] });
});
afterEach(async () => {
  vi.useRealTimers();
  for (const service of open) await service.close();
  open.clear();
});

const FAKED = [
  ...(["setTimeout", "clearTimeout", "setInterval", "clearInterval", "setImmediate", "clearImmediate"] as const),
  ...(["performance", "Date"] as const),
];

async function post({ baseUrl, apiKey, apiSecret, fetch }: MockService, path: string, body: object, via = fetch) {
  const headers = { "x-api-key": apiKey, "x-api-secret": apiSecret, "content-type": "application/json" };
  return (await via(`${baseUrl}/api/v1/${path}`, { method: "POST", headers, body: JSON.stringify(body) })).status;
}

it("faked timers do not affect calls, planned failures, moves of the clock or callbacks", async () => {
  const service = await openService();
  const handled = vi.fn(() => undefined);
  service.onCallback(handled);
  expect(await post(service, "voice/tts-calls", call)).toBe(200);
  const start = service.clock.now();
  await service.clock.advance("1h");
  await service.clock.settle();
  expect(service.clock.now() - start).toBe(hourMs);
  expect(handled).toHaveBeenCalled();
  await service.failNext("sendSms", { code: "quota_exceeded", latencyMs: 1 });
  service.delay(1);
  expect(await post(service, "messages/sms", sms)).toBe(402);
  service.delay(0);
  expect(await post(service, "messages/sms", sms)).toBe(200);
  await service.clock.advance("1m");
  expect((await service.messages({ channel: "SMS" })).map(({ status }) => status)).toEqual(["DELIVERED"]);
  await service.reset();
  expect(await service.messages()).toEqual([]);
  await service.close();
});

it("faked timers do not affect calls through msw", async () => {
  const service = await openService();
  const server = setupServer(...service.handlers);
  server.listen();
  try {
    expect(await post(service, "messages/sms", sms, fetch)).toBe(200);
  } finally {
    server.close();
  }
});

it("faked timers do not affect reset and close while a handler never answers", async () => {
  const service = await openService();
  const isAsked = new Promise((resolve) => service.onCallback(() => new Promise(resolve)));
  await post(service, "voice/tts-calls", call);
  const moved = expect(service.clock.advance("72h")).rejects.toMatchObject({ name: "AbortError" });
  await isAsked;
  await service.reset();
  await moved;
  await service.clock.advance("1h");
  await service.close();
});

it("faked timers do not affect a service that was opened, and whose clock was moved, before they were faked", async () => {
  vi.useRealTimers();
  const service = await openService();
  const moves = [service.clock.advance("72h")];
  vi.useFakeTimers({ toFake: [...FAKED] });
  moves.push(service.clock.advance("1h"));
  await Promise.all(moves);
  vi.useRealTimers();
  await service.clock.advance("1h");
  await service.reset();
  await service.close();
});
