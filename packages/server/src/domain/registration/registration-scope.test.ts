// Limits of a merchant's credential: which states it may register, what it may learn about other merchants, and how many
// objects it may have.

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type InMemoryService, openInMemoryService } from "../../testing/in-memory-service.ts";
import { shortCampaign } from "../../testing/registration.ts";
import type { IssuedCredential } from "../tenancy/tenants.ts";
import { insertBrand, insertCampaign, insertNumber, listBrands, listCampaigns, listNumbers } from "./rows.ts";

let service: InMemoryService;
let ofTenant: IssuedCredential;
let ofOne: IssuedCredential;
let ofTwo: IssuedCredential;
beforeAll(async () => {
  service = await openInMemoryService();
  ofTenant = service.credential;
  for (const merchantId of ["one", "two"]) {
    await service.call("POST", "/api/v1/merchants", { body: { merchantId, displayName: merchantId } });
    await register(ofTenant, merchantId, "brand", { legalBusinessName: "Acme" });
  }
  ofOne = await service.issue({ merchantId: "one" });
  ofTwo = await service.issue({ merchantId: "two" });
});
afterAll(() => service.close());

async function register(as: IssuedCredential, merchantId: string, path: string, body: object) {
  return (await service.call("POST", `/api/v1/merchants/${merchantId}/messaging/${path}`, { as, body })).json();
}

const requests = {
  brand: { legalBusinessName: "Acme" },
  campaign: { ...shortCampaign, campaignReference: "c" },
  numbers: { phoneNumber: "+12025550142" },
};

describe("a state decided by a provider", () => {
  it.each([
    ["brand", { status: "APPROVED", verificationStatus: "VERIFIED" }, "status, verificationStatus"],
    ["brand", { status: "DRAFT" }, "status"],
    ["brand", { rawProviderPayload: "{}" }, "rawProviderPayload"],
    ["campaign", { status: "ACTIVE" }, "status"],
    ["campaign", { reviewStatus: "MNO_PROVISIONED" }, "reviewStatus"],
    ["campaign", { reviewFailureCode: "7", reviewFailureReason: "r" }, "reviewFailureCode, reviewFailureReason"],
    ["campaign", { rawProviderPayload: "{}" }, "rawProviderPayload"],
    ["numbers", { status: "ACTIVE" }, "status"],
    ["numbers", { assignmentStatus: "ASSIGNED" }, "assignmentStatus"],
    ["numbers", { assignmentStatus: "UNASSIGNED" }, "assignmentStatus"],
  ] as const)("can be imported only by the tenant: %s %j", async (path, state, named) => {
    const body = { ...requests[path], ...state };
    const before = await stored();
    expect(await register(ofOne, "one", path, body)).toMatchObject({
      status: 403,
      code: "merchant_scope_denied",
      detail: `This credential belongs to merchant one, and only the tenant may import a provider's decisions: leave out ${named}.`,
    });
    expect(await stored()).toEqual(before);
    expect(await register(ofTenant, "one", path, body)).toMatchObject({ merchantId: "one" });
  });

  it("is not inferred from references to a provider: the registration is reviewed here", async () => {
    const elsewhere = { provider: "hub", providerBrandId: "B1", externalBrandRef: "elsewhere" };
    const brand = await register(ofOne, "one", "brand", { legalBusinessName: "Elsewhere", ...elsewhere });
    expect(brand).toMatchObject({ ...elsewhere, status: "PENDING", verificationStatus: "UNVERIFIED" });
  });
});

function stored() {
  const { tenantId } = ofTenant;
  return service.store.read(async (tx) => ({
    brands: await listBrands(tx, tenantId, "one"),
    campaigns: await listCampaigns(tx, tenantId, "one"),
    numbers: await listNumbers(tx, tenantId, "one"),
  }));
}

describe("another merchant", () => {
  it("is not revealed by a campaign's reference, which is unique per merchant only", async () => {
    const body = { ...shortCampaign, campaignReference: "spring" };
    const [mine, theirs] = [
      await register(ofOne, "one", "campaign", body),
      await register(ofTwo, "two", "campaign", body),
    ];
    expect([mine.campaignReference, theirs.campaignReference, mine.id === theirs.id]).toEqual([
      "spring",
      "spring",
      false,
    ]);
    expect((await register(ofTwo, "two", "campaign", body)).id).toBe(theirs.id);
  });

  it("is not revealed by a provider's id, which is searched only among the caller's own objects", async () => {
    const body = { ...shortCampaign, provider: "hub", providerCampaignId: "C1" };
    const [mine, theirs] = [
      await register(ofOne, "one", "campaign", body),
      await register(ofTwo, "two", "campaign", body),
    ];
    expect(mine.id).not.toBe(theirs.id);
  });

  it("is not named if it owns the requested number", async () => {
    const body = { phoneNumber: "+12025550177" };
    await register(ofOne, "one", "numbers", body);
    const refused = await register(ofTwo, "two", "numbers", body);
    expect([refused.code, refused.detail]).toEqual([
      "number_already_registered",
      "+12025550177 is registered already.",
    ]);
    expect((await register(ofTenant, "two", "numbers", body)).detail).toBe(
      "+12025550177 is registered for merchant one of this tenant.",
    );
  });

  it("has campaigns and numbers that are reported as not found", async () => {
    const theirs = {
      number: await register(ofOne, "one", "numbers", { phoneNumber: "+12025550178" }),
      campaign: await register(ofOne, "one", "campaign", { ...shortCampaign, campaignReference: "theirs" }),
    };
    const wordsOf = async (numberId: number, campaignId: number) => {
      const { code, detail } = await register(ofTwo, "two", `numbers/${numberId}/assign`, { campaignId });
      return `${code}: ${detail}`.replaceAll(/\d+/g, "N");
    };
    const none = Number.MAX_SAFE_INTEGER;
    expect(await wordsOf(theirs.number.id, 1)).toBe(await wordsOf(none, 1));
    const own = await register(ofTwo, "two", "numbers", { phoneNumber: "+12025550179" });
    expect(await wordsOf(own.id, theirs.campaign.id)).toBe(await wordsOf(own.id, none));
  });
});

describe("a merchant's limit", () => {
  const phone = (index: number) => `+1202555${1_000 + index}`;

  beforeAll(async () => {
    await service.call("POST", "/api/v1/merchants", { body: { merchantId: "full", displayName: "Full" } });
    await register(ofTenant, "full", "brand", { legalBusinessName: "Acme 0" });
    await register(ofTenant, "full", "campaign", { ...shortCampaign, campaignReference: "c0" });
    await register(ofTenant, "full", "numbers", { phoneNumber: phone(0) });
    await service.store.write(async (tx) => {
      const owner = [tx, ofTenant.tenantId, "full"] as const;
      const [[brand], [first], [number]] = [
        await listBrands(...owner),
        await listCampaigns(...owner),
        await listNumbers(...owner),
      ];
      if (brand === undefined || first === undefined || number === undefined) throw new Error("nothing to copy");
      const payload = { rawProviderPayload: null };
      // one fewer than the limit of each kind
      for (let index = 1; index < 19; index += 1)
        await insertBrand(tx, { ...brand, ...payload, foldedName: `acme${index}` }, 0);
      for (let index = 1; index < 49; index += 1)
        await insertCampaign(tx, { ...first, ...payload, campaignReference: `c${index}` }, 0);
      for (let index = 1; index < 499; index += 1) await insertNumber(tx, { ...number, phoneNumber: phone(index) }, 0);
    });
  });

  it.each([
    ["brands", 20, "brand", { legalBusinessName: "Last" }, { legalBusinessName: "More" }],
    ["campaigns", 50, "campaign", { ...shortCampaign, campaignReference: "last" }, shortCampaign],
    ["numbers", 500, "numbers", { phoneNumber: phone(600) }, { phoneNumber: phone(601) }],
  ])("for %s is %i; existing ones can still be changed", async (kind, limit, path, last, more) => {
    const added = await register(ofTenant, "full", path, last);
    expect(added).toMatchObject({ merchantId: "full" });
    expect(await register(ofTenant, "full", path, more)).toMatchObject({
      status: 422,
      code: "registration_limit",
      detail: `full has ${limit} ${kind}, and a merchant may have ${limit}.`,
    });
    expect((await register(ofTenant, "full", path, last)).id).toBe(added.id);
    expect(await register(ofTenant, "one", path, more)).toMatchObject({ merchantId: "one" });
  });
});
