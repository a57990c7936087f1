import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { goodCampaign } from "../../testing/registration.ts";
import type { IssuedCredential } from "../tenancy/tenants.ts";

const hourMs = 3_600_000;
let service: InMemoryService;

beforeEach(async () => {
  service = await openInMemoryService();
  await service.start();
  await addMerchant("m1");
});
afterEach(() => service.close());

function addMerchant(merchantId: string, as?: IssuedCredential) {
  const body = { merchantId, displayName: merchantId, smsLimit: 100 };
  return service.call("POST", "/api/v1/merchants", { body, ...(as && { as }) });
}

interface Options {
  merchantId?: string;
  as?: IssuedCredential;
  key?: string;
}

async function post(path: string, body: object, { merchantId = "m1", as, key }: Options = {}) {
  const reply = await service.call("POST", `/api/v1/merchants/${merchantId}/messaging/${path}`, {
    body,
    ...(as && { as }),
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
  return reply.json();
}

const brand = (body: object = {}, options?: Options) =>
  post("brand", { legalBusinessName: "Bright Dental LLC", ...body }, options);

const campaign = (body: object = {}, options?: Options) => post("campaign", { ...goodCampaign, ...body }, options);
const number = (body: object = {}, options?: Options) =>
  post("numbers", { phoneNumber: "+12025550142", ...body }, options);
const assign = (numberId: number, campaignId: number, options?: Options) =>
  post(`numbers/${numberId}/assign`, { campaignId }, options);

async function status(merchantId = "m1") {
  return (await service.call("GET", `/api/v1/merchants/${merchantId}/messaging/status`)).json();
}

describe("a registration reviewed by the simulation", () => {
  it("becomes ready automatically, and reports what it waits for until then", async () => {
    expect(await status()).toEqual({
      merchantId: "m1",
      readyToSend: false,
      blockingReason: "BRAND_MISSING",
      brands: [],
      campaigns: [],
      numbers: [],
    });
    expect(await brand()).toMatchObject({ status: "PENDING", verificationStatus: "UNVERIFIED", provider: "simulated" });
    expect(await status()).toMatchObject({ blockingReason: "BRAND_PENDING" });
    await service.clock.advanceBy(hourMs - 1);
    expect(await status()).toMatchObject({ blockingReason: "BRAND_PENDING", brands: [{ status: "IN_REVIEW" }] });
    await service.clock.advanceBy(1);
    expect(await status()).toMatchObject({
      blockingReason: "CAMPAIGN_MISSING",
      brands: [{ status: "APPROVED", verificationStatus: "VERIFIED" }],
    });

    const { id: campaignId } = await campaign();
    expect(await number()).toMatchObject({ status: "ACTIVE", assignmentStatus: "UNASSIGNED", countryCode: "US" });
    const seen = ["TCR_PENDING"];
    for (let part = 0; part < 60; part += 1) {
      const { campaigns, blockingReason } = await status();
      if (campaigns[0].reviewStatus !== seen.at(-1)) seen.push(campaigns[0].reviewStatus);
      expect([blockingReason, campaigns[0].status]).toEqual(["CAMPAIGN_PENDING", "PENDING"]);
      await service.clock.advanceBy((24 * hourMs) / 60);
    }
    expect(seen).toEqual(["TCR_PENDING", "TCR_ACCEPTED", "PROVIDER_ACCEPTED", "MNO_PENDING", "MNO_ACCEPTED"]);
    expect(await status()).toMatchObject({
      blockingReason: "NUMBER_UNASSIGNED",
      campaigns: [{ status: "ACTIVE", reviewStatus: "MNO_PROVISIONED" }],
    });

    const { numbers } = await status();
    expect(await assign(numbers[0].id, campaignId)).toMatchObject({
      assignmentStatus: "PENDING_ASSIGNMENT",
      campaignId,
    });
    expect(await status()).toMatchObject({ blockingReason: "NUMBER_ASSIGNMENT_PENDING" });
    await service.clock.advanceBy(hourMs);
    expect(await status()).toMatchObject({ readyToSend: true, blockingReason: null });
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "m1", active: false } });
    expect(await status()).toMatchObject({ readyToSend: false, blockingReason: "MERCHANT_INACTIVE" });
  });

  it("catches up in order after the server was down", async () => {
    await brand();
    const { updatedAt } = await campaign();
    await service.clock.advanceBy(72 * hourMs);
    const { campaigns } = await status();
    expect(campaigns[0]).toMatchObject({ reviewStatus: "MNO_PROVISIONED", status: "ACTIVE" });
    expect(Date.parse(campaigns[0].updatedAt) - Date.parse(updatedAt)).toBe(24 * hourMs);
  });

  it("fails a campaign whose content is too short, and reviews it again once it is corrected", async () => {
    await brand();
    await campaign({ campaignReference: "c", description: "Short.", helpMessage: "Help" });
    await service.clock.advanceBy(24 * hourMs);
    expect(await status()).toMatchObject({
      blockingReason: "CAMPAIGN_REJECTED",
      campaigns: [
        {
          status: "FAILED",
          reviewStatus: "TCR_FAILED",
          reviewFailureCode: "DESCRIPTION_LENGTH",
          reviewFailureReason:
            "The description has 6 characters; 40 to 4096 are needed. The helpMessage has 4 characters; 20 to 320 are needed.",
        },
      ],
    });
    expect(await campaign({ campaignReference: "c" })).toMatchObject({
      status: "PENDING",
      reviewStatus: "TCR_PENDING",
      reviewFailureCode: null,
      reviewFailureReason: null,
    });
    await service.clock.advanceBy(24 * hourMs);
    expect(await status()).toMatchObject({ campaigns: [{ status: "ACTIVE", reviewFailureCode: null }] });
  });
});

describe("a given status", () => {
  it("is kept, and ends the review", async () => {
    await brand({ externalBrandRef: "b" });
    expect(await brand({ externalBrandRef: "b", status: "SUSPENDED" })).toMatchObject({ status: "SUSPENDED" });
    await campaign({ campaignReference: "c", status: "EXPIRED" });
    await number({ assignmentStatus: "FAILED_ASSIGNMENT", status: "PENDING" });
    await service.clock.advanceBy(48 * hourMs);
    expect(await status()).toMatchObject({
      blockingReason: "BRAND_SUSPENDED",
      brands: [{ status: "SUSPENDED", verificationStatus: "UNVERIFIED" }],
      campaigns: [{ status: "EXPIRED", reviewStatus: "TCR_PENDING" }],
      numbers: [{ status: "PENDING", assignmentStatus: "FAILED_ASSIGNMENT" }],
    });
  });

  it("makes a chain that was registered elsewhere ready immediately", async () => {
    await brand({ status: "APPROVED", verificationStatus: "VETTED_VERIFIED", provider: "tcr", providerBrandId: "B1" });
    const { id: campaignId } = await campaign({ reviewStatus: "MNO_PROVISIONED" });
    await number({ campaignId, assignmentStatus: "ASSIGNED", capabilities: ["VOICE", "SMS", "SMS"] });
    expect(await status()).toMatchObject({
      readyToSend: true,
      campaigns: [{ status: "ACTIVE" }],
      numbers: [{ capabilities: ["VOICE", "SMS"] }],
    });
  });

  it("of the verification is kept, while the review changes the brand's status", async () => {
    await brand({ verificationStatus: "SELF_DECLARED" });
    await service.clock.advanceBy(hourMs);
    expect(await status()).toMatchObject({
      blockingReason: "BRAND_UNVERIFIED",
      brands: [{ status: "APPROVED", verificationStatus: "SELF_DECLARED" }],
    });
  });

  it("is kept if it is another provider's refusal", async () => {
    await brand();
    await campaign({ campaignReference: "c", reviewStatus: "MNO_REJECTED", reviewFailureCode: "7" });
    expect(await campaign({ campaignReference: "c" })).toMatchObject({
      status: "FAILED",
      reviewStatus: "MNO_REJECTED",
      reviewFailureCode: "7",
    });
  });
});

describe("the object that a request refers to", () => {
  it("is, for a brand, found by provider id, else by reference, else by name", async () => {
    const byName = await brand({ city: "Washington" });
    expect((await brand({ legalBusinessName: " BRIGHT dental, L.L.C. " })).id).toBe(byName.id);
    const withReference = await brand({ externalBrandRef: "r1" });
    expect(withReference).toMatchObject({ id: byName.id, city: "Washington", externalBrandRef: "r1" });
    const withId = await brand({ externalBrandRef: "r1", providerBrandId: "B1", legalBusinessName: "Renamed" });
    expect(withId).toMatchObject({ id: byName.id, legalBusinessName: "Renamed", providerBrandId: "B1" });
    expect((await brand({ providerBrandId: "B1", legalBusinessName: "Again" })).id).toBe(byName.id);
    expect((await brand({ providerBrandId: "B2", legalBusinessName: "Again" })).id).not.toBe(byName.id);
    expect((await brand({ providerBrandId: "B1", provider: "other" })).id).not.toBe(byName.id);
    expect((await status()).brands).toHaveLength(3);
  });

  it("is, for a campaign, found by provider id, else by reference; otherwise it is new", async () => {
    await brand();
    const first = await campaign({ campaignReference: "c1" });
    expect((await campaign({ campaignReference: "c1", providerCampaignId: "P1", vertical: "HEALTH" })).id).toBe(
      first.id,
    );
    expect(await campaign({ providerCampaignId: "P1" })).toMatchObject({
      id: first.id,
      campaignReference: "c1",
      vertical: "HEALTH",
    });
    const second = await campaign({ providerCampaignId: "P2" });
    expect(second.id).not.toBe(first.id);
    expect((await campaign()).id).not.toBe(second.id);
    expect(await campaign({ providerCampaignId: "P2", campaignReference: "c1" })).toMatchObject({
      status: 409,
      code: "campaign_reference_conflict",
    });
    expect(await campaign({ providerCampaignId: "P3", campaignReference: "c1" })).toMatchObject({ status: 409 });
    await addMerchant("m2");
    await brand({}, { merchantId: "m2" });
    expect(await campaign({ campaignReference: "c1" }, { merchantId: "m2" })).toMatchObject({ merchantId: "m2" });
    expect((await status()).campaigns).toHaveLength(3);
  });

  it("is, for a campaign's brand, the merchant's newest approved brand, else its newest", async () => {
    await addMerchant("m2");
    await brand({}, { merchantId: "m2" });
    expect(await campaign()).toMatchObject({ status: 404, code: "brand_not_found" });
    const [old, approved, newest] = [
      await brand({ externalBrandRef: "1" }),
      await brand({ externalBrandRef: "2" }),
      await brand({ externalBrandRef: "3" }),
    ];
    expect((await campaign()).brandId).toBe(newest.id);
    await brand({ externalBrandRef: "2", status: "APPROVED" });
    await brand({ externalBrandRef: "1", status: "APPROVED" });
    expect((await campaign()).brandId).toBe(approved.id);
    expect(old.id).toBeLessThan(approved.id);
  });

  it("is, for a number, found by its E.164 form: another tenant can have it too, another merchant cannot", async () => {
    const first = await number({ provider: "hub", capabilities: ["SMS", "MMS"] });
    expect(await number({ numberType: "LOCAL" })).toMatchObject({
      id: first.id,
      provider: "hub",
      capabilities: ["SMS", "MMS"],
      numberType: "LOCAL",
    });
    await addMerchant("m2");
    expect(await number({}, { merchantId: "m2" })).toMatchObject({ status: 409, code: "number_already_registered" });
    const as = await service.issue({ tenant: "Other" });
    await addMerchant("m1", as);
    expect(await number({}, { as })).toMatchObject({ phoneNumber: "+12025550142", status: "ACTIVE" });
  });
});

describe("assigning a number", () => {
  async function ready(campaignBody: object = {}) {
    await brand({ status: "APPROVED", verificationStatus: "VERIFIED" });
    return (await campaign({ status: "ACTIVE", ...campaignBody })).id as number;
  }
  const phone = (index: number) => `+1202555${String(1000 + index)}`;

  it("allows 50 numbers per campaign, not counting numbers that have left it", async () => {
    const campaignId = await ready();
    for (let index = 0; index < 50; index += 1) await number({ phoneNumber: phone(index), campaignId });
    const last = await number({ phoneNumber: phone(50) });
    const refused = await assign(last.id, campaignId);
    expect(refused).toMatchObject({ status: 422, code: "campaign_number_limit" });
    expect(refused.detail).toBe(`Campaign ${campaignId} already has 50 of 50 numbers.`);
    expect(await number({ phoneNumber: phone(51), campaignId })).toMatchObject({ code: "campaign_number_limit" });
    expect((await status()).numbers).toHaveLength(51);
    await number({ phoneNumber: phone(7), assignmentStatus: "UNASSIGNED" });
    expect(await assign(last.id, campaignId)).toMatchObject({ assignmentStatus: "PENDING_ASSIGNMENT" });
  });

  it("allows one number for a sole proprietor", async () => {
    const campaignId = await ready({ useCase: "SOLE_PROPRIETOR" });
    const first = await number({ phoneNumber: phone(1), campaignId });
    expect(await number({ phoneNumber: phone(2), campaignId })).toMatchObject({
      code: "campaign_number_limit",
      detail: `Campaign ${campaignId} already has 1 of 1 number.`,
    });
    expect(await assign(first.id, campaignId)).toMatchObject({ id: first.id, campaignId });
  });

  it("prevents a change to a use case that allows fewer numbers than the campaign has", async () => {
    const reference = { campaignReference: "c" };
    const campaignId = await ready(reference);
    for (const index of [1, 2]) await number({ phoneNumber: phone(index), campaignId });
    expect(await campaign({ ...reference, useCase: "SOLE_PROPRIETOR" })).toMatchObject({
      status: 400,
      errors: [{ pointer: "/useCase", detail: expect.stringContaining("allows 2 numbers") }],
    });
    await number({ phoneNumber: phone(2), assignmentStatus: "UNASSIGNED" });
    expect(await campaign({ ...reference, useCase: "SOLE_PROPRIETOR" })).toMatchObject({ id: campaignId });
  });

  it("again is refused if other numbers have filled the campaign since", async () => {
    const campaignId = await ready({ useCase: "SOLE_PROPRIETOR" });
    const first = { phoneNumber: phone(1) };
    await number({ ...first, campaignId, assignmentStatus: "FAILED_ASSIGNMENT" });
    const second = await number({ phoneNumber: phone(2), campaignId });
    expect(second).toMatchObject({ assignmentStatus: "PENDING_ASSIGNMENT", campaignId });
    expect(await number({ ...first, assignmentStatus: "ASSIGNED" })).toMatchObject({
      status: 422,
      code: "campaign_number_limit",
    });
    expect(await number({ ...first, numberType: "LOCAL" })).toMatchObject({ assignmentStatus: "FAILED_ASSIGNMENT" });
    await number({ phoneNumber: phone(2), assignmentStatus: "UNASSIGNED" });
    expect(await number({ ...first, assignmentStatus: "ASSIGNED" })).toMatchObject({ campaignId });
  });

  it.each([
    [{ status: "SUSPENDED" }, {}, "illegal_transition", /is SUSPENDED and cannot be assigned/],
    [{ status: "RELEASED" }, {}, "illegal_transition", /is RELEASED and cannot be assigned/],
    [{ assignmentStatus: "PENDING_UNASSIGNMENT" }, {}, "illegal_transition", /is PENDING_UNASSIGNMENT/],
    [{ capabilities: ["VOICE", "FAX"] }, {}, "number_not_sms_capable", /capabilities VOICE, FAX; SMS is needed/],
    [{}, { status: "FAILED" }, "illegal_transition", /is FAILED and takes no numbers/],
    [{}, { status: "EXPIRED" }, "illegal_transition", /is EXPIRED/],
    [{}, { status: "SUSPENDED" }, "illegal_transition", /is SUSPENDED/],
  ])("refuses number %j to campaign %j: %s", async (numberBody, campaignBody, code, detail) => {
    const campaignId = await ready(campaignBody);
    const { id } = await number(numberBody);
    const refused = await assign(id, campaignId);
    expect(refused).toMatchObject({ code, detail: expect.stringMatching(detail) });
    expect((await status()).numbers).toMatchObject([{ campaignId: null }]);
  });

  it("does not move a number from one campaign to another", async () => {
    const [first, second] = [await ready(), await ready()];
    const { id } = await number({ campaignId: first });
    expect(await assign(id, second)).toMatchObject({ status: 409, code: "illegal_transition" });
    await service.clock.advanceBy(hourMs);
    expect(await assign(id, second)).toMatchObject({ status: 409 });
    await number({ assignmentStatus: "UNASSIGNED" });
    expect(await assign(id, second)).toMatchObject({ assignmentStatus: "PENDING_ASSIGNMENT", campaignId: second });
  });

  it("is confirmed only if no later assignment has begun", async () => {
    const campaignId = await ready();
    const { id } = await number({ campaignId });
    await service.clock.advanceBy(hourMs / 2);
    await number({ assignmentStatus: "UNASSIGNED" });
    await assign(id, campaignId);
    await service.clock.advanceBy(hourMs / 2);
    expect((await status()).numbers).toMatchObject([{ assignmentStatus: "PENDING_ASSIGNMENT" }]);
    await service.clock.advanceBy(hourMs / 2);
    expect((await status()).numbers).toMatchObject([{ assignmentStatus: "ASSIGNED" }]);
  });
});

describe("the checks of a request", () => {
  it.each([
    ["brand", { legalBusinessName: "B", country: "ZZ" }, ["/country"]],
    ["brand", { legalBusinessName: "B", country: "US", state: "Texas", postalCode: "1" }, ["/state", "/postalCode"]],
    ["brand", { legalBusinessName: "B", websiteUrl: "ftp://b.example" }, ["/websiteUrl"]],
    ["campaign", { ...goodCampaign, privacyPolicyLink: "ftp://b.example" }, ["/privacyPolicyLink"]],
    ["campaign", { ...goodCampaign, termsAndConditionsLink: "ftp://b.example" }, ["/termsAndConditionsLink"]],
    ["campaign", { ...goodCampaign, useCase: "MIXED", subUseCases: ["2FA"] }, ["/subUseCases"]],
    ["campaign", { ...goodCampaign, useCase: "LOW_VOLUME", subUseCases: [] }, ["/subUseCases"]],
    ["campaign", { ...goodCampaign, useCase: "MIXED", subUseCases: ["2FA", "2FA"] }, ["/subUseCases"]],
    ["campaign", { ...goodCampaign, subUseCases: ["2FA"] }, ["/subUseCases"]],
    ["campaign", { ...goodCampaign, useCase: "LOW_VOLUME" }, ["/subUseCases"]],
    ["numbers", { phoneNumber: "+12025550142", countryCode: "XX" }, ["/countryCode"]],
    ["numbers", { phoneNumber: "+12025550142", campaignId: 1, assignmentStatus: "UNASSIGNED" }, ["/assignmentStatus"]],
  ])("refuse %s %j at %j", async (path, body, pointers) => {
    await brand();
    const refused = await post(path, body);
    expect(refused).toMatchObject({ status: 400, code: "validation_error" });
    expect(refused.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers);
  });

  it.each([
    ["MIXED", 2],
    ["MIXED", 5],
    ["LOW_VOLUME", 1],
    ["LOW_VOLUME", 5],
    ["AGENTS_FRANCHISES", 0],
  ])("accept a campaign of the use case %s with %i sub-use-cases", async (useCase, count) => {
    await brand();
    const subUseCases = ["2FA", "M2M", "SOCIAL", "PROXY", "CHARITY"].slice(0, count);
    expect(await campaign({ useCase, subUseCases })).toMatchObject({ useCase, subUseCases, status: "PENDING" });
  });

  it("apply to stored fields, too, in an update", async () => {
    await brand({ country: "US" });
    expect(await brand({ state: "Bavaria" })).toMatchObject({ status: 400, errors: [{ pointer: "/state" }] });
    expect(await brand({ country: "DE", state: "Bavaria" })).toMatchObject({ state: "Bavaria" });
    await campaign({ campaignReference: "c", useCase: "MIXED", subUseCases: ["2FA", "M2M"] });
    expect(await campaign({ campaignReference: "c", useCase: "MIXED" })).toMatchObject({ subUseCases: ["2FA", "M2M"] });
    expect(await campaign({ campaignReference: "c" })).toMatchObject({ errors: [{ pointer: "/subUseCases" }] });
  });

  it("normalize contacts, and the provider's payload is never shown", async () => {
    const shown = await brand({
      contactEmail: " Dana@Bright.Example ",
      contactPhone: "+12025550142",
      rawProviderPayload: "{}",
    });
    expect(shown).toMatchObject({ contactEmail: "dana@bright.example", contactPhone: "+12025550142" });
    expect(shown).not.toHaveProperty("rawProviderPayload");
    const kept = await service.store.read((tx) => tx.get(`SELECT raw_provider_payload AS raw FROM brands`));
    expect(kept).toEqual({ raw: "{}" });
  });
});

it("a repeated registration returns the current state", async () => {
  const first = await brand({}, { key: "k" });
  await service.clock.advanceBy(hourMs);
  expect(await brand({}, { key: "k" })).toMatchObject({ id: first.id, status: "APPROVED" });
  const { id: campaignId } = await campaign({}, { key: "k" });
  expect((await campaign({}, { key: "k" })).id).toBe(campaignId);
  const { id } = await number({}, { key: "k" });
  await assign(id, campaignId, { key: "k" });
  await service.clock.advanceBy(hourMs);
  expect(await assign(id, campaignId, { key: "k" })).toMatchObject({ assignmentStatus: "ASSIGNED" });
  expect((await status()).campaigns).toHaveLength(1);
});
