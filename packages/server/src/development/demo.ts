// The predefined tenant of `msgd serve --dev`: its demo data, and its credential in a private file.

import { existsSync, readFileSync } from "node:fs";
import { readCallbackSecrets, restoreCallbackSecret } from "../domain/callbacks/secrets.ts";
import { hashSecret } from "../domain/tenancy/credentials.ts";
import { findCredential, findTenantByMerchant, type TenantRow } from "../domain/tenancy/rows.ts";
import { createTenant, issueCredential, type KnownCredential, recreateTenant } from "../domain/tenancy/tenants.ts";
import { type DataFolder, writePrivateFile } from "../platform/data-folder.ts";
import type { SecretBox } from "../platform/secret-box.ts";
import { lockInstallation } from "../store/installation.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { DevelopmentTenant } from "./control.ts";
import { applySeed, demoMerchantId, demoSeed, demoTenantName } from "./seed.ts";

const tenant = { name: demoTenantName, timezone: "UTC", mode: "test" } as const;

interface DemoCredential extends KnownCredential {
  readonly tenantId: number;
}

/** The tenant of `msgd serve --dev`. */
export interface DemoTenant extends DevelopmentTenant {
  /** Why the credential changed, and what happened to the old one. Undefined if the credential is unchanged or the first. */
  readonly note: string | undefined;
  /** Writes the credential, base URL and callback secret to `demo-credential.json` (0600) in the data folder. */
  announce(baseUrl: string): void;
}

/**
 * Prepares the demo tenant with the credential in the folder's file. If the file is missing, damaged or no longer
 * valid, an existing demo tenant is kept and gets a new key; otherwise a tenant and key are created.
 */
export async function prepareDemo(
  store: Store,
  { folder, pepper, secrets, now }: { folder: DataFolder; pepper: string; secrets: SecretBox; now: number },
): Promise<DemoTenant> {
  const kept = readKept(folder.demoCredentialFile);
  const { credential, note } = await store.write(async (tx) => {
    // if two instances start at once, only one creates the tenant
    lockInstallation(tx);
    if (typeof kept === "object" && (await isKnown(tx, kept, pepper, now))) return { credential: kept };
    const known = await findTenantByMerchant(tx, tenant.name, demoMerchantId);
    const made = known ?? (await makeTenant(tx, now));
    const request = { tenantId: made.tenantId, merchantId: null, pepper, now };
    const credential: DemoCredential = await issueCredential(tx, request);
    if (known === undefined && kept === "missing") return { credential };
    return { credential, note: describeChange(folder.demoCredentialFile, kept, known) };
  });
  const { tenantId, apiKey, apiSecret } = credential;
  const [callbackSecret = ""] = await store.write((tx) => readCallbackSecrets(tx, secrets, { tenantId, now }));
  const seed = (tx: Transaction, now: number) => applySeed(tx, { tenantId, now }, demoSeed);
  return {
    tenantId,
    credential: { apiKey, apiSecret, merchantId: demoMerchantId },
    note,
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

type Kept = DemoCredential | "missing" | "damaged";

function readKept(file: string): Kept {
  if (!existsSync(file)) return "missing";
  try {
    const { apiKey, apiSecret, tenantId } = JSON.parse(readFileSync(file, "utf8"));
    return [apiKey, apiSecret].every((value) => typeof value === "string")
      ? { apiKey, apiSecret, tenantId: Number(tenantId) }
      : "damaged";
  } catch {
    return "damaged";
  }
}

function describeChange(file: string, kept: Kept, known: TenantRow | undefined): string {
  const found = typeof kept === "object" ? "held no valid key of this database" : `was ${kept}`;
  const made =
    known === undefined
      ? "a new demo tenant was created"
      : `tenant ${known.tenantId} (${known.name}) keeps its data and has a new key; msgd keys list shows the old ones`;
  return `${file} ${found}: ${made}`;
}

async function isKnown(tx: Transaction, kept: DemoCredential, pepper: string, now: number): Promise<boolean> {
  const secretHash = hashSecret(kept.apiSecret, pepper);
  const rows = await findCredential(tx, kept.apiKey, now);
  return rows.some((row) => row.secretHash === secretHash && row.revokedAt === null && row.tenantId === kept.tenantId);
}

async function makeTenant(tx: Transaction, now: number): Promise<TenantRow> {
  const made = await createTenant(tx, { ...tenant, now });
  await applySeed(tx, { tenantId: made.tenantId, now }, demoSeed);
  return made;
}
