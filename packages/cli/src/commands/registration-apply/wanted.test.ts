import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { catalog } from "../../catalog.ts";
import { writeCampaignFields } from "../../testing/campaign-fields.ts";
import { loadRecords } from "./apply-context.ts";
import { readMarked } from "./marked-document.ts";
import { readWanted } from "./wanted.ts";

const records = await loadRecords(catalog);

/** Returns the content of the text, or its faults as they are reported. */
async function read(text: string) {
  const marked = await readMarked(text);
  const result = marked.ok ? readWanted(marked.root, records) : marked;
  return result.ok ? { wanted: "wanted" in result ? result.wanted : undefined } : { faults: told(result.faults) };
}

function told(faults: readonly { where: string; message: string }[]): string[] {
  return faults.map(({ where, message }) => `${where}: ${message}`);
}

const CAMPAIGN = `
    useCase: 2FA
${writeCampaignFields("    ")}`;

const campaigns = (...names: string[]) =>
  `campaigns:\n${names.map((name) => `  - campaignReference: ${name}${CAMPAIGN}`).join("\n")}\n`;

describe("a file", () => {
  it("from the documentation is read completely", async () => {
    const path = new URL("../../../../../examples/registration.yaml", import.meta.url);
    const { wanted } = await read(readFileSync(path, "utf8"));
    expect(wanted).toMatchObject({
      merchantId: "demo",
      brand: { path: "brand", fields: { legalBusinessName: "Bright Dental LLC", postalCode: "20005" } },
      campaigns: [{ path: "campaigns[0]", fields: { useCase: "MIXED", optOutKeywords: ["STOP"] } }],
      numbers: [
        { path: "numbers[0]", campaign: "campaigns[0]", fields: { phoneNumber: "+12025550142" } },
        { path: "numbers[1]", campaign: "campaigns[0]", fields: { phoneNumber: "+12025550143" } },
      ],
    });
    expect(wanted?.numbers[0]?.fields).not.toHaveProperty("campaign");
  });

  it.each([
    ["a number keeps its leading zero", "postalCode: 02139", { postalCode: "02139" }],
    ["a quoted number keeps its leading zero", 'postalCode: "02139"', { postalCode: "02139" }],
    ["a phone number keeps its plus", "contactPhone: +12025550142", { contactPhone: "+12025550142" }],
    ["a YAML boolean is a text", "city: true", { city: "true" }],
    [
      "an alias has the value of its anchor",
      "street: &s K Street\n  city: *s",
      { street: "K Street", city: "K Street" },
    ],
  ])("is read so that %s", async (_, field, fields) => {
    const text = `merchantId: m1\nbrand:\n  legalBusinessName: Acme\n  ${field}\n`;
    expect((await read(text)).wanted?.brand?.fields).toEqual({ legalBusinessName: "Acme", ...fields });
  });

  it("may be JSON, and may have a single campaign", async () => {
    const campaign = { providerCampaignId: "C1", useCase: "2FA", description: "d", messageFlow: "f" };
    const words = { sampleMessages: ["a"], optInKeywords: ["b"], optOutKeywords: ["c"], helpKeywords: ["d"] };
    const texts = { optInMessage: "e", optOutMessage: "f", helpMessage: "g" };
    const numbers = [{ phoneNumber: "+12025550142", campaign: "C1" }];
    const json = JSON.stringify({ merchantId: "m1", campaign: { ...campaign, ...words, ...texts }, numbers });
    expect((await read(`\uFEFF${json}`)).wanted).toMatchObject({
      campaigns: [{ path: "campaign", fields: campaign }],
      numbers: [{ campaign: "campaign" }],
    });
  });
});

describe("faults", () => {
  it.each<[string, string, string[]]>([
    ["no YAML", 'merchantId: "m1', ["line 1: is not YAML: unexpected end of the stream within a double quoted"]],
    ["two documents", "merchantId: m1\n---\nbrand: {}\n", ["line 3: starts a second document; expected one"]],
    ["nothing", "", ["line 1: expected merchantId, brand"]],
    ["a list", "- a", ["line 1: expected merchantId, brand"]],
    [
      "an unknown section",
      "merchantId: m1\nnumber: []\nbrand:\n  legalBusinessName: A",
      ["number (line 2): there is no such field; did you mean numbers?"],
    ],
    ["nothing to register", "merchantId: m1\n", ["line 1: there is nothing to register"]],
    ["no merchant", "brand:\n  legalBusinessName: A", ["merchantId (line 1): missing: Identifier of the merchant."]],
    [
      "a wrong merchant",
      "merchantId: a b\nbrand: {legalBusinessName: A}",
      ['merchantId (line 1): received "a b"; expected'],
    ],
    [
      "everything of a brand at once",
      "merchantId: m1\nbrand:\n  legalBusinesName: Acme\n  businessType: PRIVAT_PROFIT\n  country: us\n  city: ~\n  street: {a: 1}\n",
      [
        "brand.legalBusinesName (line 3): there is no such field; did you mean legalBusinessName?",
        'brand.businessType (line 4): received "PRIVAT_PROFIT"; expected one of PRIVATE_PROFIT, PUBLIC_PROFIT, NON_PROFIT, GOVERNMENT, SOLE_PROPRIETOR; did you mean PRIVATE_PROFIT?',
        'brand.country (line 5): received "us"; expected two capital letters; try "US"',
        "brand.city (line 6): received null; expected text",
        "brand.street (line 7): received {}; expected text",
        "brand.legalBusinessName (line 2): missing: The business's registered name.",
      ],
    ],
    [
      "a field given twice",
      "merchantId: m1\nmerchantId: m2\nbrand:\n  legalBusinessName: A\n  legalBusinessName: B\n",
      ["merchantId (line 2): is given twice", "brand.legalBusinessName (line 5): is given twice"],
    ],
    [
      "a brand that is not an object",
      "merchantId: m1\nbrand: Acme",
      ["brand (line 2): expected fields with their values"],
    ],
    ["campaigns that are not a list", "merchantId: m1\ncampaigns: {}", ["campaigns (line 2): expected a list"]],
    [
      "a campaign beside the campaigns",
      `merchantId: m1\ncampaign:\n    campaignReference: b${CAMPAIGN}\n${campaigns("a")}`,
      ["campaign (line 2): is one of the campaigns; put it among them"],
    ],
    [
      "an element of a list",
      `merchantId: m1\n${campaigns("a")}    subUseCases:\n      - MARKETING\n      - MARKTING\n`,
      ['campaigns[0].subUseCases[1] (line 16): received "MARKTING"; expected one of'],
    ],
    [
      "a campaign without an identifier",
      `merchantId: m1\ncampaign:${CAMPAIGN}\n`,
      ["campaign.campaignReference (line 2): missing: your own name for the campaign"],
    ],
    [
      "two objects with the same identifier",
      `merchantId: m1\n${campaigns("a", "a")}numbers: [{phoneNumber: +12025550142}, {phoneNumber: "+12025550142"}]`,
      [
        'campaigns[1].campaignReference (line 14): "a" is already used by campaigns[0]',
        'numbers[1].phoneNumber (line 25): "+12025550142" is already used by numbers[0]',
      ],
    ],
    [
      "a number with an unknown campaign",
      `merchantId: m1\n${campaigns("otp")}numbers:\n  - phoneNumber: +12025550142\n    campaign: opt\n`,
      ['numbers[0].campaign (line 16): received "opt"; expected one of otp; did you mean otp?'],
    ],
    [
      "a number with a campaign in a file without campaigns",
      "merchantId: m1\nnumbers:\n  - phoneNumber: +12025550142\n    campaign: a\n",
      ['numbers[0].campaign (line 4): received "a"; expected a campaign of this file, which has none'],
    ],
    [
      "an id that only the service knows",
      "merchantId: m1\nnumbers:\n  - phoneNumber: +12025550142\n    campaignId: 4\n",
      ["numbers[0].campaignId (line 4): the service assigns ids; instead, give the campaignReference"],
    ],
    [
      "an assignment that contradicts itself",
      `merchantId: m1\n${campaigns("a")}numbers:\n  - {phoneNumber: +12025550142, campaign: a, assignmentStatus: UNASSIGNED}\n`,
      ["numbers[0].assignmentStatus (line 15): received UNASSIGNED, though campaign is given"],
    ],
  ])("%s", async (_, text, expected) => {
    const { faults = [] } = await read(text);
    expect(faults).toHaveLength(expected.length);
    for (const [index, start] of expected.entries()) expect(faults[index]).toContain(start);
  });

  const lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"];
  for (let level = 1; level < 9; level++) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(", ")}]`);
  }
  it.each([
    ["an alias of aliases", lines.join("\n"), "line 5: aliases make the file too large"],
    [
      "an alias of itself",
      "merchantId: m1\nbrand: &b\n  a: *b\n",
      "line 3: *b refers to an anchor that is not defined before it",
    ],
    ["too many levels", `merchantId: ${"[".repeat(200)}`, "line 1: is not YAML: nesting exceeded maxDepth"],
  ])("are found in a file with %s", async (_, text, fault) => {
    expect((await read(text)).faults).toEqual([expect.stringContaining(fault)]);
  });

  it.each([
    "merchantId: *m\nbrand: {legalBusinessName: A}",
    "__proto__: 1\nmerchantId: m1\nbrand: {legalBusinessName: A}",
  ])("are found in %j", async (text) => {
    expect((await read(text)).faults).toHaveLength(1);
  });
});
