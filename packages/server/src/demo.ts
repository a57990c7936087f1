// The ready-made tenant of `msgd serve --dev`: merchants with limits, a few consents, a credential in a private file.

import { existsSync, readFileSync } from "node:fs";
import { readCallbackSecrets, restoreCallbackSecret } from "./callback-secrets.ts";
import { type DataFolder, writePrivateFile } from "./data-folder.ts";
import { defaultMerchantId } from "./operations/messages.ts";
import { applySeed, type Seed } from "./operations/seed.ts";
import { hashSecret } from "./rules/credentials.ts";
import type { SecretBox } from "./secret-box.ts";
import { findCredential } from "./store/credentials.ts";
import type { Store, Transaction } from "./store/store.ts";
import { createTenant, issueCredential, type KnownCredential, recreateTenant } from "./tenancy.ts";

const demoMerchantId = "demo";
const tenant = { name: "Demo", timezone: "UTC" };

const quota = {
  active: true,
  smsLimit: 1_000,
  smsCredits: 100,
  voiceMinutesLimit: 500,
  voiceMinutesCredits: 50,
  emailLimit: 10_000,
  emailCredits: 0,
} as const;

/** The simulated provider delivers to the first contact of each channel, and the last one has opted out. */
const demoSeed: Seed = {
  merchants: [
    { merchantId: demoMerchantId, displayName: "Demo Bakery", ...quota },
    { merchantId: defaultMerchantId, displayName: tenant.name, ...quota },
  ],
  consents: (
    [
      { channel: "SMS", contact: "+12025550100", status: "OPT_IN" },
      { channel: "VOICE", contact: "+12025550100", status: "OPT_IN" },
      { channel: "EMAIL", contact: "delivered@simulator.example", status: "OPT_IN" },
      { channel: "SMS", contact: "+13125550100", status: "OPT_OUT" },
    ] as const
  ).map((consent) => ({ merchantId: demoMerchantId, source: "demo", ...consent })),
};

interface DemoCredential extends KnownCredential {
  readonly tenantId: number;
}

/** The tenant of a server in development. */
export interface DemoTenant {
  readonly tenantId: number;
  /** Leaves the credential, with the address to use it at and what callbacks are signed with, in the data folder's `demo-credential.json` (0600). */
  announce(baseUrl: string): void;
  /** Makes the tenant again in a database that was emptied, under the same id and credential, with what it had first. */
  recreate(tx: Transaction, now: number): Promise<void>;
  /** Gives it once more what it had first. */
  seed(tx: Transaction, now: number): Promise<void>;
}

/** The demo tenant of the folder's credential file; a new one when that is missing or is not of this database. */
export async function prepareDemo(
  store: Store,
  { folder, pepper, secrets, now }: { folder: DataFolder; pepper: string; secrets: SecretBox; now: number },
): Promise<DemoTenant> {
  const kept = readKept(folder.demoCredentialFile);
  const isKept = kept !== undefined && (await store.read((tx) => isKnown(tx, kept, pepper, now)));
  const { tenantId, apiKey, apiSecret } = isKept ? kept : await store.write((tx) => makeDemo(tx, pepper, now));
  const [callbackSecret = ""] = await store.write((tx) => readCallbackSecrets(tx, secrets, { tenantId, now }));
  const seed = (tx: Transaction, now: number) => applySeed(tx, { tenantId, now }, demoSeed);
  return {
    tenantId,
    announce(baseUrl) {
      const content = { baseUrl, apiKey, apiSecret, tenantId: String(tenantId), merchantId: null, callbackSecret };
      writePrivateFile(folder.demoCredentialFile, `${JSON.stringify(content, null, 2)}\n`);
    },
    async recreate(tx, now) {
      const credential = { apiKey, apiSecret };
      await recreateTenant(tx, { tenant: { tenantId, ...tenant }, credential, pepper, now });
      await restoreCallbackSecret(tx, secrets, { tenantId, now, secret: callbackSecret });
      await seed(tx, now);
    },
    seed,
  };
}

function readKept(file: string): DemoCredential | undefined {
  if (!existsSync(file)) return undefined;
  try {
    const { apiKey, apiSecret, tenantId } = JSON.parse(readFileSync(file, "utf8"));
    return [apiKey, apiSecret].every((value) => typeof value === "string")
      ? { apiKey, apiSecret, tenantId: Number(tenantId) }
      : undefined;
  } catch {
    return undefined;
  }
}

async function isKnown(tx: Transaction, kept: DemoCredential, pepper: string, now: number): Promise<boolean> {
  const secretHash = hashSecret(kept.apiSecret, pepper);
  const rows = await findCredential(tx, kept.apiKey, now);
  return rows.some((row) => row.secretHash === secretHash && row.revokedAt === null && row.tenantId === kept.tenantId);
}

async function makeDemo(tx: Transaction, pepper: string, now: number): Promise<DemoCredential> {
  const { tenantId } = await createTenant(tx, { ...tenant, now });
  await applySeed(tx, { tenantId, now }, demoSeed);
  return issueCredential(tx, { tenantId, merchantId: null, mode: "test", pepper, now });
}
