/** What the service has of a registration, and which of it an object of a file means. Pure. */
import { domainToASCII } from "node:url";
import type { JsonObject } from "../../output/fields.ts";

export interface View extends JsonObject {
  id: number | bigint;
}

/** The answer of the status operation as far as a plan reads it; each list is newest first. */
export interface Present {
  readyToSend: boolean;
  blockingReason: string | null;
  brands: readonly View[];
  campaigns: readonly View[];
  numbers: readonly View[];
}

/** What a merchant has who registered nothing. */
export const NOTHING_PRESENT: Present = {
  readyToSend: false,
  blockingReason: null,
  brands: [],
  campaigns: [],
  numbers: [],
};

/** The one that is meant; `conflict` says why the service would refuse it, or why it is not clear which one is meant. */
export type Match = { view: View | undefined; conflict?: undefined } | { conflict: string };

/**
 * By the contract's order: provider and its id, else the caller's reference, else provider and name. A file without a
 * provider means whichever has the brand: what the service's own is called, the contract does not say.
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

/** Of several at one provider the newest, as the service has it. */
function onlyOne(newestFirst: readonly View[]): Match {
  const providers = [...new Set(newestFirst.map(({ provider }) => String(provider)))];
  if (providers.length < 2) return { view: newestFirst[0] };
  return { conflict: `there is one at each of ${providers.join(", ")}; say which by provider` };
}

/** The service compares names without case, spaces and punctuation; a name of nothing but signs by those. */
function foldName(name: unknown): string {
  const plain = String(name).normalize("NFKC").toLowerCase();
  return plain.replace(/[^\p{L}\p{N}]+/gu, "") || plain.trim();
}

/** By provider and its id, else by the caller's reference; where both are given they must mean the same one. */
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

/** By its E.164 form. */
export function matchNumber({ phoneNumber }: JsonObject, numbers: readonly View[]): View | undefined {
  return numbers.find((number) => number.phoneNumber === phoneNumber);
}

/** Whether the service holds what the file says, in its own form of it. */
export function isSameValue(field: string, wanted: unknown, present: unknown): boolean {
  if (!Array.isArray(wanted)) {
    return wanted === present || (field === "contactEmail" && foldEmail(wanted) === foldEmail(present));
  }
  if (!Array.isArray(present)) return false;
  // it keeps each of them once
  const expected: readonly unknown[] = field === "capabilities" ? [...new Set(wanted)].sort() : wanted;
  const actual: readonly unknown[] = field === "capabilities" ? [...present].sort() : present;
  return expected.length === actual.length && expected.every((value, index) => value === actual[index]);
}

/** Addresses are stored in small letters, their domain in ASCII. */
function foldEmail(value: unknown): string {
  const address = String(value).trim().toLowerCase();
  const domain = address.lastIndexOf("@") + 1;
  return address.slice(0, domain) + (domainToASCII(address.slice(domain)) || address.slice(domain));
}
