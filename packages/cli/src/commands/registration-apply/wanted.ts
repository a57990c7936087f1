/** What a file says of a merchant's registration, checked as far as the contract's records know. Pure. */
import type { Fault } from "../../failures/errors.ts";
import { didYouMean } from "../../failures/similar.ts";
import { formatInputName } from "../../flags/input-name.ts";
import { parseValue } from "../../flags/value.ts";
import type { Input, OperationRecord } from "../../model/record.ts";
import { checkFields, unknownField } from "../../operation/request/check-body.ts";
import { findMissing, quoted } from "../../operation/request/request.ts";
import type { JsonObject } from "../../output/fields.ts";
import type { Marked, MarkedEntry } from "./marked-document.ts";
import type { RegistrationRecords } from "./registration-records.ts";

/** One object of the file. */
export interface WantedPart {
  /** `campaigns[0]` */
  path: string;
  /** By the contract's names; without `campaign` of a number. */
  fields: JsonObject;
  /** Where each field stands, by its path inside the part (`sampleMessages[1]`); the part itself is under "". */
  lines: ReadonlyMap<string, number>;
}

export interface WantedNumber extends WantedPart {
  /** Path of the campaign that it is to be assigned to. */
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

/** Reads the marked text, finding every fault at once. */
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
    faults.push({ where: at("", root.line), message: `expected ${SECTIONS.join(", ")}, each with its value` });
    return undefined;
  }
  const sections = new Map<string, MarkedEntry>();
  for (const entry of root.value.entries) {
    const { key, line } = entry;
    if (sections.has(key)) faults.push({ where: at(key, line), message: GIVEN_TWICE });
    else if (SECTIONS.some((name) => name === key)) sections.set(key, entry);
    else faults.push({ where: at(key, line), message: unknownSection(key) });
  }
  const both = sections.get("campaign");
  if (both !== undefined && sections.has("campaigns")) {
    faults.push({ where: at("campaign", both.line), message: "is one of the campaigns; put it among them" });
  }
  if (sections.size === (sections.has("merchantId") ? 1 : 0)) {
    faults.push({
      where: at("", root.line),
      message: "nothing is to be registered; expected brand, campaigns or numbers",
    });
  }
  return sections;
}

const GIVEN_TWICE = "is given twice";

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
  if (input === undefined) throw new Error("The status of a registration is no longer asked for by merchantId.");
  if (entry === undefined) {
    faults.push({ where: at("merchantId", root.line), message: `missing: ${input.description}` });
    return "";
  }
  const { value, line } = entry;
  const text = value.kind === "text" ? value.text : "";
  const parsed = parseValue(input, text);
  if (!parsed.ok) {
    faults.push({
      where: at("merchantId", line),
      message: `received ${quoted(input, plain(entry))}; expected ${parsed.expected}`,
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
  faults.push({ where: at(path, entry.line), message: `expected a list, each item of it behind a dash` });
  return [];
}

function readPart(marked: Marked, path: string, record: OperationRecord, faults: Fault[]): WantedPart {
  const lines = new Map([["", marked.line]]);
  const fields: Record<string, unknown> = {};
  const part = { path, fields, lines };
  if (marked.value.kind !== "map") {
    faults.push({ where: at(path, marked.line), message: "expected fields with their values" });
    return part;
  }
  const inputs = record.inputs.filter((input) => input.in === "body");
  for (const { key, line, value } of marked.value.entries) {
    if (lines.has(key)) {
      faults.push({ where: at(`${path}.${key}`, line), message: GIVEN_TWICE });
      continue;
    }
    lines.set(key, line);
    if (!inputs.some((input) => input.path[0] === key)) {
      faults.push({ where: formatPlace(part, key), message: UNKNOWABLE_FIELDS[key] ?? unknownField(key, inputs) });
      continue;
    }
    if (value.kind === "list") value.items.forEach((item, index) => void lines.set(`${key}[${index}]`, item.line));
    fields[key] = plain({ value, line });
  }
  const check = {
    inputs,
    nameOrigin: (way: readonly string[]) => formatPlace(part, way.join(".")),
    nameElement: (_: string, index: number, way: readonly string[]) => formatPlace(part, `${way.join(".")}[${index}]`),
    unknown: (way: readonly string[]) => ({
      where: formatPlace(part, way.join(".")),
      message: unknownField("", inputs),
    }),
  };
  faults.push(...checkFields(fields, check));
  const missing = findMissing({ ...record, inputs }, (name) => {
    return inputs.some((input) => input.name === name && Object.hasOwn(fields, input.path[0] ?? ""));
  });
  for (const { where, message } of missing) {
    const input = inputs.find((candidate) => formatInputName(candidate) === where);
    faults.push({ where: formatPlace(part, input?.path.join(".") ?? ""), message });
  }
  return part;
}

/** Fields of the contract that a file cannot know. */
const UNKNOWABLE_FIELDS: Readonly<Record<string, string>> = {
  campaignId: "ids are the service's; name the campaign of this file by its campaignReference, under campaign",
};

/** How messages name a field of a part: its path in the file, and its line. */
export function formatPlace({ path, lines }: WantedPart, field: string): string {
  const line = lines.get(field) ?? lines.get(field.replace(/[.[].*$/, "")) ?? lines.get("");
  return at(field === "" ? path : `${path}.${field}`, line);
}

function at(path: string, line: number | undefined): string {
  return path === "" ? `line ${line}` : `${path} (line ${line})`;
}

/** The value for the checks of the records: what lies deeper than any field goes is not looked at. */
function plain({ value }: Marked): unknown {
  switch (value.kind) {
    case "text":
      return value.text;
    case "nothing":
      return null;
    case "map":
      return {};
    case "list":
      return value.items.map((item) => (item.value.kind === "list" ? [] : plain(item)));
  }
}

/** A campaign that nothing tells from another would be registered anew by each run. */
function checkCampaignIdentities(campaigns: readonly WantedPart[], faults: Fault[]): void {
  for (const campaign of campaigns) {
    const { campaignReference, providerCampaignId } = campaign.fields;
    if (campaignReference === undefined && providerCampaignId === undefined) {
      const message = "missing: your own name for the campaign, by which a later run knows it (or providerCampaignId)";
      faults.push({ where: formatPlace(campaign, "campaignReference"), message });
    }
  }
  checkDuplicates(campaigns, "campaignReference", faults);
  checkDuplicates(campaigns, "providerCampaignId", faults, ({ provider }) => String(provider));
}

function checkDuplicates(
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
      faults.push({ where: formatPlace(part, field), message: `${JSON.stringify(value)} is that of ${first} already` });
  }
}

/** Beside the fields of the record a number has the campaign, named as the file names it. */
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
