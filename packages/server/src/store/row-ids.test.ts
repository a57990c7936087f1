import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { requestSpeech } from "../domain/calls/speech-rows.ts";
import { upsertMerchant } from "../domain/merchants/rows.ts";
import { insertBrand, listKnownBrands } from "../domain/registration/rows.ts";
import { insertTenant } from "../domain/tenancy/rows.ts";
import { systemRandomness } from "../platform/randomness.ts";
import { openTestStore } from "../testing/test-store.ts";
import { drawId } from "./statement.ts";
import type { Store } from "./store.ts";

const year = (years: number) => Date.UTC(2025 + years, 0, 1);

describe("drawId", () => {
  it("draws ids that contain the time and are all different", () => {
    const ids = Array.from({ length: 100 }, () => drawId(systemRandomness, year(1)));
    expect(new Set(ids).size).toBeGreaterThan(50);
    for (const id of ids)
      expect(id - (year(1) - year(0)) * 4_096).toSatisfy((rest: number) => rest >= 1 && rest <= 4_096);
    expect(drawId(systemRandomness, year(1) + 1)).toBeGreaterThan(Math.max(...ids));
  });

  it.each([0, year(0) - 1, year(70), 8.64e15])("returns the lowest id if ids cannot express the time %d", (now) => {
    expect(drawId(systemRandomness, now)).toBe(1);
  });

  it.each([year(0), year(68)])("returns a positive integer that a double can hold at %d", (now) => {
    expect(Number.isSafeInteger(drawId(systemRandomness, now)) && drawId(systemRandomness, now) > 0).toBe(true);
  });
});

describe("the ids of rows", () => {
  let store: Store;
  let tenantId: number;
  beforeEach(async () => {
    store = await openTestStore({ now: () => 0 });
    tenantId = await store.write(async (tx) => {
      const tenant = await insertTenant(tx, { name: "Test", timezone: "UTC", now: 0 });
      await upsertMerchant(tx, { tenantId: tenant.tenantId, merchantId: "m", displayName: "M", active: true, now: 0 });
      return tenant.tenantId;
    });
  });
  afterEach(() => store.close());

  const add = (now: number) =>
    store.write(async (tx) => {
      const owner = { tenantId, merchantId: "m", provider: "p", legalBusinessName: "B", foldedName: "b" };
      const states = { status: "PENDING", verificationStatus: "UNVERIFIED", isVerificationGiven: 0 } as const;
      const nothing = Object.fromEntries(
        [
          ...["providerBrandId", "externalBrandRef", "businessType", "websiteUrl", "street", "city", "state"],
          ...["postalCode", "country", "contactFirstName", "contactLastName", "contactEmail", "contactPhone"],
          ...["rawProviderPayload", "reviewStartedAt"],
        ].map((member) => [member, null]),
      );
      const times = { createdAt: now, updatedAt: now };
      return insertBrand(tx, { ...owner, ...states, ...nothing, ...times } as Parameters<typeof insertBrand>[1], now);
    });

  it("ascend in the order of insertion, whatever the clock does", async () => {
    const times = [0, year(1), year(1), year(2), year(1), year(69), year(80), year(1)];
    const ids: number[] = [];
    for (const now of times) ids.push(await add(now));
    expect(ids).toEqual([...ids].sort((one, other) => one - other));
    expect(new Set(ids).size).toBe(ids.length);
    const listed = await store.read((tx) => listKnownBrands(tx, tenantId, "m"));
    expect(listed.map(({ id }) => id)).toEqual([...ids].reverse());
  });

  it("are not reused after clock and rows were set back to an earlier state", async () => {
    await add(year(1));
    const lost = await add(year(1) + 1_000);
    await store.write((tx) => tx.run("DELETE FROM brands WHERE brand_id = $1", lost));
    expect(await add(year(1) + 2_000)).toBeGreaterThan(lost);
  });

  it("contain the time for speech, too, because views of calls show them", async () => {
    const request = (cacheKey: string, now: number) =>
      store.write((tx) => {
        const sound = { provider: "p", model: "m", voice: "v", language: "en-US", messageText: "Hello" };
        return requestSpeech(tx, {
          ...sound,
          cacheKey,
          ownerRequestId: 1,
          tenantId: 1,
          hasBegun: false,
          giveUpAt: now,
          now,
        });
      });
    const first = await request("a", year(1));
    const second = await request("b", year(1) + 1);
    expect(first.assetId).toBeGreaterThan(drawId(systemRandomness, year(1) - 1));
    expect(first.assetId).toBeLessThan(second.assetId);
    expect((await request("a", year(2))).assetId).toBe(first.assetId);
    await store.write((tx) => tx.run("DELETE FROM speech_assets WHERE asset_id = $1", second.assetId));
    expect((await request("c", year(1) + 1_000)).assetId).toBeGreaterThan(second.assetId);
  });
});
