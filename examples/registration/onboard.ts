// Onboards a merchant with the SDK: npx tsx examples/registration/onboard.ts <file>
// Creates the merchant with its limits, registers the file's brand, campaigns and numbers, and waits for the reviews.
// If the program is interrupted, run it again: it finds each object by its reference, and leaves objects that match the
// file unchanged. Exits with 8 if a review refused the registration, and with 10 if the reviews take longer than
// WAIT_SECONDS. The variables MSGCTL_… name the service.
import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import {
  MessagingClient,
  type V1MerchantMessagingBrandRequest,
  type V1MerchantMessagingCampaignRequest,
  type V1MerchantPhoneNumberRequest,
} from "@msgctl/sdk";
import { parse } from "yaml";

interface Registration {
  readonly merchantId: string;
  readonly brand: V1MerchantMessagingBrandRequest;
  readonly campaigns: readonly (V1MerchantMessagingCampaignRequest & { campaignReference: string })[];
  /** The numbers, each with the reference of its campaign. */
  readonly numbers: readonly (V1MerchantPhoneNumberRequest & { campaign: string })[];
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: onboard.ts <file>");
  process.exit(2);
}
// Reads every value as a string: YAML would parse a phone number or a postal code as a number.
const { merchantId, brand, campaigns, numbers } = parse(readFileSync(file, "utf8"), {
  schema: "failsafe",
}) as Registration;
const client = new MessagingClient({ logLevel: "warn" });

const displayName = brand.legalBusinessName;
await client.merchants.upsert({ merchantId, displayName, smsLimit: 5_000, emailLimit: 5_000, voiceMinutesLimit: 500 });
await client.registration.brand(merchantId, brand);
const ids = new Map<string, number>();
for (const campaign of campaigns) {
  const { id } = await client.registration.campaign(merchantId, campaign);
  ids.set(campaign.campaignReference, id);
}
for (const { campaign, ...number } of numbers)
  await client.registration.number(merchantId, { ...number, campaignId: ids.get(campaign) });

const REFUSED = /_(FAILED|REJECTED|SUSPENDED|EXPIRED|UNVERIFIED)$/;
const pauseMs = 1_000 * Number(process.env.PAUSE_SECONDS ?? 60);
const end = Date.now() + 1_000 * Number(process.env.WAIT_SECONDS ?? 172_800);
let told: string | null | undefined;
for (;;) {
  const { readyToSend, blockingReason, campaigns: reviewed } = await client.registration.status(merchantId);
  if (blockingReason !== told) console.log(blockingReason ?? "ready to send");
  told = blockingReason;
  if (readyToSend) break;
  if (REFUSED.test(blockingReason ?? "")) {
    for (const { reviewFailureReason } of reviewed) if (reviewFailureReason) console.error(reviewFailureReason);
    process.exit(8);
  }
  if (Date.now() + pauseMs > end) process.exit(10);
  await sleep(pauseMs);
}
