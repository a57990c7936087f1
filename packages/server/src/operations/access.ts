import type { Caller } from "./operation.ts";
import { Refusal } from "./refusal.ts";

/** For operations on what belongs to the tenant as a whole. */
export function tenantOnly(caller: Caller): void {
  if (caller.merchantId !== null) {
    throw new Refusal(
      "merchant_scope_denied",
      `This credential belongs to merchant ${caller.merchantId}, and the operation needs one of the tenant.`,
    );
  }
}

/** For operations on one merchant's data. A tenant's credential may act for each of its merchants. */
export function requireMerchant(caller: Caller, merchantId: string): void {
  if (caller.merchantId !== null && caller.merchantId !== merchantId) {
    throw new Refusal(
      "merchant_scope_denied",
      `This credential belongs to merchant ${caller.merchantId} and cannot act for merchant ${merchantId}.`,
    );
  }
}

/** For lists with an optional merchant filter. */
export function requireListedMerchant(caller: Caller, asked: string | undefined): void {
  if (asked !== undefined) requireMerchant(caller, asked);
}
