import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { upsertMerchant } from "../domain/merchants/rows.ts";
import { type RegistrationKind, readRegistration } from "../domain/registration/progress.ts";
import {
  type BrandRow,
  type CampaignRow,
  insertBrand,
  insertCampaign,
  insertNumber,
} from "../domain/registration/rows.ts";
import { findRegistrationGap } from "../domain/registration/rules.ts";
import type { CampaignReviewStatus } from "../domain/transitions.ts";
import { systemClock } from "../platform/clock.ts";
import { ConfigError } from "../settings/config.ts";
import type { Transaction } from "../store/store.ts";
import { listRecorded, makeCommandEnvironment, type Printed, writeBeside } from "../testing/command-environment.ts";
import { newBrand, newCampaign, newNumber } from "../testing/registration.ts";
import type { CommandEnvironment } from "./environment.ts";
import { type ReviewFlags, runRegistrationsList, runRegistrationsReview } from "./registrations.ts";
import { runTenantsCreate } from "./tenants.ts";

const json = { output: "json" } as const;

let parent: string;
let printed: Printed;
let now: number;
let environment: CommandEnvironment;
beforeEach(async () => {
  parent = mkdtempSync(join(tmpdir(), "msgd-registrations-"));
  now = Date.parse("2026-11-24T12:00:00Z");
  ({ environment, printed } = makeCommandEnvironment(join(parent, "data"), { ...systemClock, now: () => now }));
  await runTenantsCreate("Acme", { ...json, timezone: "UTC" }, environment);
  await runTenantsCreate("Trial", { ...json, timezone: "UTC", test: true }, environment);
});
afterEach(() => rmSync(parent, { recursive: true }));

const write = <T>(work: (tx: Transaction) => Promise<T>) => writeBeside(environment, work);

interface Changes {
  readonly tenantId?: number;
  readonly brand?: Partial<BrandRow>;
  readonly campaign?: Partial<CampaignRow>;
}

/** Registers a merchant's brand, a campaign one minute later, and a number two minutes later. */
function register({ tenantId = 1, brand, campaign }: Changes = {}): Promise<Record<RegistrationKind, string>> {
  return write(async (tx) => {
    const owner = { tenantId, merchantId: "shop" };
    await upsertMerchant(tx, { ...owner, displayName: "Shop", active: true, now });
    const brandId = await insertBrand(tx, { ...newBrand({ ...owner, now }), ...brand }, now);
    const begun = newCampaign({ ...owner, brandId, now: now + 60_000 });
    const campaignId = await insertCampaign(tx, { ...begun, ...campaign }, now);
    const number = newNumber({ ...owner, campaignId, phoneNumber: "+12025550142", now: now + 120_000 });
    const numberId = await insertNumber(tx, number, now);
    return { brand: String(brandId), campaign: String(campaignId), number: String(numberId) };
  });
}

async function list(flags: { tenant?: string } = {}) {
  printed.out = "";
  await runRegistrationsList({ ...json, ...flags }, environment);
  return JSON.parse(printed.out);
}

async function review(kind: RegistrationKind, id: string, decision: string, flags: Partial<ReviewFlags> = {}) {
  printed.out = "";
  await runRegistrationsReview({ kind, id, decision }, { ...json, by: "Ann", ...flags }, environment);
  return JSON.parse(printed.out);
}

const gap = () => write(async (tx) => findRegistrationGap(await readRegistration(tx, 1, "shop")));
const audit = () => listRecorded(environment);

describe("registrations list", () => {
  it("shows the registrations that wait for a decision, the oldest first, with identifying data", async () => {
    const ids = await register();
    await register({ tenantId: 2 });
    const owner = { tenantId: "1", merchantId: "shop", provider: "simulated" };
    expect(await list()).toEqual([
      {
        ...{ kind: "brand", id: Number(ids.brand), ...owner, since: "2026-11-24T12:00:00.000Z", status: "PENDING" },
        ...{ legalBusinessName: "Bright Dental LLC", businessType: null, country: "US" },
        ...{ providerBrandId: null, externalBrandRef: null },
      },
      {
        ...{ kind: "campaign", id: Number(ids.campaign), ...owner, since: "2026-11-24T12:01:00.000Z" },
        ...{ reviewStatus: "TCR_PENDING", useCase: "CUSTOMER_CARE", brandId: Number(ids.brand) },
        ...{ legalBusinessName: "Bright Dental LLC", providerCampaignId: null, campaignReference: null },
        description: "Appointment reminders for patients of Bright Dental who asked for them.",
      },
      {
        ...{ kind: "number", id: Number(ids.number), ...owner, since: "2026-11-24T12:02:00.000Z" },
        ...{ assignmentStatus: "PENDING_ASSIGNMENT", phoneNumber: "+12025550142", campaignId: Number(ids.campaign) },
        providerNumberId: null,
      },
    ]);
    expect(await list({ tenant: "2" })).toEqual([]);
    await expect(list({ tenant: "9" })).rejects.toThrow("there is no tenant 9");
  });

  it("prints one line per registration, without characters that control a terminal", async () => {
    printed.err = "";
    await runRegistrationsList({ output: "text" }, environment);
    expect(printed.err).toBe("No registration waits.\n");
    const ids = await register({ brand: { legalBusinessName: "Bright\u001b[2J", externalBrandRef: "b-1" } });
    printed.out = "";
    await runRegistrationsList({ output: "text" }, environment);
    expect(printed.out.split("\n")).toEqual([
      String.raw`2026-11-24T12:00:00.000Z  brand  ${ids.brand}  tenant 1, merchant shop  Bright\u001b[2J  PENDING  US  reference b-1`,
      String.raw`2026-11-24T12:01:00.000Z  campaign  ${ids.campaign}  tenant 1, merchant shop  CUSTOMER_CARE  TCR_PENDING  of brand ${ids.brand}, Bright\u001b[2J  Appointment reminders for patients of Bright Dental who aske…`,
      `2026-11-24T12:02:00.000Z  number  ${ids.number}  tenant 1, merchant shop  +12025550142  PENDING_ASSIGNMENT  to campaign ${ids.campaign}`,
      "",
    ]);
  });
});

describe("registrations review", () => {
  it("approves brand, campaign and number, after which the merchant may send", async () => {
    const ids = await register();
    expect(await gap()).toBe("BRAND_PENDING");
    expect(await review("brand", ids.brand, "approved")).toEqual({
      ...{ kind: "brand", id: Number(ids.brand), tenantId: "1", merchantId: "shop", name: "Bright Dental LLC" },
      ...{ status: "APPROVED", verificationStatus: "VERIFIED" },
    });
    expect(await gap()).toBe("CAMPAIGN_PENDING");
    expect(await review("campaign", ids.campaign, "approved")).toMatchObject({
      ...{ status: "ACTIVE", reviewStatus: "MNO_PROVISIONED", reviewFailureCode: null, reviewFailureReason: null },
    });
    expect(await gap()).toBe("NUMBER_ASSIGNMENT_PENDING");
    expect(await review("number", ids.number, "approved")).toMatchObject({
      ...{ name: "+12025550142", status: "ACTIVE", assignmentStatus: "ASSIGNED" },
    });
    expect([await gap(), await list()]).toEqual([undefined, []]);
    expect((await audit()).map(({ email, operation, target }) => [email, operation, target])).toEqual([
      ["Ann", "registrations review", `numberId ${ids.number} of shop, +12025550142, approved`],
      ["Ann", "registrations review", `campaignId ${ids.campaign} of shop, CUSTOMER_CARE, approved`],
      ["Ann", "registrations review", `brandId ${ids.brand} of shop, Bright Dental LLC, approved`],
    ]);
  });

  it("keeps a verification that the tenant set", async () => {
    const ids = await register({ brand: { verificationStatus: "SELF_DECLARED", isVerificationGiven: 1 } });
    expect(await review("brand", ids.brand, "approved")).toMatchObject({ verificationStatus: "SELF_DECLARED" });
  });

  it("rejects, and shows the reason to the merchant of a campaign", async () => {
    const ids = await register();
    expect(await review("brand", ids.brand, "rejected", { reason: "EIN unknown" })).toMatchObject({
      ...{ status: "FAILED", verificationStatus: "UNVERIFIED" },
    });
    expect(await review("campaign", ids.campaign, "rejected", { reason: "No policy.", code: "803" })).toMatchObject({
      ...{ status: "FAILED", reviewStatus: "TCR_FAILED", reviewFailureCode: "803", reviewFailureReason: "No policy." },
    });
    expect(await review("number", ids.number, "rejected")).toMatchObject({ assignmentStatus: "FAILED_ASSIGNMENT" });
    expect((await audit()).map(({ target }) => target)).toEqual([
      `numberId ${ids.number} of shop, +12025550142, rejected`,
      `campaignId ${ids.campaign} of shop, CUSTOMER_CARE, rejected: No policy.`,
      `brandId ${ids.brand} of shop, Bright Dental LLC, rejected: EIN unknown`,
    ]);
    expect(await list()).toEqual([]);
  });

  it.each<[CampaignReviewStatus, CampaignReviewStatus]>([
    ["TCR_ACCEPTED", "PROVIDER_FAILED"],
    ["PROVIDER_ACCEPTED", "MNO_REJECTED"],
    ["MNO_PENDING", "MNO_REJECTED"],
    ["MNO_ACCEPTED", "MNO_PROVISIONING_FAILED"],
  ])("rejects a campaign at %s as %s", async (reviewStatus, failed) => {
    const { campaign } = await register({ campaign: { reviewStatus } });
    expect(await review("campaign", campaign, "rejected", { reason: "No." })).toMatchObject({ reviewStatus: failed });
  });

  it.each<[Changes, RegistrationKind, string]>([
    [{ tenantId: 2 }, "brand", "a test tenant, whose reviews are simulated"],
    [{ tenantId: 2 }, "number", "a test tenant, whose reviews are simulated"],
    [{ brand: { status: "APPROVED" } }, "brand", "is APPROVED, so there is nothing to decide"],
    [{ brand: { reviewStartedAt: null } }, "brand", "is PENDING because its tenant set that"],
    [{ campaign: { status: "ACTIVE" } }, "campaign", "is ACTIVE (TCR_PENDING), so there is nothing to decide"],
  ])("refuses if there is nothing to decide: %j", async (changes, kind, words) => {
    const ids = await register(changes);
    await expect(review(kind, ids[kind], "approved")).rejects.toThrow(words);
    expect(await audit()).toEqual([]);
  });

  it("refuses a second decision", async () => {
    const { number } = await register();
    await review("number", number, "approved");
    await expect(review("number", number, "rejected")).rejects.toThrow("is ASSIGNED, so there is nothing to decide");
  });

  it.each<[RegistrationKind, string, string, Partial<ReviewFlags>, string]>([
    ["brand", "1", "fine", {}, 'expected approved or rejected, received "fine"'],
    ["brand", "x", "approved", {}, 'expected a number, received "x"'],
    ["brand", "1", "approved", { reason: "why not" }, "allowed only with rejected"],
    ["brand", "1", "rejected", { code: "803" }, "allowed only for a campaign, received for a brand"],
    ["campaign", "1", "rejected", {}, "expected the reason why the campaign was rejected"],
    ["campaign", "1", "rejected", { reason: "x".repeat(1_025) }, "expected 1 to 1024 characters, received 1025"],
    ["number", "1", "approved", { by: "A\nnn" }, String.raw`received "A\u000ann"`],
  ])("refuses %s %s %s %j", async (kind, id, decision, flags, words) => {
    await expect(review(kind, id, decision, flags)).rejects.toThrow(words);
    await expect(review(kind, id, decision, flags)).rejects.toThrow(ConfigError);
  });

  it("says so if there are none", async () => {
    await expect(review("campaign", "7", "approved")).rejects.toThrow(
      "there is no campaign 7: msgd registrations list",
    );
  });
});
