// What of a tenant's an admin manages: all of it, or one merchant's alone.

import { Refusal } from "../rules/refusal.ts";
import type { Caller } from "../steps/operation.ts";
import { UnknownMerchantError } from "../steps/tenancy.ts";

/** Whether the caller manages what belongs to the merchant, or with null to the whole tenant. */
export function isManaged(
  caller: Caller,
  of: { readonly tenantId: number; readonly merchantId: string | null },
): boolean {
  return of.tenantId === caller.tenantId && (caller.merchantId === null || of.merchantId === caller.merchantId);
}

/** The scope that is given to somebody or something new. Throws `merchant_scope_denied` for one that the caller has not. */
export function readGivenScope(caller: Caller, merchantId: string | undefined): string | null {
  const given = merchantId ?? null;
  if (isManaged(caller, { tenantId: caller.tenantId, merchantId: given })) return given;
  throw new Refusal(
    "merchant_scope_denied",
    `You see merchant ${caller.merchantId} alone, and can give no more: name it as the merchant.`,
  );
}

/** What the dashboard says to a failure of `createUser` or `issueCredential`. */
export function toMerchantRefusal(error: unknown, merchantId: string | null): unknown {
  if (!(error instanceof UnknownMerchantError)) return error;
  return new Refusal("merchant_not_found", `The tenant has no merchant ${merchantId}.`);
}
