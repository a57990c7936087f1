import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { observe, type Probe } from "../../platform/probes.ts";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { Repeaters } from "./repeaters.ts";

describe("the tenants that repeat", () => {
  let now: number;
  let repeaters: Repeaters;
  beforeEach(() => {
    now = 1_000_000;
    repeaters = new Repeaters({ now: () => now });
  });

  it("are known until a minute after their latest repeat, and no others", () => {
    expect(repeaters.has(1)).toBe(false);
    repeaters.note(1);
    now += 59_000;
    expect([repeaters.has(1), repeaters.has(2)]).toEqual([true, false]);
    repeaters.note(1);
    now += 59_999;
    expect(repeaters.has(1)).toBe(true);
    now += 1;
    expect(repeaters.has(1)).toBe(false);
  });

  it("are those of the latest repeats, of however many", () => {
    for (let tenantId = 1; tenantId <= 1_000; tenantId += 1) repeaters.note(tenantId);
    repeaters.note(1);
    repeaters.note(1_001);
    expect([1, 2, 3, 1_001].map((tenantId) => repeaters.has(tenantId))).toEqual([true, false, true, true]);
  });
});

describe("a request that is repeated among others", () => {
  let service: InMemoryService;
  let reached: Probe[];
  beforeEach(async () => {
    service = await openInMemoryService();
    const merchant = { merchantId: "default", displayName: "Bakery", smsLimit: 1_000 };
    await service.call("POST", "/api/v1/merchants", { body: merchant });
    reached = [];
    observe({ reached: (probe) => reached.push(probe), happens: () => false });
  });
  afterEach(async () => {
    observe(undefined);
    await service.close();
  });

  async function send(key: string): Promise<string> {
    const body = { merchantId: "default", to: "+12025550100", message: "Hello", type: "OTP" };
    const reply = await service.call("POST", "/api/v1/messages/sms", { headers: { "idempotency-key": key }, body });
    return `${reply.statusCode} ${reply.headers["idempotent-replayed"] ?? "fresh"}`;
  }
  let fresh = 0;
  /** Sends them at once, among new ones, and returns how often a group was run again. */
  async function sendAmongOthers(...keys: string[]): Promise<number> {
    reached = [];
    const others = Array.from({ length: 5 }, () => {
      fresh += 1;
      return send(`other ${fresh}`);
    });
    const repeats = keys.map(send);
    expect(await Promise.all(others)).toEqual(others.map(() => "200 fresh"));
    expect(await Promise.all(repeats)).toEqual(keys.map(() => "200 true"));
    return reached.filter((probe) => probe === "a group is run again, each unit undone by itself").length;
  }

  it("has them run again once, and not again until it was long ago", async () => {
    await send("one");
    expect(await sendAmongOthers("one")).toBe(1);
    for (let round = 0; round < 3; round += 1) expect(await sendAmongOthers("one", "one")).toBe(0);
    await service.clock.advanceBy(60_000);
    expect(await sendAmongOthers("one")).toBe(1);
  });

  it("is found while its first request is in the same group", async () => {
    await send("one");
    await sendAmongOthers("one");
    reached = [];
    expect(await Promise.all(["two", "two", "three"].map(send))).toEqual(["200 fresh", "200 true", "200 fresh"]);
    // a busy machine may have a group end before all three have run, and the others wait for the next
    expect(reached.filter((probe) => probe !== "a unit waits for the next group")).toEqual(["a request is a repeat"]);
  });
});
