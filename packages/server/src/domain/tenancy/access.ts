// Checks at the start of operations: whom a credential may act for, and whether the merchant exists and is active.

import { periodStart } from "../calendar.ts";
import type { Caller, OperationContext } from "../context.ts";
import { findMerchant, lockMerchant } from "../merchants/rows.ts";
import { parsePhoneNumber } from "../phone-numbers.ts";
import { Refusal } from "../refusal.ts";

/** Requires a credential of the tenant itself. */
export function tenantOnly(caller: Caller): void {
  if (caller.merchantId !== null) {
    throw new Refusal(
      "merchant_scope_denied",
      `This credential belongs to merchant ${caller.merchantId}, and the operation needs a credential of the tenant.`,
    );
  }
}

/** Requires a credential that may act for the merchant. A tenant's credential may act for all its merchants. */
export function requireMerchant(caller: Caller, merchantId: string): void {
  if (caller.merchantId !== null && caller.merchantId !== merchantId) {
    throw new Refusal(
      "merchant_scope_denied",
      `This credential belongs to merchant ${caller.merchantId} and cannot act for merchant ${merchantId}.`,
    );
  }
}

/** If a list is limited to a merchant, requires a credential that may act for it. */
export function requireListedMerchant(caller: Caller, asked: string | undefined): void {
  if (asked !== undefined) requireMerchant(caller, asked);
}

/**
 * Requires a credential of the tenant for importing a provider's decision. `imported` names the members that only the
 * provider decides; the refusal lists those in the body.
 */
export function tenantImports(caller: Caller, body: object, imported: readonly string[]): void {
  if (caller.merchantId === null) return;
  const given = imported.filter((member) => Object.hasOwn(body, member));
  if (given.length === 0) return;
  throw new Refusal(
    "merchant_scope_denied",
    `This credential belongs to merchant ${caller.merchantId}, and only the tenant may import a provider's decisions: leave out ${given.join(", ")}.`,
  );
}

/** The current month in the tenant's time zone. */
export function currentPeriod({ caller, now }: OperationContext): string {
  return periodStart(now, caller.timezone);
}

/** The refusal for a merchant that the tenant does not have, even if another tenant has it. */
export function merchantNotFound(merchantId: string): Refusal {
  return new Refusal("merchant_not_found", `There is no merchant ${merchantId}. Create it first, or list yours.`);
}

/** The refusal for a deactivated merchant. `does` describes the consequence, such as `sends nothing`. */
export async function merchantInactive(
  { tx, caller }: OperationContext,
  merchantId: string,
  does: string,
): Promise<Refusal> {
  const displayName = (await findMerchant(tx, caller.tenantId, merchantId))?.displayName ?? merchantId;
  const detail = `Merchant ${merchantId} is not active, and ${does} until it is.`;
  return new Refusal("merchant_inactive", detail, { merchantId, displayName });
}

/** Locks the tenant's merchant until the transaction ends, so that only one request at a time changes its objects. */
export async function lockOwnMerchant({ tx, caller }: OperationContext, merchantId: string): Promise<string> {
  if ((await lockMerchant(tx, caller.tenantId, merchantId)) === undefined) throw merchantNotFound(merchantId);
  return merchantId;
}

/** The E.164 form of a number that the contract's schema has accepted. */
export function requirePhoneNumber(text: string): string {
  const number = parsePhoneNumber(text);
  if (number === undefined) throw new Error("an invalid phone number passed validation");
  return number;
}

/** The merchant that a list is limited to: the requested one, else the credential's own, else undefined. */
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

/** Limits what is visible to a tenant or to one of its merchants. */
export interface MessageScope {
  readonly tenantId: number;
  readonly merchantId: string | null;
}
