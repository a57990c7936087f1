import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import type { JsonObject } from "../../output/fields.ts";
import { PLAIN } from "../../output/text/style.ts";
import { loadRecords } from "./apply-context.ts";
import { type Plan, planRegistration } from "./plan.ts";
import { planText } from "./plan-text.ts";
import { NOTHING_PRESENT, type Present, type View } from "./present.ts";
import type { Step } from "./step.ts";
import type { Wanted, WantedNumber } from "./wanted.ts";
import type { WantedPart } from "./wanted-part.ts";

const records = await loadRecords(catalog);

function part(path: string, fields: JsonObject): WantedPart {
  return { path, fields, lines: new Map([["", 1]]) };
}

const BRAND = { legalBusinessName: "Acme", externalBrandRef: "b1", city: "Oslo" };
const REQUIRED = {
  ...{ useCase: "2FA", description: "Codes", messageFlow: "On the site", sampleMessages: ["Code 1", "Code 2"] },
  ...{ optInKeywords: ["START"], optOutKeywords: ["STOP"], helpKeywords: ["HELP"] },
  ...{ optInMessage: "In", optOutMessage: "Out", helpMessage: "Help" },
};
const CAMPAIGN = { campaignReference: "c1", ...REQUIRED };
const NUMBER = { phoneNumber: "+12025550142" };

interface File {
  brand?: JsonObject | undefined;
  campaign?: JsonObject | undefined;
  /** The fields of a number, assigned to the campaign if there is one. */
  number?: JsonObject | undefined;
  isUnassigned?: boolean;
}

function wantedOf({ brand, campaign, number, isUnassigned }: File): Wanted {
  const campaigns = campaign === undefined ? [] : [part("campaigns[0]", campaign)];
  const assigned = isUnassigned || campaign === undefined ? undefined : "campaigns[0]";
  const numbers: WantedNumber[] = number === undefined ? [] : [{ ...part("numbers[0]", number), campaign: assigned }];
  return { merchantId: "m1", brand: brand && part("brand", brand), campaigns, numbers };
}

const brandView = (given: JsonObject = {}): View => ({
  ...{ id: 1, provider: "own", providerBrandId: null, status: "PENDING", verificationStatus: "UNVERIFIED" },
  ...{ updatedAt: "t1", ...BRAND, ...given },
});
const campaignView = (given: JsonObject = {}): View => ({
  ...{ id: 11, brandId: 1, provider: "own", providerCampaignId: null, status: "PENDING", reviewStatus: "TCR_PENDING" },
  ...{ reviewFailureCode: null, reviewFailureReason: null, updatedAt: "t1", ...CAMPAIGN, ...given },
});
const numberView = (given: JsonObject = {}): View => ({
  ...{ id: 21, provider: "own", status: "ACTIVE", capabilities: ["SMS"], assignmentStatus: "ASSIGNED", campaignId: 11 },
  ...{ updatedAt: "t1", ...NUMBER, ...given },
});

const whole: File = { brand: BRAND, campaign: CAMPAIGN, number: NUMBER };
const registered: Present = {
  ...NOTHING_PRESENT,
  brands: [brandView()],
  campaigns: [campaignView()],
  numbers: [numberView()],
};

function plan(file: File, present: Partial<Present> = {}, sendsHidden = false): Plan {
  const planned = planRegistration(wantedOf(file), { ...NOTHING_PRESENT, ...present }, records, { sendsHidden });
  if (!planned.ok) throw new Error(JSON.stringify(planned.faults));
  return planned.plan;
}

/** `change brand: city Oslo → Bergen` */
function brief({ steps }: Plan): string[] {
  return steps.map(({ action, kind, changes }) => {
    const shown = action === "change" ? changes : [];
    const texts = shown.map(({ field, from, to }) => ` ${field} ${String(from)} → ${String(to)}`);
    return `${action} ${kind}${texts.length === 0 ? "" : `:${texts.join(",")}`}`;
  });
}

function stepOf({ steps }: Plan, kind: Step["kind"]): Step {
  const found = steps.find((step) => step.kind === kind);
  if (found === undefined) throw new Error(`no ${kind}`);
  return found;
}

describe("the planned steps", () => {
  it.each<[string, File, Partial<Present>, string[]]>([
    ["nothing is registered", whole, {}, ["create brand", "create campaign", "create number", "create assignment"]],
    [
      "everything matches the file",
      whole,
      registered,
      ["nothing brand", "nothing campaign", "nothing number", "nothing assignment"],
    ],
    [
      "a field that the file does not have differs",
      { brand: BRAND },
      { brands: [brandView({ street: "Elsewhere", status: "APPROVED" })] },
      ["nothing brand"],
    ],
    [
      "a field differs",
      { ...whole, brand: { ...BRAND, city: "Bergen" } },
      registered,
      ["change brand: city Oslo → Bergen", "nothing campaign", "nothing number", "nothing assignment"],
    ],
    [
      "a field is new, and a list is in another order",
      { campaign: { ...CAMPAIGN, vertical: "HEALTHCARE", sampleMessages: ["Code 2", "Code 1"] } },
      { brands: [brandView()], campaigns: [campaignView({ vertical: null })] },
      ["change campaign: sampleMessages Code 1,Code 2 → Code 2,Code 1, vertical null → HEALTHCARE"],
    ],
    [
      "the service normalizes the values",
      {
        brand: { ...BRAND, contactEmail: " Dana@Bücher.Example" },
        number: { ...NUMBER, capabilities: ["VOICE", "SMS", "SMS"] },
      },
      {
        brands: [brandView({ contactEmail: "dana@xn--bcher-kva.example" })],
        numbers: [numberView({ capabilities: ["SMS", "VOICE"] })],
      },
      ["nothing brand", "nothing number"],
    ],
    [
      "a review is in progress",
      whole,
      { ...registered, campaigns: [campaignView({ status: "PENDING", reviewStatus: "MNO_PENDING" })] },
      ["nothing brand", "nothing campaign", "nothing number", "nothing assignment"],
    ],
    [
      "the service never returns the field",
      { brand: { ...BRAND, rawProviderPayload: "{}" } },
      registered,
      ["unknown brand"],
    ],
    [
      "the assignment is in progress",
      whole,
      { ...registered, numbers: [numberView({ assignmentStatus: "PENDING_ASSIGNMENT" })] },
      ["nothing brand", "nothing campaign", "nothing number", "nothing assignment"],
    ],
    [
      "an earlier run ended before the assignment",
      whole,
      { ...registered, numbers: [numberView({ assignmentStatus: "UNASSIGNED", campaignId: null })] },
      ["nothing brand", "nothing campaign", "nothing number", "create assignment"],
    ],
    [
      "an earlier assignment failed",
      whole,
      { ...registered, numbers: [numberView({ assignmentStatus: "FAILED_ASSIGNMENT" })] },
      ["nothing brand", "nothing campaign", "nothing number", "change assignment: campaign c1 → c1"],
    ],
    [
      "the number is assigned to another campaign",
      whole,
      {
        ...registered,
        campaigns: [campaignView(), campaignView({ id: 12, campaignReference: "c2" })],
        numbers: [numberView({ campaignId: 12 })],
      },
      [
        ...["nothing brand", "nothing campaign", "change number: assignmentStatus ASSIGNED → UNASSIGNED"],
        "change assignment: campaign c2 → c1",
      ],
    ],
    [
      "the file says that the number is assigned and the service does not know it",
      { ...whole, number: { ...NUMBER, assignmentStatus: "ASSIGNED" } },
      { ...registered, numbers: [numberView({ campaignId: null, assignmentStatus: "UNASSIGNED" })] },
      [
        "nothing brand",
        "nothing campaign",
        "change number: assignmentStatus UNASSIGNED → ASSIGNED, campaign null → c1",
      ],
    ],
    [
      "the file and the service both say that the number is assigned",
      { ...whole, number: { ...NUMBER, assignmentStatus: "ASSIGNED" } },
      registered,
      ["nothing brand", "nothing campaign", "nothing number"],
    ],
    ["the file names no campaign for a number that has one", { number: NUMBER }, registered, ["nothing number"]],
  ])("are right if %s", (_, file, present, expected) => {
    expect(brief(plan(file, present))).toEqual(expected);
  });

  it("do not repeat a status, which would end a review, and name the object by its identifiers", () => {
    const file = { ...CAMPAIGN, status: "PENDING", description: "Other codes" };
    const { body } = stepOf(plan({ campaign: file }, registered), "campaign");
    expect(body).toEqual({ ...REQUIRED, description: "Other codes", campaignReference: "c1", provider: "own" });
    const { body: brand } = stepOf(
      plan(
        { brand: { ...BRAND, city: "Bergen" } },
        { brands: [brandView({ providerBrandId: "BX", status: "APPROVED" })] },
      ),
      "brand",
    );
    expect(brand).toEqual({ legalBusinessName: "Acme", provider: "own", providerBrandId: "BX", city: "Bergen" });
  });

  it("send fields that the service never returns only with other changes or with --send-hidden", () => {
    const raw = { ...BRAND, rawProviderPayload: "{}" };
    const sent = { legalBusinessName: "Acme", provider: "own", rawProviderPayload: "{}" };
    expect(stepOf(plan({ brand: raw }, registered), "brand").body).toEqual({});
    expect(stepOf(plan({ brand: raw }, registered, true), "brand")).toMatchObject({ action: "change", body: sent });
    const { body } = stepOf(plan({ brand: { ...raw, city: "Bergen" } }, registered), "brand");
    expect(body).toEqual({ ...sent, city: "Bergen" });
  });

  it("say that a change starts a new review, but only if it does", () => {
    const refused = { reviewFailureCode: "30896", reviewFailureReason: "Opt-in is not clear.", status: "FAILED" };
    const present = { brands: [brandView()], campaigns: [campaignView(refused)] };
    const why = "its review failed: Opt-in is not clear.";
    expect(stepOf(plan({ campaign: CAMPAIGN }, present), "campaign").remarks).toEqual([why]);
    const changed = { ...CAMPAIGN, description: "Clear" };
    const again = "the change starts a new review";
    expect(stepOf(plan({ campaign: changed }, present), "campaign").remarks).toEqual([why, again]);
    const told = { ...changed, status: "ACTIVE" };
    expect(stepOf(plan({ campaign: told }, present), "campaign").remarks).toEqual([why]);
  });

  it.each<[string, File, Partial<Present>, string[]]>([
    [
      "a new brand beside an approved one",
      whole,
      { brands: [brandView({ id: 2, externalBrandRef: "old", status: "APPROVED" })] },
      ["create brand", "blocked campaign", "create number", "blocked assignment"],
    ],
    [
      "a new brand that the file says is approved",
      { brand: { ...BRAND, status: "APPROVED" }, campaign: CAMPAIGN },
      { brands: [brandView({ id: 2, externalBrandRef: "old", status: "APPROVED" })] },
      ["create brand", "create campaign"],
    ],
    [
      "an older brand if none is approved",
      { brand: BRAND, campaign: CAMPAIGN },
      { brands: [brandView({ id: 2, externalBrandRef: "newer" }), brandView()] },
      ["nothing brand", "blocked campaign"],
    ],
  ])("do not register a campaign under a brand other than the file's: %s", (_, file, present, expected) => {
    expect(brief(plan(file, present))).toEqual(expected);
  });

  it("say that a campaign cannot be moved to another brand", () => {
    const present = { brands: [brandView({ id: 1 })], campaigns: [campaignView({ brandId: 7 })] };
    expect(stepOf(plan({ brand: BRAND, campaign: CAMPAIGN }, present), "campaign").remarks).toEqual([
      "it belongs to brand 7, and a campaign cannot be moved to another brand",
    ]);
  });
});

describe("matching", () => {
  const named = { legalBusinessName: "ACME, Inc." };
  const brands = [
    brandView({ id: 4, legalBusinessName: "Acme Inc", externalBrandRef: null, provider: "hub", providerBrandId: "B4" }),
    brandView({ id: 3, externalBrandRef: "b3", provider: "hub", providerBrandId: "B3" }),
    brandView({ id: 2, legalBusinessName: "acme inc.", externalBrandRef: null }),
    brandView({ id: 1 }),
  ];

  it.each<[string, JsonObject, number | undefined]>([
    ["by provider and its id", { ...named, provider: "hub", providerBrandId: "B3" }, 3],
    ["by its id alone if only one provider has that id", { ...named, providerBrandId: "B3" }, 3],
    [
      "not by the id of another provider",
      { legalBusinessName: "X", provider: "own", providerBrandId: "B3" },
      undefined,
    ],
    ["by the reference", { ...named, externalBrandRef: "b1" }, 1],
    ["by provider and name", { ...named, provider: "own" }, 2],
    ["by name if it has no reference yet", { ...named, provider: "own", externalBrandRef: "new" }, 2],
    ["not by name if it has another reference", { legalBusinessName: "Acme", externalBrandRef: "new" }, undefined],
  ])("matches a brand: %s", (_, fields, id) => {
    expect(stepOf(plan({ brand: fields }, { brands }), "brand").view?.id).toBe(id);
  });

  it.each<[string, JsonObject, number | undefined]>([
    ["by the reference", CAMPAIGN, 11],
    ["by provider and its id", { ...REQUIRED, provider: "hub", providerCampaignId: "C2" }, 12],
    ["by both", { ...CAMPAIGN, campaignReference: "c2", provider: "hub", providerCampaignId: "C2" }, 12],
    ["by the reference if it has no provider id yet", { ...CAMPAIGN, providerCampaignId: "C9" }, 11],
    ["only if the reference matches", { ...CAMPAIGN, campaignReference: "c9" }, undefined],
  ])("matches a campaign: %s", (_, fields, id) => {
    const c2 = campaignView({ id: 12, campaignReference: "c2", provider: "hub", providerCampaignId: "C2" });
    const present = { brands: [brandView()], campaigns: [c2, campaignView()] };
    expect(stepOf(plan({ campaign: fields }, present), "campaign").view?.id).toBe(id);
  });

  it.each<[string, File, Partial<Present>, string]>([
    ["a brand at several providers", { brand: named }, { brands }, "there is one at each of hub, own"],
    [
      "a reference of another campaign",
      { campaign: { ...CAMPAIGN, providerCampaignId: "C9" } },
      { brands, campaigns: [campaignView({ providerCampaignId: "C1" })] },
      "campaign 11 has this campaignReference, but its providerCampaignId is C1",
    ],
    ["a campaign without a brand", { campaign: CAMPAIGN }, {}, "the merchant has no brand yet"],
  ])("refuses an ambiguous or impossible match: %s", (_, file, present, message) => {
    const planned = planRegistration(wantedOf(file), { ...NOTHING_PRESENT, ...present }, records, {
      sendsHidden: false,
    });
    expect(planned).toMatchObject({ ok: false, faults: [{ message: expect.stringContaining(message) }] });
  });
});

describe("the text of a plan", () => {
  it("has a sign for each step, and lists its changes", () => {
    const text = planText(plan({ ...whole, brand: { ...BRAND, city: "Bergen" } }, { ...registered, numbers: [] }), {
      style: PLAIN,
      width: undefined,
    });
    expect(text.split("\n")).toEqual([
      ...["~ brand Acme (id 1, PENDING)", "    city  Oslo → Bergen", "  campaign c1 (id 11, PENDING)"],
      ...["+ number +12025550142", "    phoneNumber  +12025550142", "+ assign +12025550142 to c1", ""],
      ...["2 to create, 1 to change, 1 unchanged.", ""],
    ]);
  });

  it("shows the differing part of long texts on a terminal", () => {
    const long = `${"The quick brown fox jumps over the lazy dog. ".repeat(4)}`;
    const present = { brands: [brandView()], campaigns: [campaignView({ description: `${long}Old end` })] };
    const changed = plan({ campaign: { ...CAMPAIGN, description: `${long}New end` } }, present);
    const lines = planText(changed, { style: PLAIN, width: 80 }).split("\n");
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}description {2}- ….{40,} lazy dog\. Old end$/));
    expect(lines).toContainEqual(expect.stringMatching(/^ {17}\+ ….{40,} lazy dog\. New end$/));
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
  });

  it("escapes control characters, and does not show rawProviderPayload", () => {
    const brand = { ...BRAND, city: "\u001b[2J", rawProviderPayload: "private" };
    const text = planText(plan({ brand }), { style: PLAIN, width: 80 });
    expect(text).toContain("\\u001b[2J");
    expect(text).toContain("rawProviderPayload  (7 characters)");
    expect(text).not.toContain("private");
  });
});
