// Seeds of a tenant: merchants and consents in one document, each as the request body that would create it. Contains
// the demo tenant's seed, which development servers and mocks use.

import { consentHandlers } from "../domain/consent/operations.ts";
import type { OperationContext, OperationSettings } from "../domain/context.ts";
import type { OperationInput } from "../domain/handler.ts";
import { merchantHandlers } from "../domain/merchants/operations.ts";
import { defaultMerchantId } from "../domain/merchants/rows.ts";
import type { FieldFault } from "../domain/refusal.ts";
import type { Transaction } from "../store/store.ts";

export interface Seed {
  readonly merchants?: readonly OperationInput<"upsertMerchant">["body"][];
  readonly consents?: readonly OperationInput<"recordConsent">["body"][];
}

/** Settings that throw when one is read: neither merchants nor consents may depend on the operator's settings. */
const settings = new Proxy({} as OperationSettings, {
  get(_none, name) {
    throw new Error(`a seed must not depend on the setting ${String(name)}`);
  },
});

/** Upserts the merchants, then records the consents. Throws `merchant_not_found` if a consent names an unknown merchant. */
export async function applySeed(
  tx: Transaction,
  { tenantId, now }: { tenantId: number; now: number },
  { merchants = [], consents = [] }: Seed,
): Promise<void> {
  const caller = { apiKey: "msgd", tenantId, timezone: "UTC", merchantId: null };
  const context: OperationContext = { tx, caller, now, settings };
  for (const body of merchants) await merchantHandlers.upsertMerchant.write(context, { path: {}, query: {}, body });
  for (const body of consents) await consentHandlers.recordConsent.write(context, { path: {}, query: {}, body });
}

/** Finds faults of the consents that a JSON Schema cannot express. */
export function findSeedFaults(seed: unknown): FieldFault[] {
  const { consents } = Object(seed) as { consents?: unknown };
  if (!Array.isArray(consents)) return [];
  return consents.flatMap((body, index) =>
    (consentHandlers.recordConsent.findFaults?.({ path: {}, query: {}, body }, settings) ?? []).map((fault) => ({
      ...fault,
      pointer: `/consents/${index}${fault.pointer}`,
    })),
  );
}

export const demoMerchantId = "demo";
export const demoTenantName = "Demo";

const quota = {
  active: true,
  smsLimit: 1_000,
  smsCredits: 100,
  voiceMinutesLimit: 500,
  voiceMinutesCredits: 50,
  emailLimit: 10_000,
  emailCredits: 0,
} as const;

/** The simulated provider delivers to the first contact of each channel. The last contact has opted out. */
export const demoSeed: Seed = {
  merchants: [
    { merchantId: demoMerchantId, displayName: "Demo Bakery", ...quota },
    { merchantId: defaultMerchantId, displayName: demoTenantName, ...quota },
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
