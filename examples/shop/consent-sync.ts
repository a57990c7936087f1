// Copies the consents of a CRM to the service: npx tsx examples/shop/consent-sync.ts <crm.csv>
// Columns: Phone, Consent (yes or no). Only differences are recorded. A yes in the CRM does not replace an opt-out,
// because it may be older than the STOP: the program prints such recipients, and you have to ask them again. The
// environment variables MSGCTL_… set the service and its credential.
import { createReadStream } from "node:fs";
import { ConsentStatus, MessagingClient, type V1MerchantConsentRequest } from "@msgctl/sdk";
import { parse } from "csv-parse";

const [file] = process.argv.slice(2);
if (file === undefined) {
  console.error("usage: consent-sync.ts <crm.csv>");
  process.exit(2);
}
const merchantId = process.env.MERCHANT_ID ?? "demo";
const client = new MessagingClient({ logLevel: "warn" });
const counts = { recorded: 0, same: 0, kept: 0, refused: 0 };

const consents = await client.consent.list({ merchantId });
const present = new Map(
  consents.filter(({ channel }) => channel === "SMS").map((consent) => [consent.contact, consent]),
);

async function* readChanges(): AsyncGenerator<V1MerchantConsentRequest> {
  for await (const { Phone, Consent } of createReadStream(file as string).pipe(parse({ columns: true, trim: true }))) {
    const status = Consent === "yes" ? ConsentStatus.OPT_IN : ConsentStatus.OPT_OUT;
    const known = present.get(Phone);
    if (known?.status === status) counts.same += 1;
    else if (known?.status === ConsentStatus.OPT_OUT) {
      counts.kept += 1;
      console.log(`${Phone} opted out at ${known.updatedAt} (${known.source}): ask before you record a yes`);
    } else yield { merchantId, channel: "SMS", contact: Phone, status, source: "CRM" };
  }
}

for await (const outcome of client.consent.recordMany(readChanges(), { concurrency: 64 })) {
  counts[outcome.ok ? "recorded" : "refused"] += 1;
  if (!outcome.ok) console.error(`${outcome.row.contact}: ${outcome.error.message}`);
}
const { recorded, same, kept, refused } = counts;
console.log(`${recorded} recorded, ${same} as they were, ${kept} opt-outs kept, ${refused} refused`);
process.exitCode = refused === 0 ? 0 : 1;
