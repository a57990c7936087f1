// Tests when calls that must not ring at night are made, from the request to the call.

import { afterEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

const at = (time: string) => Date.parse(time);
/** 13:00, 23:00 and the next 08:00 in New York. */
const noon = "2026-01-15T18:00:00.000Z";
const night = "2026-01-16T04:00:00.000Z";
const morning = "2026-01-16T13:00:00.000Z";

let service: InMemoryService;
afterEach(() => service.close());

async function open(now: string): Promise<void> {
  service = await openInMemoryService({ now: at(now), consentPolicy: "opt_out_only" });
  const shop = { merchantId: "shop", displayName: "Shop", voiceMinutesLimit: 1_000 };
  await service.call("POST", "/api/v1/merchants", { body: shop });
}
async function create(change: object) {
  const body = { merchantId: "shop", messageText: "Hello", useCase: "MARKETING", ...change };
  return (await service.call("POST", "/api/v1/voice/tts-calls", { body })).json();
}
const get = async (path: string) => (await service.call("GET", `/api/v1/voice/tts-calls${path}`)).json();
const inNewYork = "+12125550100";

describe("a call", () => {
  it.each([
    ["MARKETING", inNewYork, undefined, "QUIET_HOURS", morning, "America/New_York"],
    ["loyalty", inNewYork, undefined, "QUIET_HOURS", morning, "America/New_York"],
    ["MARKETING", inNewYork, "Asia/Tokyo", null, null, "Asia/Tokyo"],
    ["MARKETING", inNewYork, "America/Denver", "QUIET_HOURS", "2026-01-16T15:00:00.000Z", "America/Denver"],
    ["MARKETING", "+18005550100", undefined, "TIMEZONE_INFERRED", "2026-01-16T16:00:00.000Z", "America/Los_Angeles"],
    ["MARKETING", "+447700900123", undefined, "QUIET_HOURS", "2026-01-16T08:00:00.000Z", "Europe/London"],
    ["MARKETING", "+819012345678", undefined, null, null, "Asia/Tokyo"],
    ["MARKETING", "+79161234567", undefined, "TIMEZONE_INFERRED", "2026-01-16T06:00:00.000Z", "Europe/Kaliningrad"],
    ["MARKETING", "+447700900123", "America/New_York", "QUIET_HOURS", morning, "America/New_York"],
    ["MARKETING", "+79161234567", "Asia/Vladivostok", null, null, "Asia/Vladivostok"],
    ["otp", inNewYork, "America/New_York", null, null, null],
    ["Transactional", inNewYork, undefined, null, null, null],
    ["REMINDER", inNewYork, undefined, null, null, null],
  ])(
    "of type %s to %s with customerTimezone %s has the policyReason %s and is scheduled at %s",
    async (useCase, toNumber, zone, ...expected) => {
      await open(night);
      const [policyReason, scheduledAt, executionTimezone] = expected;
      const { requestId } = await create({ useCase, toNumber, ...(zone && { customerTimezone: zone }) });
      const status = policyReason === null ? "QUEUED" : "SCHEDULED";
      const executionType = policyReason === null ? "IMMEDIATE" : "SCHEDULED";
      const call = { status, executionType, policyReason, scheduledAt, executionTimezone };
      expect(await get(`/${requestId}`)).toMatchObject(call);
    },
  );

  it.each([
    // 08:30 in New York and 07:30 in Chicago; both share the area code
    ["+18505550100", "America/New_York", "2026-01-15T13:30:00.000Z"],
    // 11:00 in Kaliningrad, but night in the east of the country
    ["+79161234567", "Europe/Kaliningrad", "2026-01-15T09:30:00.000Z"],
  ])("to %s follows only the given time zone %s, and rings immediately", async (toNumber, customerTimezone, now) => {
    await open(now);
    await service.start();
    const { requestId } = await create({ toNumber, customerTimezone });
    await service.clock.advanceBy(60_000);
    expect(await get(`/${requestId}`)).toMatchObject({ status: "COMPLETED", executedAt: now, policyReason: null });
  });

  it("accepted by day waits for the morning if it cannot begin before the night", async () => {
    await open(noon);
    const { requestId } = await create({ toNumber: inNewYork });
    const urgent = await create({ toNumber: inNewYork, useCase: "OTP" });
    await service.clock.advanceTo(at(night));
    await service.start();
    await service.clock.advanceTo(at(morning) - 1);
    expect(await get(`/${requestId}`)).toMatchObject({ status: "QUEUED", executedAt: null });
    expect(await get(`/${urgent.requestId}`)).toMatchObject({ status: "COMPLETED", executedAt: night });
    await service.clock.advanceBy(10_000);
    expect(await get(`/${requestId}`)).toMatchObject({ status: "COMPLETED", executedAt: morning });
  });

  it("that missed its morning because no server ran waits for the next morning in its zone", async () => {
    await open(night);
    const numbers = Array.from({ length: 70 }, (_, index) => `+1${index % 2 ? 212 : 312}55501${10 + index}`);
    const { batchId } = await create({ toNumbers: numbers });
    // 22:30 in New York and 21:30 in Chicago: night in both
    await service.clock.advanceTo(at("2026-01-17T03:30:00.000Z"));
    await service.start();
    await service.clock.settle();
    const calls: Record<string, string>[] = await get(`/batches/${batchId}/numbers`);
    const [east, central] = ["2026-01-17T13:00:00.000Z", "2026-01-17T14:00:00.000Z"];
    expect(new Set(calls.map(({ scheduledAt }) => scheduledAt))).toEqual(new Set([east, central]));
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ status: "SCHEDULED", scheduled: 70 });
    await service.clock.advanceTo(at(central) - 1);
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ scheduled: 35, pending: 0 });
    await service.clock.advanceBy(73 * 3_600_000);
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ scheduled: 0, pending: 0, finalizedCount: 70 });
  });

  it("whose speech becomes ready as the night begins waits for the morning, and is then dialled once", async () => {
    await open("2026-01-16T01:59:59.900Z");
    await service.start();
    // 70 calls wait for the same speech: more than one job resumes at once
    const toNumbers = Array.from({ length: 70 }, (_, index) => `+1212555${2000 + index}`);
    const { batchId } = await create({ toNumbers: ["+13125550100", ...toNumbers] });
    const urgent = await create({ toNumber: inNewYork, useCase: "OTP" });
    await service.clock.advanceTo(at(morning) - 1);
    expect(await get(`/${urgent.requestId}`)).toMatchObject({ status: "COMPLETED" });
    // it was still day in Chicago
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ success: 1, pending: 70 });
    const waiting = await get("?limit=500");
    expect(waiting[1]).toMatchObject({ status: "SYNTHESIZING", callStatus: "QUEUED", attemptCount: 0 });
    await service.clock.advanceBy(60_000);
    expect(await get(`/batches/${batchId}/summary`)).toMatchObject({ status: "COMPLETED", success: 71 });
    const dialled = await service.store.read((tx) => tx.all("SELECT 1 FROM messages WHERE channel = 'VOICE'"));
    expect(dialled).toHaveLength(72);
  });
});
