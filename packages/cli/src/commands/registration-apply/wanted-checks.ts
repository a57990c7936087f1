/** Checks across the parts of one file. */
import type { Fault } from "../../failures/errors.ts";
import type { JsonObject } from "../../output/fields.ts";
import { formatPlace, type WantedPart } from "./wanted-part.ts";

/** Requires an identifier for each campaign: without one, each run would register the campaign anew. */
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

/** Rejects a field value shared by two parts; `within` groups the parts among which it must be unique. */
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
      faults.push({ where: formatPlace(part, field), message: `${JSON.stringify(value)} is that of ${first} already` });
  }
}
