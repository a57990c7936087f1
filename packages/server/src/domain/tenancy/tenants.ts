// Creates tenants; creates, rotates and revokes their credentials.

import { randomInt } from "node:crypto";
import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import { shellWord } from "../../platform/shell-word.ts";
import type { Transaction } from "../../store/store.ts";
import { defaultMerchantId, findMerchant, upsertMerchant, upsertQuota } from "../merchants/rows.ts";
import { Refusal } from "../refusal.ts";
import { DEFAULT_TEXT_HOURS } from "../text-hours.ts";
import { hashSecret, makeApiKey, makeApiSecret } from "./credentials.ts";
import {
  countCredentials,
  findListedCredential,
  findTenant,
  insertCredential,
  insertTenant,
  type ListedCredential,
  lockTenant,
  type NewCredential,
  restoreTenant,
  revokeCredential,
  rotateSecret,
  type TenantMode,
  type TenantRow,
} from "./rows.ts";

/** Maximum number of unrevoked keys per tenant. */
export const MOST_KEYS = 1_000;

/**
 * Creates a tenant, live by default, together with the merchant of its direct sends. That merchant has no quota until the
 * tenant sets one. By default, a live tenant's MARKETING texts observe `DEFAULT_TEXT_HOURS`.
 */
export async function createTenant(
  tx: Transaction,
  request: { name: string; timezone: string; mode?: TenantMode; textHours?: string | null; now: number },
): Promise<TenantRow> {
  const { mode = "live", textHours = mode === "live" ? DEFAULT_TEXT_HOURS : null } = request;
  const tenant = await insertTenant(tx, { ...request, textHours });
  await addDefaultMerchant(tx, tenant, request.now);
  return tenant;
}

async function addDefaultMerchant(tx: Transaction, { tenantId, name }: TenantRow, now: number): Promise<void> {
  const merchantId = defaultMerchantId;
  await upsertMerchant(tx, { tenantId, merchantId, displayName: name, active: true, now });
  for (const channel of CHANNEL_VALUES) {
    await upsertQuota(tx, { tenantId, merchantId, channel, limit: 0, credits: 0 });
  }
}

/** Returns the tenant. Throws if it does not exist. */
export async function requireTenant(tx: Transaction, tenantId: number): Promise<TenantRow> {
  return (await findTenant(tx, tenantId)) ?? refuseUnknown(tenantId);
}

export function refuseUnknown(tenantId: number): never {
  throw new Error(`there is no tenant ${tenantId}: msgd tenants list shows them`);
}

/** Returns the tenant. Throws an `Error` if the tenant does not exist, and an `UnknownMerchantError` if it lacks the merchant. */
export async function requireOwner(
  tx: Transaction,
  { tenantId, merchantId }: { tenantId: number; merchantId: string | null },
): Promise<TenantRow> {
  const tenant = await requireTenant(tx, tenantId);
  if (merchantId === null || (await findMerchant(tx, tenantId, merchantId)) !== undefined) return tenant;
  throw new UnknownMerchantError(tenantId, merchantId);
}

export interface KnownCredential {
  readonly apiKey: string;
  /** Shown only once: the database has only its hash. */
  readonly apiSecret: string;
}

export interface IssuedCredential extends KnownCredential {
  readonly tenantId: number;
  readonly merchantId: string | null;
}

/** Thrown if the tenant does not have the merchant for which a key or user was requested. */
export class UnknownMerchantError extends Error {
  override readonly name = "UnknownMerchantError";

  constructor(tenantId: number, merchantId: string) {
    const word = shellWord(merchantId);
    super(
      `tenant ${tenantId} has no merchant ${merchantId}. Create it first, with a key of the tenant: msgctl merchants upsert --merchant-id ${word} --display-name ${word}`,
    );
  }
}

/**
 * Issues a credential of the tenant or of one of its merchants, with the tenant's mode. Throws like `requireOwner`, and
 * `illegal_transition` if the tenant has reached `MOST_KEYS`.
 */
export async function issueCredential(
  tx: Transaction,
  request: Pick<NewCredential, "tenantId" | "merchantId" | "name" | "createdBy" | "now"> & { pepper: string },
): Promise<IssuedCredential> {
  const { tenantId, merchantId, name = null, createdBy = null, pepper, now } = request;
  const tenant = await requireOwner(tx, request);
  await requireRoom(tx, tenantId);
  const apiKey = makeApiKey(merchantId === null ? "tenant" : "merchant", tenant.mode, randomInt);
  const apiSecret = makeApiSecret(randomInt);
  const secretHash = hashSecret(apiSecret, pepper);
  await insertCredential(tx, { apiKey, secretHash, tenantId, merchantId, name, createdBy, now });
  return { apiKey, apiSecret, tenantId, merchantId };
}

/** Throws `illegal_transition` if the tenant has reached `MOST_KEYS`. Locks the tenant, so that keys are added one by one. */
async function requireRoom(tx: Transaction, tenantId: number): Promise<void> {
  lockTenant(tx, tenantId);
  const count = await countCredentials(tx, tenantId);
  if (count < MOST_KEYS) return;
  const detail = `The tenant has ${count} keys, and may have ${MOST_KEYS}: revoke a key that is no longer used.`;
  throw new Refusal("illegal_transition", detail);
}

/** Recreates a tenant with its former id and a working credential, in a database that has lost both. */
export async function recreateTenant(
  tx: Transaction,
  { tenant, credential, pepper, now }: { tenant: TenantRow; credential: KnownCredential; pepper: string; now: number },
): Promise<void> {
  const { tenantId } = tenant;
  await restoreTenant(tx, { ...tenant, now });
  await addDefaultMerchant(tx, tenant, now);
  const secretHash = hashSecret(credential.apiSecret, pepper);
  await insertCredential(tx, { apiKey: credential.apiKey, secretHash, tenantId, merchantId: null, now });
}

/**
 * Adds a new secret to the key. The previous one stays valid for `overlapMs`; any older one is removed now, so that at
 * most two are valid. Throws if the key is unknown or revoked.
 */
export async function rotateCredential(
  tx: Transaction,
  request: { apiKey: string; overlapMs: number; pepper: string; now: number },
): Promise<IssuedCredential> {
  const { apiKey, overlapMs, pepper, now } = request;
  const { tenantId, merchantId, revokedAt } = await requireCredential(tx, apiKey, now);
  if (revokedAt !== null) throw new Error(`key ${apiKey} is revoked: make a new one with msgd keys create`);
  const apiSecret = makeApiSecret(randomInt);
  const secretHash = hashSecret(apiSecret, pepper);
  await rotateSecret(tx, { apiKey, secretHash, expiresAt: now + overlapMs, now });
  return { apiKey, apiSecret, tenantId, merchantId };
}

/** Revokes the key with all its secrets; every server applies this within a second. Throws if it does not exist. */
export async function endCredential(tx: Transaction, apiKey: string, now: number): Promise<ListedCredential> {
  await requireCredential(tx, apiKey, now);
  await revokeCredential(tx, apiKey, now);
  return requireCredential(tx, apiKey, now);
}

export type CredentialState = "ACTIVE" | "ROTATING" | "REVOKED";

export function credentialState({ revokedAt, overlapEndsAt }: ListedCredential): CredentialState {
  if (revokedAt !== null) return "REVOKED";
  return overlapEndsAt === null ? "ACTIVE" : "ROTATING";
}

/** Returns the credential of the key. Throws if it does not exist. */
export async function requireCredential(tx: Transaction, apiKey: string, now: number): Promise<ListedCredential> {
  const credential = await findListedCredential(tx, apiKey, now);
  if (credential === undefined) throw new Error(`there is no key ${apiKey}: msgd keys list shows them`);
  return credential;
}
