// How a merchant's changes of reviewed values affect the review.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { goodCampaign } from "../../testing/registration.ts";
import type { IssuedCredential } from "../tenancy/tenants.ts";
import { moveBrand } from "./progress.ts";
import { findBrand } from "./rows.ts";

const hourMs = 3_600_000;
let service: InMemoryService;
let merchant: IssuedCredential;

beforeEach(async () => {
  service = await openInMemoryService();
  await service.start();
  await service.call("POST", "/api/v1/merchants", { body: { merchantId: "m1", displayName: "m1" } });
  merchant = await service.issue({ merchantId: "m1" });
});
afterEach(() => service.close());

async function post(path: "brand" | "campaign", as: IssuedCredential, body: object, key?: string) {
  const headers = key === undefined ? {} : { "idempotency-key": key };
  return (await service.call("POST", `/api/v1/merchants/m1/messaging/${path}`, { as, body, headers })).json();
}

async function status() {
  return (await service.call("GET", "/api/v1/merchants/m1/messaging/status")).json();
}

const identity = {
  legalBusinessName: "Bright Dental LLC",
  externalBrandRef: "b",
  businessType: "PRIVATE_PROFIT",
  websiteUrl: "https://bright-dental.example",
  street: "1200 K Street NW",
  city: "Washington",
  state: "DC",
  postalCode: "20005",
  country: "US",
};
const brandOf = (as: IssuedCredential, change: object = {}, key?: string) =>
  post("brand", as, { ...identity, ...change }, key);

const content = { campaignReference: "c", ...goodCampaign };
const campaignOf = (as: IssuedCredential, change: object = {}, key?: string) =>
  post("campaign", as, { ...content, ...change }, key);

describe("an approved brand", () => {
  const approved = { status: "APPROVED", verificationStatus: "VETTED_VERIFIED" };
  beforeEach(() => brandOf(service.credential, approved));

  it.each([
    { legalBusinessName: "Totally Other Ltd" },
    { businessType: "NON_PROFIT" },
    { websiteUrl: "https://other.example" },
    { street: "1 Other Street", city: "Reston", state: "VA", postalCode: "20190" },
    { state: "ON", postalCode: "K1A 0A6", country: "CA" },
    { provider: "hub", providerBrandId: "B1" },
  ])("cannot be turned into another brand by its merchant: %j", async (change) => {
    const before = await status();
    const { id } = before.brands[0];
    expect(await brandOf(merchant, change)).toMatchObject({
      status: 409,
      code: "illegal_transition",
      detail:
        `Brand ${id} is APPROVED, and this credential cannot change reviewed fields: leave ` +
        `${Object.keys(change).join(", ")} unchanged. It can change externalBrandRef, contactFirstName, ` +
        "contactLastName, contactEmail, contactPhone. For other changes register another brand, with an externalBrandRef of " +
        "its own, or ask the tenant.",
    });
    expect(await status()).toEqual(before);
  });

  it("keeps its approval if nothing reviewed changes", async () => {
    const { id } = (await status()).brands[0];
    const change = {
      legalBusinessName: "BRIGHT dental, L.L.C.",
      contactPhone: "+12025550142",
      contactFirstName: "Dana",
    };
    expect(await brandOf(merchant, change)).toMatchObject({ id, ...approved, ...change });
    expect(await post("brand", merchant, { legalBusinessName: "Bright Dental LLC" })).toMatchObject({
      id,
      ...approved,
    });
  });

  it("stays unchanged if its business registers another brand", async () => {
    const other = await brandOf(merchant, { legalBusinessName: "Totally Other Ltd", externalBrandRef: "other" });
    expect(other).toMatchObject({ status: "PENDING", verificationStatus: "UNVERIFIED" });
    expect((await status()).brands).toHaveLength(2);
  });

  it("can be changed by its tenant, and keeps the given state", async () => {
    expect(await brandOf(service.credential, { legalBusinessName: "Renamed LLC" })).toMatchObject(approved);
  });
});

describe("a rejected brand", () => {
  it("is reviewed again only after its tenant corrects it", async () => {
    const { id } = await brandOf(service.credential);
    await service.store.write(async (tx) => {
      const brand = await findBrand(tx, id);
      if (brand !== undefined) await moveBrand(tx, brand, { status: "FAILED", now: service.clock.now() });
    });
    expect(await brandOf(service.credential)).toMatchObject({ id, status: "FAILED" });
    expect(await brandOf(service.credential, { street: "7 L Street NW" })).toMatchObject({ id, status: "PENDING" });
    await service.clock.advanceBy(hourMs);
    expect((await status()).brands).toMatchObject([{ id, status: "APPROVED", verificationStatus: "VERIFIED" }]);
  });
});

describe("a brand in another state", () => {
  const renamed = { legalBusinessName: "Renamed LLC" };

  it.each([
    ["DRAFT", "DRAFT"],
    ["PENDING", "PENDING"],
    ["IN_REVIEW", "IN_REVIEW"],
    ["FAILED", "PENDING"],
  ])("moves from %s to %s if its merchant renames it, and is then unverified", async (before, after) => {
    await brandOf(service.credential, { status: before, verificationStatus: "VERIFIED" });
    expect(await brandOf(merchant)).toMatchObject({ status: before, verificationStatus: "VERIFIED" });
    expect(await brandOf(merchant, renamed)).toMatchObject({
      ...renamed,
      status: after,
      verificationStatus: "UNVERIFIED",
    });
  });

  it("cannot be changed if it is suspended", async () => {
    await brandOf(service.credential, { status: "SUSPENDED" });
    expect(await brandOf(merchant, renamed)).toMatchObject({ code: "illegal_transition" });
  });

  it("that failed is reviewed again after a change, and is verified when its tenant sets it to VERIFIED", async () => {
    await brandOf(service.credential, { status: "FAILED", verificationStatus: "VERIFIED" });
    await brandOf(merchant, renamed);
    await service.clock.advanceBy(hourMs);
    expect(await status()).toMatchObject({ blockingReason: "BRAND_UNVERIFIED", brands: [{ status: "APPROVED" }] });
    expect(await brandOf(service.credential, { ...renamed, verificationStatus: "VERIFIED" })).toMatchObject({
      status: "APPROVED",
      verificationStatus: "VERIFIED",
    });
  });

  it("can be changed during its review, but not after its approval", async () => {
    const first = await brandOf(merchant, {}, "k");
    await brandOf(merchant, renamed);
    await service.clock.advanceBy(hourMs);
    expect(await brandOf(merchant)).toMatchObject({ code: "illegal_transition" });
    expect(await brandOf(merchant, {}, "k")).toMatchObject({ id: first.id, ...renamed, status: "APPROVED" });
  });
});

describe("a campaign after a decision", () => {
  beforeEach(() => brandOf(service.credential, { status: "APPROVED", verificationStatus: "VERIFIED" }));

  it.each([
    { useCase: "SWEEPSTAKE" },
    { useCase: "LOW_VOLUME", subUseCases: ["2FA"] },
    { vertical: "GAMBLING" },
    { description: "Win a car with Bright Dental: a game of chance for everybody who asks." },
    { messageFlow: "Whoever passes by our shop window agrees to receive SMS from Bright Dental." },
    { sampleMessages: ["You have won a car! Call us within the hour.", "Congratulations, you are our winner."] },
    { optInMessage: "Bright Dental: you are in the game now.", helpMessage: "Bright Dental: there is no help here." },
    { optOutMessage: "Bright Dental: you are out of the game." },
    { privacyPolicyLink: "https://other.example/privacy", termsAndConditionsLink: "https://other.example/terms" },
    { provider: "hub", providerCampaignId: "P1" },
  ])("cannot be turned into another campaign by its merchant: %j", async (change) => {
    await campaignOf(service.credential, { status: "ACTIVE", reviewStatus: "MNO_PROVISIONED" });
    const before = await status();
    expect(await campaignOf(merchant, change)).toMatchObject({
      status: 409,
      code: "illegal_transition",
      detail:
        `Campaign ${before.campaigns[0].id} is ACTIVE (MNO_PROVISIONED), and this credential cannot change reviewed ` +
        `fields: leave ${Object.keys(change).join(", ")} unchanged. It can change campaignReference, ` +
        "optInKeywords, optOutKeywords, helpKeywords. For other changes register another campaign, with a campaignReference " +
        "of its own, or ask the tenant.",
    });
    expect(await status()).toEqual(before);
  });

  it("keeps its approval if nothing reviewed changes", async () => {
    const active = { status: "ACTIVE", reviewStatus: "MNO_PROVISIONED" };
    await campaignOf(service.credential, active);
    const change = { optInKeywords: ["IN"], optOutKeywords: ["OUT"], helpKeywords: ["WHAT"] };
    expect(await campaignOf(merchant)).toMatchObject(active);
    expect(await campaignOf(merchant, change)).toMatchObject({ ...active, ...change });
  });

  it("can be changed by its tenant, and keeps the given state", async () => {
    await campaignOf(service.credential, { status: "ACTIVE", reviewStatus: "MNO_PROVISIONED" });
    const change = { useCase: "SWEEPSTAKE" };
    expect(await campaignOf(service.credential, change)).toMatchObject({ ...change, reviewStatus: "MNO_PROVISIONED" });
  });

  it.each([
    ["PENDING", "TCR_PENDING", true],
    ["PENDING", "TCR_ACCEPTED", false],
    ["PENDING", "MNO_ACCEPTED", false],
    ["ACTIVE", "TCR_PENDING", false],
    ["SUSPENDED", "TCR_SUSPENDED", false],
    ["EXPIRED", "TCR_EXPIRED", false],
    ["FAILED", "TCR_PENDING", true],
    ["FAILED", "TCR_FAILED", true],
    ["FAILED", "MNO_REJECTED", true],
    ["FAILED", "TCR_ACCEPTED", false],
  ])(
    "in states %s and %s can be changed and is reviewed from the beginning: %s",
    async (state, reviewStatus, isOpen) => {
      await campaignOf(service.credential, { status: state, reviewStatus, reviewFailureCode: "7" });
      const reply = await campaignOf(merchant, { useCase: "SWEEPSTAKE" });
      if (isOpen)
        expect(reply).toMatchObject({ status: "PENDING", reviewStatus: "TCR_PENDING", useCase: "SWEEPSTAKE" });
      else expect(reply).toMatchObject({ status: 409, code: "illegal_transition" });
      expect((await status()).campaigns[0].useCase).toBe(isOpen ? "SWEEPSTAKE" : content.useCase);
    },
  );

  it("that another provider refused is reviewed here like a new campaign", async () => {
    await campaignOf(service.credential, { reviewStatus: "MNO_REJECTED", reviewFailureCode: "7" });
    expect(await campaignOf(merchant, { useCase: "SOCIAL" })).toMatchObject({ reviewFailureCode: null });
    await service.clock.advanceBy(24 * hourMs);
    expect((await status()).campaigns).toMatchObject([{ status: "ACTIVE", reviewStatus: "MNO_PROVISIONED" }]);
  });

  it("cannot be changed once the registry has accepted it", async () => {
    const first = await campaignOf(merchant, {}, "k");
    expect(await campaignOf(merchant, { useCase: "SOCIAL" })).toMatchObject({ id: first.id, useCase: "SOCIAL" });
    await service.clock.advanceBy(5 * hourMs);
    expect(await campaignOf(merchant)).toMatchObject({ code: "illegal_transition" });
    await service.clock.advanceBy(24 * hourMs);
    expect(await campaignOf(merchant, {}, "k")).toMatchObject({ id: first.id, useCase: "SOCIAL", status: "ACTIVE" });
  });
});
