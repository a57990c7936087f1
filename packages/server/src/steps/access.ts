import { Refusal } from "../rules/refusal.ts";
import type { Caller } from "./operation.ts";

/** For operations on the tenant as a whole. */
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

/**
 * For a registration at another provider: only the tenant may say what that provider decided. `imported` names the
 * members that only the provider can decide; the refusal names those in the body.
 */
export function tenantImports(caller: Caller, body: object, imported: readonly string[]): void {
  if (caller.merchantId === null) return;
  const given = imported.filter((member) => Object.hasOwn(body, member));
  if (given.length === 0) return;
  throw new Refusal(
    "merchant_scope_denied",
    `This credential belongs to merchant ${caller.merchantId}, and what a provider decided is its tenant's to import: leave out ${given.join(", ")}.`,
  );
}
