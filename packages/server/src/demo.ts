// The ready-made tenant of `msgd serve --dev`: merchants with limits, a few consents, a credential in a private file.

import { existsSync, readFileSync } from "node:fs";
import { type DataFolder, writePrivateFile } from "./data-folder.ts";
import { defaultMerchantId } from "./operations/messages.ts";
import { hashSecret } from "./rules/credentials.ts";
import { recordConsent } from "./store/consents.ts";
import { findCredential } from "./store/credentials.ts";
import { upsertMerchant, upsertQuota } from "./store/merchants.ts";
import type { Store, Transaction } from "./store/store.ts";
import { createTenant, type IssuedCredential, issueCredential } from "./tenancy.ts";

const merchantId = "demo";
/** The simulated provider delivers to the first, and the last has opted out. */
const consents = [
  { channel: "SMS", contact: "+12025550100", status: "OPT_IN" },
  { channel: "VOICE", contact: "+12025550100", status: "OPT_IN" },
  { channel: "EMAIL", contact: "delivered@simulator.example", status: "OPT_IN" },
  { channel: "SMS", contact: "+13125550100", status: "OPT_OUT" },
] as const;

/**
 * Leaves the demo credential, with the address to use it at, in the data folder's `demo-credential.json` (0600).
 * Makes the tenant when the file is missing or its credential is not one of this database.
 */
export async function prepareDemo(
  store: Store,
  options: { folder: DataFolder; baseUrl: string; pepper: string; now: number },
): Promise<void> {
  const { folder, baseUrl, pepper, now } = options;
  const kept = readKept(folder.demoCredentialFile);
  const known = kept !== undefined && (await store.read((tx) => isKnown(tx, kept, pepper, now)));
  const credential = known ? kept : await store.write((tx) => seed(tx, pepper, now));
  const { apiKey, apiSecret, tenantId } = credential;
  const content = { baseUrl, apiKey, apiSecret, tenantId: String(tenantId), merchantId: null };
  writePrivateFile(folder.demoCredentialFile, `${JSON.stringify(content, null, 2)}\n`);
}

type DemoCredential = Pick<IssuedCredential, "apiKey" | "apiSecret"> & { readonly tenantId: number | string };

function readKept(file: string): DemoCredential | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { apiKey, apiSecret, tenantId } = JSON.parse(readFileSync(file, "utf8"));
    return [apiKey, apiSecret].every((value) => typeof value === "string")
      ? { apiKey, apiSecret, tenantId }
      : undefined;
  } catch {
    return undefined;
  }
}

async function isKnown(tx: Transaction, kept: DemoCredential, pepper: string, now: number): Promise<boolean> {
  const secretHash = hashSecret(kept.apiSecret, pepper);
  const rows = await findCredential(tx, kept.apiKey, now);
  return rows.some(
    (row) => row.secretHash === secretHash && row.revokedAt === null && String(row.tenantId) === kept.tenantId,
  );
}

async function seed(tx: Transaction, pepper: string, now: number): Promise<IssuedCredential> {
  const { tenantId } = await createTenant(tx, { name: "Demo", timezone: "UTC", now });
  await upsertMerchant(tx, { tenantId, merchantId, displayName: "Demo Bakery", active: true, now });
  for (const merchant of [merchantId, defaultMerchantId]) {
    await upsertQuota(tx, { tenantId, merchantId: merchant, channel: "SMS", limit: 1_000, credits: 100 });
    await upsertQuota(tx, { tenantId, merchantId: merchant, channel: "VOICE", limit: 500, credits: 50 });
    await upsertQuota(tx, { tenantId, merchantId: merchant, channel: "EMAIL", limit: 10_000, credits: 0 });
  }
  for (const { channel, contact, status } of consents) {
    const key = { tenantId, merchantId, channel, contact };
    await recordConsent(tx, key, { status, source: "demo", changedBy: "msgd", now });
  }
  return issueCredential(tx, { tenantId, merchantId: null, mode: "test", pepper, now });
}
