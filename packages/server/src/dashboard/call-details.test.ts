import { afterEach, beforeEach, expect, it } from "vitest";
import { listAsked } from "../testing/audit-entries.ts";
import { type DashboardService, openDashboardService } from "../testing/dashboard-service.ts";
import { answering, openReceiver, type Receiver } from "../testing/receivers.ts";

const NUMBER = "+12025550100";
/** A test number at which nobody answers. */
const SILENT = "+12025550131";
const MINUTE_MS = 60_000;

let dashboard: DashboardService;
let hook: Receiver;

beforeEach(() => open(true));
afterEach(async () => {
  await dashboard.service.close();
  await hook.close();
});

async function open(isDevelopment: boolean): Promise<void> {
  dashboard = await openDashboardService({ allowPrivateCallbacks: true, isDevelopment });
  hook = await openReceiver(answering(200));
  const { service } = dashboard;
  await service.start();
  for (const merchantId of ["m1", "m2"]) {
    await service.call("POST", "/api/v1/merchants", {
      body: { merchantId, displayName: merchantId, voiceMinutesLimit: 100 },
    });
  }
}

const HEADERS = { host: "127.0.0.1:4800" };

async function ask(path: string, token?: string) {
  const headers = { ...HEADERS, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) };
  const reply = await dashboard.service.app.inject({ method: "GET", url: `/dashboard/api${path}`, headers });
  return { status: reply.statusCode, body: reply.json() };
}

async function speak(toNumbers: readonly string[], more: object = {}) {
  const body = { merchantId: "m1", useCase: "OTP", messageText: "Your code is 1234", toNumbers, ...more };
  const reply = await dashboard.service.call("POST", "/api/v1/voice/tts-calls", { body });
  expect(reply.statusCode, reply.body).toBe(200);
  return reply.json() as { batchId: string; requestId: string };
}

it("shows a call with its message, its speech and the callbacks about it, newest first", async () => {
  const { batchId, requestId } = await speak([NUMBER], { callbackUrl: hook.url });
  const before = (await ask(`/calls/${requestId}`)).body;
  expect(before).toMatchObject({ call: { batchId, completedAt: null }, callbackUrl: hook.url });
  await dashboard.service.clock.advanceBy(10 * MINUTE_MS);
  const { body } = await ask(`/calls/${requestId}`);
  expect(body.call).toMatchObject({ requestId, finalStatus: "SUCCESS", billingState: "FINALIZED" });
  expect(body.message).toMatchObject({ channel: "VOICE", to: NUMBER, content: "Your code is 1234", consent: null });
  expect((await ask(`/messages/${body.message.messageId}`)).body).toEqual(body.message);
  expect(Date.parse(body.spokenAt)).toBeGreaterThanOrEqual(Date.parse(body.call.executedAt));
  expect(body.callbacks).toEqual((await ask("/callbacks")).body.callbacks);
  expect(body.callbacks.length).toBe(hook.received.length);
});

it("shows no callbacks of a call that asked for none, nor of other calls", async () => {
  await speak([SILENT], { callbackUrl: hook.url });
  const { requestId } = await speak([NUMBER]);
  await dashboard.service.clock.advanceBy(10 * MINUTE_MS);
  const { body } = await ask(`/calls/${requestId}`);
  expect([body.callbackUrl, body.callbacks]).toEqual([null, []]);
  expect(hook.received.length).toBeGreaterThan(0);
});

it("shows a batch with the times of its calls, and counts the callbacks about them", async () => {
  const { batchId } = await speak([NUMBER, SILENT], { callbackUrl: hook.url });
  await speak([NUMBER], { callbackUrl: hook.url });
  await dashboard.service.clock.advanceBy(10 * MINUTE_MS);
  const { body } = await ask(`/batches/${batchId}`);
  expect(body.batch).toMatchObject({ batchId, totalCalls: 2, success: 1, failed: 1, provisionalCount: 0 });
  expect(body).toMatchObject({
    refused: 0,
    scheduledAt: null,
    nextStartAt: null,
    lastStartAt: null,
    callbackUrl: hook.url,
  });
  expect(Date.parse(body.startedAt)).toBeLessThanOrEqual(Date.parse(body.spokenAt));
  expect(body.endCallback).toMatchObject({ type: "voice.tts_batch.finalized", status: "DELIVERED" });
  const posted = hook.received.map(({ body: text }) => JSON.parse(text) as { data: { batchId: string } });
  const about = posted.filter(({ data }) => data.batchId === batchId).length;
  expect(about).toBeLessThan(posted.length);
  expect(body.callbacks).toEqual({
    pending: { count: 0, isMore: false },
    delivered: { count: about, isMore: false },
    failed: { count: 0, isMore: false },
  });
});

it("counts the callbacks of a batch that are pending or have failed, and the calls that were refused", async () => {
  await hook.close();
  hook = await openReceiver(answering(500));
  const refused = { merchantId: "m1", channel: "VOICE", contact: SILENT, status: "OPT_OUT" };
  await dashboard.service.call("POST", "/api/v1/consents", { body: refused });
  const { batchId } = await speak([NUMBER, SILENT], { callbackUrl: hook.url });
  await dashboard.service.clock.advanceBy(MINUTE_MS);
  const { body } = await ask(`/batches/${batchId}`);
  expect(body.refused).toBe(1);
  expect(body.callbacks.pending.count).toBeGreaterThan(0);
  expect([body.callbacks.delivered.count, body.callbacks.failed.count]).toEqual([0, 0]);
  await dashboard.service.clock.advanceBy(4 * 24 * 60 * MINUTE_MS);
  const later = (await ask(`/batches/${batchId}`)).body;
  expect([later.callbacks.pending.count, later.callbacks.failed.count]).toEqual([0, body.callbacks.pending.count]);
  expect(later.endCallback.status).toBe("FAILED");
});

it("shows when the scheduled calls of a batch start", async () => {
  await dashboard.service.clock.advanceBy((24 - new Date(dashboard.service.clock.now()).getUTCHours() + 7) * 3_600_000);
  const numbers = [NUMBER, "+16195550100"];
  for (const contact of numbers) {
    const consent = { merchantId: "m1", channel: "VOICE", contact, status: "OPT_IN" };
    await dashboard.service.call("POST", "/api/v1/consents", { body: consent });
  }
  const { batchId } = await speak(numbers, { useCase: "MARKETING" });
  const { body } = await ask(`/batches/${batchId}`);
  expect(body.batch.scheduled).toBe(2);
  // San Diego's morning is three hours after Washington's
  expect(Date.parse(body.lastStartAt) - Date.parse(body.nextStartAt)).toBe(3 * 3_600_000);
  expect([body.scheduledAt, body.startedAt]).toEqual([body.nextStartAt, null]);
});

it("does not show the calls and batches of another merchant, and audits who viewed a call", async () => {
  await dashboard.service.close();
  await hook.close();
  await open(false);
  const { batchId, requestId } = await speak([NUMBER]);
  const { tenantId } = dashboard.service.credential;
  const statuses: number[][] = [];
  for (const merchantId of ["m1", "m2", null]) {
    const { token } = await dashboard.signIn(`viewer.${merchantId}@example.com`, {
      role: "viewer",
      merchantId,
      tenantId,
    });
    statuses.push([(await ask(`/calls/${requestId}`, token)).status, (await ask(`/batches/${batchId}`, token)).status]);
  }
  expect(statuses).toEqual([
    [200, 200],
    [404, 404],
    [200, 200],
  ]);
  const entries = await listAsked(dashboard.service.store, tenantId);
  expect(entries.map(({ operation, target }) => [operation, target])).toEqual(
    Array(3).fill(["getCall", "requestId 1•••"]),
  );
});
