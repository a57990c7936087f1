import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type BrandState,
  blockingReasons,
  type CampaignState,
  findBlockingReason,
  findRegistrationGap,
  type NumberState,
} from "./rules.ts";

const goodBrand: BrandState = { id: 1, status: "APPROVED", verificationStatus: "VERIFIED" };
const goodCampaign: CampaignState = { id: 1, brandId: 1, status: "ACTIVE" };
const goodNumber: NumberState = {
  campaignId: 1,
  status: "ACTIVE",
  assignmentStatus: "ASSIGNED",
  capabilities: ["SMS"],
};
const brand = (change: Partial<BrandState> = {}) => ({ ...goodBrand, ...change });
const campaign = (change: Partial<CampaignState> = {}) => ({ ...goodCampaign, ...change });
const number = (change: Partial<NumberState> = {}) => ({ ...goodNumber, ...change });

type Chain = [BrandState[], CampaignState[], NumberState[]];
const gap = ([brands, campaigns, numbers]: Chain) => findRegistrationGap({ brands, campaigns, numbers });

describe("findRegistrationGap", () => {
  it.each<[string | undefined, Chain]>([
    [undefined, [[brand()], [campaign()], [number()]]],
    [undefined, [[brand({ verificationStatus: "VETTED_VERIFIED" })], [campaign()], [number()]]],
    [undefined, [[brand()], [campaign()], [number({ assignmentStatus: "FAILED_UNASSIGNMENT" })]]],
    ["BRAND_MISSING", [[], [], [number()]]],
    ["BRAND_FAILED", [[brand({ status: "FAILED" })], [campaign()], [number()]]],
    ["BRAND_SUSPENDED", [[brand({ status: "SUSPENDED" })], [campaign()], [number()]]],
    ["BRAND_PENDING", [[brand({ status: "DRAFT" })], [], []]],
    ["BRAND_PENDING", [[brand({ status: "PENDING" })], [], []]],
    ["BRAND_PENDING", [[brand({ status: "IN_REVIEW", verificationStatus: "UNVERIFIED" })], [], []]],
    ["BRAND_UNVERIFIED", [[brand({ verificationStatus: "UNVERIFIED" })], [campaign()], [number()]]],
    ["BRAND_UNVERIFIED", [[brand({ verificationStatus: "SELF_DECLARED" })], [], []]],
    ["CAMPAIGN_MISSING", [[brand()], [], [number()]]],
    ["CAMPAIGN_MISSING", [[brand()], [campaign({ brandId: 2 })], [number()]]],
    ["CAMPAIGN_REJECTED", [[brand()], [campaign({ status: "FAILED" })], [number()]]],
    ["CAMPAIGN_SUSPENDED", [[brand()], [campaign({ status: "SUSPENDED" })], [number()]]],
    ["CAMPAIGN_EXPIRED", [[brand()], [campaign({ status: "EXPIRED" })], [number()]]],
    ["CAMPAIGN_PENDING", [[brand()], [campaign({ status: "PENDING" })], []]],
    ["NUMBER_MISSING", [[brand()], [campaign()], []]],
    ["NUMBER_INACTIVE", [[brand()], [campaign()], [number({ status: "PENDING" })]]],
    ["NUMBER_INACTIVE", [[brand()], [campaign()], [number({ status: "RELEASED" })]]],
    ["NUMBER_NOT_SMS_CAPABLE", [[brand()], [campaign()], [number({ capabilities: ["VOICE", "MMS"] })]]],
    ["NUMBER_UNASSIGNED", [[brand()], [campaign()], [number({ campaignId: null, assignmentStatus: "UNASSIGNED" })]]],
    ["NUMBER_UNASSIGNED", [[brand()], [campaign()], [number({ campaignId: 2 })]]],
    ["NUMBER_UNASSIGNED", [[brand()], [campaign()], [number({ assignmentStatus: "PENDING_UNASSIGNMENT" })]]],
    ["NUMBER_ASSIGNMENT_FAILED", [[brand()], [campaign()], [number({ assignmentStatus: "FAILED_ASSIGNMENT" })]]],
    ["NUMBER_ASSIGNMENT_PENDING", [[brand()], [campaign()], [number({ assignmentStatus: "PENDING_ASSIGNMENT" })]]],
    // the chain that has advanced furthest decides, wherever it stands in the lists
    ["CAMPAIGN_MISSING", [[brand({ id: 2, status: "FAILED" }), brand()], [campaign({ brandId: 2 })], [number()]]],
    ["BRAND_PENDING", [[brand({ status: "SUSPENDED" }), brand({ id: 2, status: "PENDING" })], [], []]],
    ["CAMPAIGN_PENDING", [[brand()], [campaign({ status: "PENDING" }), campaign({ id: 2, status: "FAILED" })], []]],
    [
      "NUMBER_ASSIGNMENT_PENDING",
      [
        [brand()],
        [campaign({ id: 3, status: "PENDING" }), campaign()],
        [
          number({ status: "SUSPENDED" }),
          number({ assignmentStatus: "PENDING_ASSIGNMENT" }),
          number({ capabilities: [] }),
        ],
      ],
    ],
    [undefined, [[brand({ id: 2, status: "FAILED" }), brand()], [campaign({ id: 2 }), campaign()], [number()]]],
  ])("returns %s", (reason, chain) => {
    expect(gap(chain)).toBe(reason);
  });

  it("never returns a worse gap after a brand, campaign or number was added", () => {
    const brands = fc.array(
      fc.record<BrandState>({
        id: fc.integer({ min: 1, max: 3 }),
        status: fc.constantFrom("PENDING", "APPROVED", "FAILED", "SUSPENDED"),
        verificationStatus: fc.constantFrom("UNVERIFIED", "VERIFIED"),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const campaigns = fc.array(
      fc.record<CampaignState>({
        id: fc.integer({ min: 1, max: 3 }),
        brandId: fc.integer({ min: 1, max: 3 }),
        status: fc.constantFrom("PENDING", "ACTIVE", "FAILED", "EXPIRED", "SUSPENDED"),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const numbers = fc.array(
      fc.record<NumberState>({
        campaignId: fc.option(fc.integer({ min: 1, max: 3 })),
        status: fc.constantFrom("ACTIVE", "RELEASED"),
        assignmentStatus: fc.constantFrom("UNASSIGNED", "ASSIGNED", "PENDING_ASSIGNMENT"),
        capabilities: fc.constantFrom(["SMS"], ["VOICE"]),
      }),
      { minLength: 1, maxLength: 3 },
    );
    const rank = (chain: Chain) => {
      const reason = gap(chain);
      return reason === undefined ? blockingReasons.length : blockingReasons.indexOf(reason);
    };
    fc.assert(
      fc.property(brands, campaigns, numbers, (b, c, n) => {
        const all = rank([b, c, n]);
        expect(all).toBeGreaterThanOrEqual(rank([b.slice(1), c, n]));
        expect(all).toBeGreaterThanOrEqual(rank([b, c.slice(1), n]));
        expect(all).toBeGreaterThanOrEqual(rank([b, c, n.slice(1)]));
      }),
    );
  });
});

describe("findBlockingReason", () => {
  it("returns MERCHANT_INACTIVE for an inactive merchant, whatever its registration", () => {
    const good = { brands: [goodBrand], campaigns: [goodCampaign], numbers: [goodNumber] };
    expect(findBlockingReason({ ...good, isActive: true })).toBeUndefined();
    expect(findBlockingReason({ ...good, isActive: false })).toBe("MERCHANT_INACTIVE");
    expect(findBlockingReason({ brands: [], campaigns: [], numbers: [], isActive: false })).toBe("MERCHANT_INACTIVE");
  });
});
