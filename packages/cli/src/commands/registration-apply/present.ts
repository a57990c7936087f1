/** The service's state of a registration, and how objects of a file are matched to it. Pure. */
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

/** The matching object; `conflict` says why the service would refuse it, or why the match is ambiguous. */
export type Match = { view: View | undefined; conflict?: undefined } | { conflict: string };

/**
 * Matches in the contract's order: provider and its id, else the caller's reference, else provider and name. A file
 * without a provider matches any provider: the contract does not name the service's own.
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

/** Picks the newest of several at one provider, as the service does. */
function onlyOne(newestFirst: readonly View[]): Match {
  const providers = [...new Set(newestFirst.map(({ provider }) => String(provider)))];
  if (providers.length < 2) return { view: newestFirst[0] };
  return { conflict: `there is one at each of ${providers.join(", ")}; say which by provider` };
}

/** The service compares names ignoring case, spaces and punctuation, unless a name consists of nothing else. */
function foldName(name: unknown): string {
  const plain = String(name).normalize("NFKC").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, "") || plain.trim();
}

/** Matches by provider and its id, else by the caller's reference; if both are given, they must agree. */
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
  const otherwise = byId[0] === undefined ? `${other} at its provider` : `another one than ${byId[0].id}`;
  return { conflict: `campaign ${id} has this campaignReference, and is ${otherwise}` };
}

/** Matches by E.164 form. */
export function matchNumber({ phoneNumber }: JsonObject, numbers: readonly View[]): View | undefined {
  return numbers.find((number) => number.phoneNumber === phoneNumber);
}

/** Whether the service holds the file's value, in the service's own form. */
export function isSameValue(field: string, wanted: unknown, present: unknown): boolean {
  if (!Array.isArray(wanted)) {
    return wanted === present || (field === "contactEmail" && foldEmail(wanted) === foldEmail(present));
  }
  if (!Array.isArray(present)) return false;
  // the service keeps each capability once
  const expected: readonly unknown[] = field === "capabilities" ? [...new Set(wanted)].sort() : wanted;
  const actual: readonly unknown[] = field === "capabilities" ? [...present].sort() : present;
  return expected.length === actual.length && expected.every((value, index) => value === actual[index]);
}

/** Addresses are stored in lower case, with an ASCII domain. */
function foldEmail(value: unknown): string {
  const address = String(value).trim().toLowerCase();
  const domain = address.lastIndexOf("@") + 1;
  return address.slice(0, domain) + (domainToASCII(address.slice(domain)) || address.slice(domain));
}
