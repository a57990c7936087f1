// A tenant's merchants and consents as one document, in the words of the requests that would make them one by one.

import { consentHandlers } from "../operations/consents.ts";
import { merchantHandlers } from "../operations/merchants.ts";
import type { FieldFault } from "../rules/refusal.ts";
import type { OperationContext, OperationInput, OperationSettings } from "../steps/operation.ts";
import type { Transaction } from "../store/store.ts";

export interface Seed {
  readonly merchants?: readonly OperationInput<"upsertMerchant">["body"][];
  readonly consents?: readonly OperationInput<"recordConsent">["body"][];
}

/** Makes or changes the merchants, then records the consents. Throws `merchant_not_found` for a consent of none. */
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

/** Neither a merchant nor a consent depends on what the operator decided. */
const settings = new Proxy({} as OperationSettings, {
  get(_none, name) {
    throw new Error(`a seed was to depend on the setting ${String(name)}`);
  },
});

/** Faults of the consents that no schema tells. */
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
