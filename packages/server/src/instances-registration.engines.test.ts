// Registration at several instances at once: limits and uniqueness.

import { afterEach, beforeEach, expect, it } from "vitest";
import { type Instances, openInstances } from "./testing/instances.ts";
import { goodCampaign, shortCampaign } from "./testing/registration.ts";

const COUNT = 2;
const hourMs = 3_600_000;

let instances: Instances;
beforeEach(async () => {
  instances = await openInstances(COUNT);
  for (const merchantId of ["m1", "m2"]) {
    const body = { merchantId, displayName: merchantId };
    await instances.call(0, "POST", "/api/v1/merchants", { body });
  }
});
afterEach(async () => {
  expect(await instances.findFaults()).toEqual([]);
  await instances.close();
});

async function register(instance: number, path: string, body: object, merchantId = "m1") {
  const url = `/api/v1/merchants/${merchantId}/messaging/${path}`;
  return (await instances.call(instance, "POST", url, { body })).json();
}

/** Registers `times` times concurrently, at each instance in turn, and counts the answers by code. */
async function registerAtOnce(times: number, toRequest: (index: number) => [path: string, body: object, of?: string]) {
  const replies = await Promise.all(
    Array.from({ length: times }, (_, index) => register(index % COUNT, ...toRequest(index))),
  );
  const counts: Record<string, number> = {};
  for (const { code = "registered" } of replies) counts[code] = (counts[code] ?? 0) + 1;
  return { counts, ids: new Set(replies.flatMap(({ id }) => id ?? [])) };
}

const status = async (merchantId = "m1") =>
  (await instances.call(1, "GET", `/api/v1/merchants/${merchantId}/messaging/status`)).json();

it("a merchant has no more than 20 brands", async () => {
  const { counts } = await registerAtOnce(30, (index) => ["brand", { legalBusinessName: `Brand ${index}` }]);
  expect(counts).toEqual({ registered: 20, registration_limit: 10 });
  expect((await status()).brands).toHaveLength(20);
});

it("a merchant has no more than 50 campaigns", async () => {
  await register(0, "brand", { legalBusinessName: "One" });
  const { counts } = await registerAtOnce(60, (index) => [
    "campaign",
    { ...shortCampaign, campaignReference: `c${index}` },
  ]);
  expect(counts).toEqual({ registered: 50, registration_limit: 10 });
  expect((await status()).campaigns).toHaveLength(50);
});

it("a merchant has no more than 500 numbers", async () => {
  const phoneNumber = (index: number) => `+1202555${1_000 + index}`;
  // registrations of one merchant run one after another, but none waits for long
  for (let registered = 0; registered < 480; registered += 40) {
    await registerAtOnce(40, (index) => ["numbers", { phoneNumber: phoneNumber(registered + index) }]);
  }
  const { counts } = await registerAtOnce(40, (index) => ["numbers", { phoneNumber: phoneNumber(480 + index) }]);
  expect(counts).toEqual({ registered: 20, registration_limit: 20 });
});

it("a number belongs to one merchant", async () => {
  const { counts } = await registerAtOnce(8, (index) => [
    "numbers",
    { phoneNumber: "+12025550142" },
    index % 4 < 2 ? "m1" : "m2",
  ]);
  expect(counts).toEqual({ registered: 4, number_already_registered: 4 });
  const [ofOne, ofTwo] = [(await status("m1")).numbers, (await status("m2")).numbers];
  expect(ofOne.length + ofTwo.length).toBe(1);
});

it("brands have unique names, and campaigns unique references", async () => {
  const brands = await registerAtOnce(8, () => ["brand", { legalBusinessName: "One", externalBrandRef: "r" }]);
  expect([brands.counts, brands.ids.size]).toEqual([{ registered: 8 }, 1]);
  const campaigns = await registerAtOnce(8, () => ["campaign", { ...goodCampaign, campaignReference: "r" }]);
  expect([campaigns.counts, campaigns.ids.size]).toEqual([{ registered: 8 }, 1]);
});

it("a campaign has no more numbers than its use case allows", async () => {
  await register(0, "brand", { legalBusinessName: "One", status: "APPROVED", verificationStatus: "VERIFIED" });
  const campaign = { ...goodCampaign, useCase: "SOLE_PROPRIETOR", status: "ACTIVE" };
  const { id: campaignId } = await register(0, "campaign", campaign);
  const ids: number[] = [];
  for (let index = 0; index < 6; index += 1) {
    ids.push((await register(0, "numbers", { phoneNumber: `+1202555${1_000 + index}` })).id);
  }
  const { counts } = await registerAtOnce(6, (index) => [`numbers/${ids[index]}/assign`, { campaignId }]);
  expect(counts).toEqual({ registered: 1, campaign_number_limit: 5 });
});

it("a review and edits of the same campaign do not overwrite each other's changes", async () => {
  for (const service of instances.services) await service.start();
  await register(0, "brand", { legalBusinessName: "One", status: "APPROVED", verificationStatus: "VERIFIED" });
  const reference = { campaignReference: "r" };
  await register(0, "campaign", { ...goodCampaign, ...reference });
  let edits = 0;
  // the review takes a day, in four jobs
  for (let part = 0; part < 60; part += 1) {
    edits += 1;
    const [, edited] = await Promise.all([
      instances.clock.advanceBy((25 * hourMs) / 60),
      register(part % 2, "campaign", { ...goodCampaign, ...reference, vertical: `v${edits}` }),
    ]);
    expect(edited.code).toBeUndefined();
    const [campaign] = (await status()).campaigns;
    expect(campaign.vertical).toBe(`v${edits}`);
  }
  await instances.clock.advanceBy(25 * hourMs);
  const [campaign] = (await status()).campaigns;
  expect(campaign).toMatchObject({ status: "ACTIVE", reviewStatus: "MNO_PROVISIONED", vertical: `v${edits}` });
});
