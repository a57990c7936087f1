// What every operation on a merchant checks first: whether it exists, whether it is active, and which month it is in.

import { periodStart } from "../rules/calendar.ts";
import { Refusal } from "../rules/refusal.ts";
import { findMerchant, lockMerchant } from "../store/merchants.ts";
import type { OperationContext } from "./operation.ts";

/** The current month in the tenant's time zone. */
export function currentPeriod({ caller, now }: OperationContext): string {
  return periodStart(now, caller.timezone);
}

/** The refusal for a merchant that the tenant does not have; another tenant's looks the same. */
export function merchantNotFound(merchantId: string): Refusal {
  return new Refusal("merchant_not_found", `There is no merchant ${merchantId}. Create it first, or list yours.`);
}

/** The refusal for a deactivated merchant. `does` says what it cannot do: `sends nothing`. */
export async function merchantInactive(
  { tx, caller }: OperationContext,
  merchantId: string,
  does: string,
): Promise<Refusal> {
  const displayName = (await findMerchant(tx, caller.tenantId, merchantId))?.displayName ?? merchantId;
  const detail = `Merchant ${merchantId} is not active, and ${does} until it is.`;
  return new Refusal("merchant_inactive", detail, { merchantId, displayName });
}

/** Locks the tenant's merchant until the transaction ends, so that one request at a time changes what belongs to it. */
export async function holdMerchant({ tx, caller }: OperationContext, merchantId: string): Promise<string> {
  if ((await lockMerchant(tx, caller.tenantId, merchantId)) === undefined) throw merchantNotFound(merchantId);
  return merchantId;
}

/** The merchant that a list is limited to: the one asked for, else the credential's own, else none. */
export async function findListedMerchant(
  { tx, caller }: OperationContext,
  asked: string | undefined,
): Promise<string | undefined> {
  const merchantId = asked ?? caller.merchantId ?? undefined;
  if (merchantId !== undefined && (await findMerchant(tx, caller.tenantId, merchantId)) === undefined) {
    throw merchantNotFound(merchantId);
  }
  return merchantId;
}
