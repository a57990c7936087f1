/** A merchant's registration as a file describes it, checked against the contract's records. Pure. */
import type { Fault } from "../../failures/errors.ts";
import { didYouMean } from "../../failures/similar.ts";
import { parseValue } from "../../flags/value.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import { quoted } from "../../operation/request/request.ts";
import type { JsonObject } from "../../output/fields.ts";
import type { RegistrationRecords } from "./apply-context.ts";
import type { Marked, MarkedEntry } from "./marked-document.ts";
import { formatPlace, formatPosition, GIVEN_TWICE, readPart, toPlainValue, type WantedPart } from "./wanted-part.ts";

export interface WantedNumber extends WantedPart {
  /** Path in the file of the campaign to which to assign the number. */
  campaign: string | undefined;
}

export interface Wanted {
  merchantId: string;
  brand: WantedPart | undefined;
  campaigns: readonly WantedPart[];
  numbers: readonly WantedNumber[];
}

export type ReadWanted = { ok: true; wanted: Wanted } | { ok: false; faults: Fault[] };

const SECTIONS = ["merchantId", "brand", "campaign", "campaigns", "numbers"] as const;

/** Reads the parsed file, whose values have positions. Reports all faults at once. */
export function readWanted(root: Marked, records: RegistrationRecords): ReadWanted {
  const faults: Fault[] = [];
  const sections = readSections(root, faults);
  if (sections === undefined) return { ok: false, faults };
  const merchantId = readMerchantId(sections.get("merchantId"), root, records.status, faults);
  const brandEntry = sections.get("brand");
  const brand = brandEntry && readPart(brandEntry, "brand", records.brand, faults);
  const campaigns = [
    ...elements(sections.get("campaigns"), "campaigns", faults),
    ...one(sections.get("campaign"), "campaign"),
  ].map(({ marked, path }) => readPart(marked, path, records.campaign, faults));
  checkCampaignIdentities(campaigns, faults);
  const numbers = elements(sections.get("numbers"), "numbers", faults).map(({ marked, path }) =>
    readNumber(marked, path, campaigns, records.number, faults),
  );
  checkDuplicates(numbers, "phoneNumber", faults);
  if (faults.length > 0) return { ok: false, faults };
  return { ok: true, wanted: { merchantId, brand, campaigns, numbers } };
}

function readSections(root: Marked, faults: Fault[]): Map<string, MarkedEntry> | undefined {
  if (root.value.kind !== "map") {
    faults.push({
      where: formatPosition("", root.line),
      message: `expected ${SECTIONS.join(", ")}, each with its value`,
    });
    return undefined;
  }
  const sections = new Map<string, MarkedEntry>();
  for (const entry of root.value.entries) {
    const { key, line } = entry;
    if (sections.has(key)) faults.push({ where: formatPosition(key, line), message: GIVEN_TWICE });
    else if (SECTIONS.some((name) => name === key)) sections.set(key, entry);
    else faults.push({ where: formatPosition(key, line), message: unknownSection(key) });
  }
  const both = sections.get("campaign");
  if (both !== undefined && sections.has("campaigns")) {
    faults.push({
      where: formatPosition("campaign", both.line),
      message: "is one of the campaigns; put it among them",
    });
  }
  if (sections.size === (sections.has("merchantId") ? 1 : 0)) {
    faults.push({
      where: formatPosition("", root.line),
      message: "there is nothing to register; expected brand, campaigns or numbers",
    });
  }
  return sections;
}

function unknownSection(key: string): string {
  return `there is no such field${didYouMean(key, SECTIONS) || `; expected ${SECTIONS.join(", ")}`}`;
}

function readMerchantId(
  entry: MarkedEntry | undefined,
  root: Marked,
  { inputs }: OperationRecord,
  faults: Fault[],
): string {
  const input = inputs.find(({ path }) => path[0] === "merchantId");
  if (input === undefined) throw new Error("The status of a registration can no longer be looked up by merchantId.");
  if (entry === undefined) {
    faults.push({ where: formatPosition("merchantId", root.line), message: `missing: ${input.description}` });
    return "";
  }
  const { value, line } = entry;
  const text = value.kind === "text" ? value.text : "";
  const parsed = parseValue(input, text);
  if (!parsed.ok) {
    faults.push({
      where: formatPosition("merchantId", line),
      message: `received ${quoted(input, toPlainValue(entry))}; expected ${parsed.expected}`,
    });
  }
  return text;
}

interface Element {
  marked: Marked;
  path: string;
}

function one(entry: MarkedEntry | undefined, path: string): Element[] {
  return entry === undefined ? [] : [{ marked: entry, path }];
}

function elements(entry: MarkedEntry | undefined, path: string, faults: Fault[]): Element[] {
  if (entry === undefined) return [];
  if (entry.value.kind === "list") {
    return entry.value.items.map((marked, index) => ({ marked, path: `${path}[${index}]` }));
  }
  faults.push({ where: formatPosition(path, entry.line), message: `expected a list, with a dash before each item` });
  return [];
}

/** In a file, a number has the record's fields and its campaign. */
const CAMPAIGN: Input = {
  ...{ name: "campaign", in: "body", path: ["campaign"], type: "string", minLength: 1 },
  description: "Campaign to assign the number to: its campaignReference, else its providerCampaignId.",
};

function readNumber(
  marked: Marked,
  path: string,
  campaigns: readonly WantedPart[],
  record: OperationRecord,
  faults: Fault[],
): WantedNumber {
  const inputs = [...record.inputs.filter((input) => input.path[0] !== "campaignId"), CAMPAIGN];
  const part = readPart(marked, path, { ...record, inputs }, faults);
  const { campaign: name, ...fields } = part.fields;
  const number = { ...part, fields, campaign: undefined };
  if (typeof name !== "string") return number;
  const campaign = ["campaignReference", "providerCampaignId"]
    .map((field) => campaigns.find((candidate) => candidate.fields[field] === name))
    .find((found) => found !== undefined);
  if (campaign === undefined) {
    faults.push({ where: formatPlace(part, "campaign"), message: unknownCampaign(name, campaigns) });
  } else if (fields.assignmentStatus === "UNASSIGNED") {
    faults.push({
      where: formatPlace(part, "assignmentStatus"),
      message: "received UNASSIGNED, though campaign is given",
    });
  }
  return { ...number, campaign: campaign?.path };
}

function unknownCampaign(name: string, campaigns: readonly WantedPart[]): string {
  const names = campaigns.flatMap(({ fields: { campaignReference, providerCampaignId } }) => {
    const known = campaignReference ?? providerCampaignId;
    return typeof known === "string" ? [known] : [];
  });
  const expected = names.length === 0 ? "a campaign of this file, which has none" : `one of ${names.join(", ")}`;
  return `received ${JSON.stringify(name)}; expected ${expected}${didYouMean(name, names)}`;
}

/** Requires an identifier for each campaign. Without one, each run would register the campaign again. */
export function checkCampaignIdentities(campaigns: readonly WantedPart[], faults: Fault[]): void {
  for (const campaign of campaigns) {
    const { campaignReference, providerCampaignId } = campaign.fields;
    if (campaignReference === undefined && providerCampaignId === undefined) {
      const message =
        "missing: your own name for the campaign, so that a later run can find it (or providerCampaignId)";
      faults.push({ where: formatPlace(campaign, "campaignReference"), message });
    }
  }
  checkDuplicates(campaigns, "campaignReference", faults);
  checkDuplicates(campaigns, "providerCampaignId", faults, ({ provider }) => String(provider));
}

/** Rejects a field value that two parts share. It must be unique among parts with the same result of `within`. */
export function checkDuplicates(
  parts: readonly WantedPart[],
  field: string,
  faults: Fault[],
  within: (fields: JsonObject) => string = () => "",
): void {
  const seen = new Map<string, string>();
  for (const part of parts) {
    const value = part.fields[field];
    if (typeof value !== "string") continue;
    const key = JSON.stringify([value, within(part.fields)]);
    const first = seen.get(key);
    if (first === undefined) seen.set(key, part.path);
    else
      faults.push({ where: formatPlace(part, field), message: `${JSON.stringify(value)} is already used by ${first}` });
  }
}
