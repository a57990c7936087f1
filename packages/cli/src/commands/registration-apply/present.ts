/** The service's state of a registration, and the rules that match a file's objects to it. Pure. */
import { domainToASCII } from "node:url";
import type { JsonObject } from "../../output/fields.ts";

export interface View extends JsonObject {
  id: number | bigint;
}

/** The parts of the status operation's answer that a plan uses; each list is newest first. */
export interface Present {
  readyToSend: boolean;
  blockingReason: string | null;
  brands: readonly View[];
  campaigns: readonly View[];
  numbers: readonly View[];
}

/** The state of a merchant that has registered nothing. */
export const NOTHING_PRESENT: Present = {
  readyToSend: false,
  blockingReason: null,
  brands: [],
  campaigns: [],
  numbers: [],
};

/** The matching object. `conflict` says why the match is ambiguous, or why the service would refuse the file's object. */
export type Match = { view: View | undefined; conflict?: undefined } | { conflict: string };

/**
 * Matches in the contract's order: by provider and provider id, else by the caller's reference, else by provider and name.
 * Without a provider in the file, any provider matches, since the contract does not name the service's default one.
 */
export function matchBrand(wanted: JsonObject, brands: readonly View[]): Match {
  const { provider, providerBrandId, externalBrandRef, legalBusinessName } = wanted;
  const ofProvider = brands.filter((brand) => provider === undefined || brand.provider === provider);
  if (providerBrandId !== undefined) {
    const known = ofProvider.filter((brand) => brand.providerBrandId === providerBrandId);
    if (known.length > 0) return onlyOne(known);
  }
  const isOpen = (brand: View) => providerBrandId === undefined || brand.providerBrandId === null;
  if (externalBrandRef !== undefined) {
    const known = brands.find((brand) => isOpen(brand) && brand.externalBrandRef === externalBrandRef);
    if (known !== undefined) return { view: known };
  }
  const name = foldName(legalBusinessName);
  return onlyOne(
    ofProvider.filter((brand) => {
      const isNamed = externalBrandRef === undefined || brand.externalBrandRef === null;
      return isOpen(brand) && isNamed && foldName(brand.legalBusinessName) === name;
    }),
  );
}

/** Picks the newest of several matches at one provider, as the service does. */
function onlyOne(newestFirst: readonly View[]): Match {
  const providers = [...new Set(newestFirst.map(({ provider }) => String(provider)))];
  if (providers.length < 2) return { view: newestFirst[0] };
  return { conflict: `there is one at each of ${providers.join(", ")}; add provider to say which` };
}

/** The service compares names ignoring case, spaces and punctuation, unless a name consists of nothing else. */
function foldName(name: unknown): string {
  const plain = String(name).normalize("NFKC").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, "") || plain.trim();
}

/** Matches by provider and provider id, else by the caller's reference. If both are given, they must agree. */
export function matchCampaign(wanted: JsonObject, campaigns: readonly View[]): Match {
  const { provider, providerCampaignId, campaignReference } = wanted;
  const byId = campaigns.filter((campaign) => {
    return (
      providerCampaignId !== undefined &&
      campaign.providerCampaignId === providerCampaignId &&
      (provider === undefined || campaign.provider === provider)
    );
  });
  const byReference = campaigns.find((campaign) => {
    return campaignReference !== undefined && campaign.campaignReference === campaignReference;
  });
  if (byReference === undefined) return onlyOne(byId);
  const isSame =
    byId.length === 0
      ? providerCampaignId === undefined || byReference.providerCampaignId === null
      : byId.includes(byReference);
  if (isSame) return { view: byReference };
  const { id, providerCampaignId: other } = byReference;
  const otherwise =
    byId[0] === undefined
      ? `its providerCampaignId is ${other}`
      : `this providerCampaignId is that of campaign ${byId[0].id}`;
  return { conflict: `campaign ${id} has this campaignReference, but ${otherwise}` };
}

/** Matches a number in E.164 form. */
export function matchNumber({ phoneNumber }: JsonObject, numbers: readonly View[]): View | undefined {
  return numbers.find((number) => number.phoneNumber === phoneNumber);
}

/** Whether the service already has the file's value, ignoring differences that the service normalizes. */
export function isSameValue(field: string, wanted: unknown, present: unknown): boolean {
  if (!Array.isArray(wanted)) {
    return wanted === present || (field === "contactEmail" && foldEmail(wanted) === foldEmail(present));
  }
  if (!Array.isArray(present)) return false;
  // the service removes duplicate capabilities
  const expected: readonly unknown[] = field === "capabilities" ? [...new Set(wanted)].sort() : wanted;
  const actual: readonly unknown[] = field === "capabilities" ? [...present].sort() : present;
  return expected.length === actual.length && expected.every((value, index) => value === actual[index]);
}

/** Normalizes an email address as the service stores it: in lower case, with an ASCII domain. */
function foldEmail(value: unknown): string {
  const address = String(value).trim().toLowerCase();
  const domain = address.lastIndexOf("@") + 1;
  return address.slice(0, domain) + (domainToASCII(address.slice(domain)) || address.slice(domain));
}
