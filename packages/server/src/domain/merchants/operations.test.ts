import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";

let service: InMemoryService;
beforeAll(async () => {
  // 20:00 on 31 January in New York is already 1 February in UTC
  service = await openInMemoryService({ timezone: "America/New_York", now: Date.UTC(2026, 1, 1, 1) });
});
afterAll(() => service.close());

const upsert = async (body: object) => (await service.call("POST", "/api/v1/merchants", { body })).json();

describe("merchants", () => {
  it("are created active, without units, in the month of the tenant's time zone", async () => {
    expect(await upsert({ merchantId: "m1", displayName: "First" })).toEqual({
      merchantId: "m1",
      displayName: "First",
      active: true,
      limits: { smsLimit: 0, voiceMinutesLimit: 0, emailLimit: 0 },
      credits: { smsCredits: 0, voiceMinutesCredits: 0, emailCredits: 0 },
      usage: { smsUsed: 0, voiceUsed: 0, emailUsed: 0, periodStart: "2026-01-01" },
    });
  });

  it("keep fields that an update omits", async () => {
    await upsert({ merchantId: "m2", displayName: "Second", active: false, smsLimit: 5, emailCredits: 7 });
    expect(await upsert({ merchantId: "m2", displayName: "Renamed", voiceMinutesLimit: 3 })).toMatchObject({
      displayName: "Renamed",
      active: false,
      limits: { smsLimit: 5, voiceMinutesLimit: 3, emailLimit: 0 },
      credits: { emailCredits: 7 },
    });
  });

  it("are listed for their tenant, including the default merchant", async () => {
    const reply = await service.call("GET", "/api/v1/merchants");
    expect(reply.json().map(({ merchantId }: { merchantId: string }) => merchantId)).toEqual(["default", "m1", "m2"]);
  });

  it("are replayed in their current state", async () => {
    const headers = { "idempotency-key": "k1" };
    const body = { merchantId: "m3", displayName: "Third", smsLimit: 1 };
    await service.call("POST", "/api/v1/merchants", { body, headers });
    await upsert({ merchantId: "m3", displayName: "Third", smsLimit: 2 });
    const replay = await service.call("POST", "/api/v1/merchants", { body, headers });
    expect(replay.headers["idempotent-replayed"]).toBe("true");
    expect(replay.json().limits.smsLimit).toBe(2);
  });
});
