// Stores tenants, the operator's decisions about them, their API keys, and the audit of users' and the operator's actions.

import { noteChange } from "../../store/lineage.ts";
import { findCount, findValue, listValues, type Transaction } from "../../store/store.ts";

/**
 * Tenant id of what belongs to the whole installation: operators, the audit of what they do, and carriers that serve every
 * live tenant without its own carrier for the channel.
 */
export const EVERY_TENANT = 0;

/** `live` sends reach recipients; `test` sends are simulated. */
export type TenantMode = "live" | "test";

export interface TenantRow {
  readonly tenantId: number;
  readonly name: string;
  readonly timezone: string;
  readonly mode: TenantMode;
}

const tenantColumns = `tenant_id AS "tenantId", name, timezone, mode`;

/** Adds a tenant, live by default. @param tenant.textHours see `TenantStanding.textHours`; by default null */
export async function insertTenant(
  tx: Transaction,
  tenant: { name: string; timezone: string; mode?: TenantMode; textHours?: string | null; now: number },
): Promise<TenantRow> {
  const row = await tx.get<TenantRow>(
    `INSERT INTO tenants (name, timezone, mode, created_at, text_hours) VALUES ($1, $2, $3, $4, $5)
     RETURNING ${tenantColumns}`,
    tenant.name,
    tenant.timezone,
    tenant.mode ?? "live",
    tenant.now,
    tenant.textHours ?? null,
  );
  if (row === undefined) throw new Error("the new tenant came back without a row");
  return row;
}

/** Restores a tenant under its former id. */
export async function restoreTenant(tx: Transaction, tenant: TenantRow & { now: number }): Promise<void> {
  await tx.run(
    "INSERT INTO tenants (tenant_id, name, timezone, mode, created_at) VALUES ($1, $2, $3, $4, $5)",
    tenant.tenantId,
    tenant.name,
    tenant.timezone,
    tenant.mode,
    tenant.now,
  );
}

/** Locks the tenant. Required before adding users or keys, which are limited in number. */
export function lockTenant(tx: Transaction, tenantId: number): void {
  tx.lock("SELECT tenant_id FROM tenants WHERE tenant_id = $1 FOR NO KEY UPDATE", tenantId);
}

export function findTenant(tx: Transaction, tenantId: number): Promise<TenantRow | undefined> {
  return tx.get<TenantRow>(`SELECT ${tenantColumns} FROM tenants WHERE tenant_id = $1`, tenantId);
}

/** Finds the first tenant with this name and merchant. */
export function findTenantByMerchant(
  tx: Transaction,
  name: string,
  merchantId: string,
): Promise<TenantRow | undefined> {
  return tx.get<TenantRow>(
    `SELECT ${tenantColumns} FROM tenants t
      WHERE name = $1 AND EXISTS (SELECT 1 FROM merchants m WHERE m.tenant_id = t.tenant_id AND m.merchant_id = $2)
      ORDER BY t.tenant_id LIMIT 1`,
    name,
    merchantId,
  );
}

export function listTenants(tx: Transaction): Promise<TenantRow[]> {
  return tx.all<TenantRow>(`SELECT ${tenantColumns} FROM tenants ORDER BY tenant_id`);
}

/** Whether users of a tenant must have a second factor. */
export type SecondFactorPolicy = "optional" | "required";

/** The operator's decisions about a tenant. */
export interface TenantStanding {
  readonly tenantId: number;
  /** When it was disabled, in epoch milliseconds, why, and by which operator; all null if it is enabled. */
  readonly disabledAt: number | null;
  readonly disabledReason: string | null;
  readonly disabledBy: string | null;
  /** Requests per second and burst, such as 50:200; null for the server's default. */
  readonly rateLimit: string | null;
  /** The hours of MARKETING texts, such as 08:00-20:00 +1 (domain/text-hours.ts); null for any time. */
  readonly textHours: string | null;
  /** An admin of the tenant may change it too. */
  readonly secondFactor: SecondFactorPolicy;
}

const standingColumns = `tenant_id AS "tenantId", disabled_at AS "disabledAt", disabled_reason AS "disabledReason",
  disabled_by AS "disabledBy", rate_limit AS "rateLimit", text_hours AS "textHours", second_factor AS "secondFactor"`;

export function listStandings(tx: Transaction): Promise<TenantStanding[]> {
  return tx.all<TenantStanding>(`SELECT ${standingColumns} FROM tenants ORDER BY tenant_id`);
}

/** Finds the tenant's standing, and locks it for update. Undefined if there is no such tenant. */
export function lockStanding(tx: Transaction, tenantId: number): Promise<TenantStanding | undefined> {
  return tx.get<TenantStanding>(`SELECT ${standingColumns} FROM tenants WHERE tenant_id = $1 FOR UPDATE`, tenantId);
}

/** Lists the disabled tenants. */
export function listDisabled(tx: Transaction): Promise<number[]> {
  return listValues<number>(tx, `SELECT tenant_id AS "tenantId" FROM tenants WHERE disabled_at IS NOT NULL`);
}

/** Saves a decision, and makes every instance read it before it submits another message to a carrier. */
export async function saveStanding(
  tx: Transaction,
  standing: Omit<TenantStanding, "textHours" | "secondFactor">,
): Promise<void> {
  const { tenantId, disabledAt, disabledReason, disabledBy, rateLimit } = standing;
  await tx.run(
    `UPDATE tenants SET disabled_at = $2, disabled_reason = $3, disabled_by = $4, rate_limit = $5 WHERE tenant_id = $1`,
    tenantId,
    disabledAt,
    disabledReason,
    disabledBy,
    rateLimit,
  );
  await noteChange(tx);
}

/** Finds the hours of the tenant's MARKETING texts; null for any time. */
export async function findTextHours(tx: Transaction, tenantId: number): Promise<string | null> {
  const found = await findValue<string>(tx, "SELECT text_hours FROM tenants WHERE tenant_id = $1", tenantId);
  return found ?? null;
}

/** Sets the hours of the tenant's MARKETING texts. Texts that are already held stay so until the time that was found. */
export async function setTextHours(tx: Transaction, tenantId: number, textHours: string | null): Promise<void> {
  await tx.run("UPDATE tenants SET text_hours = $2 WHERE tenant_id = $1", tenantId, textHours);
}

/** Returns whether the tenant's users must have a second factor. */
export async function findSecondFactorPolicy(tx: Transaction, tenantId: number): Promise<SecondFactorPolicy> {
  const policy = await findValue<SecondFactorPolicy>(
    tx,
    "SELECT second_factor FROM tenants WHERE tenant_id = $1",
    tenantId,
  );
  return policy ?? "optional";
}

/** Sets whether the tenant's users must have a second factor. It applies to their sessions within a second. */
export async function setSecondFactorPolicy(
  tx: Transaction,
  tenantId: number,
  policy: SecondFactorPolicy,
): Promise<void> {
  await tx.run("UPDATE tenants SET second_factor = $2 WHERE tenant_id = $1", tenantId, policy);
}

/** Ends all sessions of the tenant's users. */
export async function endSessionsOfTenant(tx: Transaction, tenantId: number): Promise<void> {
  await tx.run("DELETE FROM sessions WHERE user_id IN (SELECT user_id FROM users WHERE tenant_id = $1)", tenantId);
}

/** An API key with one of its unexpired secrets. */
export interface CredentialRow {
  readonly apiKey: string;
  readonly secretHash: string;
  readonly tenantId: number;
  readonly timezone: string;
  /** The only merchant that the credential may act for; null for a tenant's credential. */
  readonly merchantId: string | null;
  readonly name: string | null;
  readonly revokedAt: number | null;
  readonly expiresAt: number | null;
  /** When the operator disabled the tenant; null if it is enabled. */
  readonly disabledAt: number | null;
  /** The tenant's own rate limit, such as 50:200; null for the server's default. */
  readonly rateLimit: string | null;
}

export interface NewCredential {
  readonly apiKey: string;
  readonly secretHash: string;
  readonly tenantId: number;
  readonly merchantId: string | null;
  /** Name of the key. @default null */
  readonly name?: string | null;
  /** The user who created it. @default null */
  readonly createdBy?: number | null;
  readonly now: number;
}

export async function insertCredential(tx: Transaction, credential: NewCredential): Promise<void> {
  await tx.run(
    `INSERT INTO credentials (api_key, tenant_id, merchant_id, name, created_at, created_by)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    credential.apiKey,
    credential.tenantId,
    credential.merchantId,
    credential.name ?? null,
    credential.now,
    credential.createdBy ?? null,
  );
  await tx.run(
    "INSERT INTO credential_secrets (api_key, secret_hash, created_at) VALUES ($1, $2, $3)",
    credential.apiKey,
    credential.secretHash,
    credential.now,
  );
}

/** Returns a row per secret that is valid at `now`: two during a rotation's overlap, none for an unknown key. */
export function findCredential(tx: Transaction, apiKey: string, now: number): Promise<CredentialRow[]> {
  return tx.all<CredentialRow>(
    `SELECT c.api_key AS "apiKey", s.secret_hash AS "secretHash", c.tenant_id AS "tenantId", t.timezone,
            c.merchant_id AS "merchantId", c.name, c.revoked_at AS "revokedAt", s.expires_at AS "expiresAt",
            t.disabled_at AS "disabledAt", t.rate_limit AS "rateLimit"
       FROM credentials c
       JOIN tenants t ON t.tenant_id = c.tenant_id
       JOIN credential_secrets s ON s.api_key = c.api_key AND (s.expires_at IS NULL OR s.expires_at > $2)
      WHERE c.api_key = $1`,
    apiKey,
    now,
  );
}

/** A credential as shown to the operator, without its secrets. */
export interface ListedCredential {
  readonly apiKey: string;
  readonly tenantId: number;
  readonly merchantId: string | null;
  readonly name: string | null;
  readonly createdAt: number;
  /** The address of the user who created it; null if it was created by a command or in development. */
  readonly createdBy: string | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** When the previous secret expires; null unless a rotation's overlap is in progress. */
  readonly overlapEndsAt: number | null;
}

const listedColumns = `c.api_key AS "apiKey", c.tenant_id AS "tenantId", c.merchant_id AS "merchantId", c.name,
  c.created_at AS "createdAt", c.last_used_at AS "lastUsedAt", c.revoked_at AS "revokedAt",
  (SELECT u.email FROM users u WHERE u.user_id = c.created_by) AS "createdBy",
  (SELECT MAX(s.expires_at) FROM credential_secrets s WHERE s.api_key = c.api_key AND s.expires_at > $1) AS "overlapEndsAt"`;

/** Lists all credentials of the tenant, oldest first. */
export function listCredentials(tx: Transaction, tenantId: number, now: number): Promise<ListedCredential[]> {
  return tx.all<ListedCredential>(
    `SELECT ${listedColumns} FROM credentials c WHERE c.tenant_id = $2 ORDER BY c.created_at, c.api_key`,
    now,
    tenantId,
  );
}

/** Lists credentials of the tenant, or only those of a merchant: newest first, revoked ones last. */
export function listCredentialsOf(
  tx: Transaction,
  { tenantId, merchantId, limit, now }: { tenantId: number; merchantId: string | null; limit: number; now: number },
): Promise<ListedCredential[]> {
  const of = `SELECT ${listedColumns} FROM credentials c WHERE c.tenant_id = $2`;
  const order = "ORDER BY c.revoked_at IS NOT NULL, c.created_at DESC, c.api_key LIMIT $3";
  return merchantId === null
    ? tx.all<ListedCredential>(`${of} ${order}`, now, tenantId, limit)
    : tx.all<ListedCredential>(`${of} AND c.merchant_id = $4 ${order}`, now, tenantId, limit, merchantId);
}

/** Counts each tenant's credentials that are not revoked. */
export function countKeys(tx: Transaction): Promise<{ readonly tenantId: number; readonly count: number }[]> {
  return tx.all(
    `SELECT tenant_id AS "tenantId",
            (SELECT COUNT(*) FROM credentials c WHERE c.tenant_id = t.tenant_id AND c.revoked_at IS NULL) AS count
       FROM tenants t`,
  );
}

/** Counts the tenant's credentials that are not revoked. */
export function countCredentials(tx: Transaction, tenantId: number): Promise<number> {
  return findCount(
    tx,
    "SELECT COUNT(*) AS count FROM credentials WHERE tenant_id = $1 AND revoked_at IS NULL",
    tenantId,
  );
}

/** Finds a credential in any state. Locks it for update. */
export function findListedCredential(
  tx: Transaction,
  apiKey: string,
  now: number,
): Promise<ListedCredential | undefined> {
  return tx.get<ListedCredential>(
    `SELECT ${listedColumns} FROM credentials c WHERE c.api_key = $2 FOR UPDATE OF c`,
    now,
    apiKey,
  );
}

/** Adds a new secret to the key. The previous secret expires at `expiresAt`; one that was already expiring is removed. */
export async function rotateSecret(
  tx: Transaction,
  rotation: { apiKey: string; secretHash: string; expiresAt: number; now: number },
): Promise<void> {
  const { apiKey, secretHash, expiresAt, now } = rotation;
  await tx.run("DELETE FROM credential_secrets WHERE api_key = $1 AND expires_at IS NOT NULL", apiKey);
  await tx.run("UPDATE credential_secrets SET expires_at = $2 WHERE api_key = $1", apiKey, expiresAt);
  await tx.run(
    "INSERT INTO credential_secrets (api_key, secret_hash, created_at) VALUES ($1, $2, $3)",
    apiKey,
    secretHash,
    now,
  );
}

/** Revokes the credential. Its row stays, so that a revoked key can be distinguished from an unknown one. */
export async function revokeCredential(tx: Transaction, apiKey: string, now: number): Promise<void> {
  await tx.run("UPDATE credentials SET revoked_at = $2 WHERE api_key = $1 AND revoked_at IS NULL", apiKey, now);
}

/** Records when the credential was used, unless a later use is recorded. */
export async function noteCredentialUse(tx: Transaction, apiKey: string, now: number): Promise<void> {
  await tx.run(
    "UPDATE credentials SET last_used_at = $2 WHERE api_key = $1 AND (last_used_at IS NULL OR last_used_at < $2)",
    apiKey,
    now,
  );
}

/** Returns whether any tenant has a credential that is not revoked. */
export async function hasValidCredentials(tx: Transaction): Promise<boolean> {
  const found = await tx.get(
    `SELECT 1 AS found FROM tenants t
      WHERE EXISTS (SELECT 1 FROM credentials c WHERE c.tenant_id = t.tenant_id AND c.revoked_at IS NULL) LIMIT 1`,
  );
  return found !== undefined;
}

/** A dashboard user's request that views a recipient or makes a change, or an operator's decision made by a command. */
export interface AuditEntry {
  readonly tenantId: number;
  /** 0 for the operator. */
  readonly userId: number;
  /** The user's address at that time, or the operator's name as given. */
  readonly email: string;
  readonly operation: string;
  /** Empty for commands, which have no request. */
  readonly requestId: string;
  /** Readable description of the request's object; null if it has none. */
  readonly target: string | null;
  /** Keyed digest of the recipient; null if the request concerns none. */
  readonly subject: string | null;
  /** Epoch milliseconds. */
  readonly askedAt: number;
}

export interface AuditRow extends Omit<AuditEntry, "tenantId" | "subject"> {
  readonly entryId: number;
}

export async function insertAuditEntry(tx: Transaction, entry: AuditEntry): Promise<void> {
  await tx.run(
    `INSERT INTO audit_entries (tenant_id, user_id, email, operation, request_id, target, subject, asked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    entry.tenantId,
    entry.userId,
    entry.email,
    entry.operation,
    entry.requestId,
    entry.target,
    entry.subject,
    entry.askedAt,
  );
}

const auditColumns = `entry_id AS "entryId", user_id AS "userId", email, operation, request_id AS "requestId", target,
  asked_at AS "askedAt"`;

/** Lists the tenant's entries with ids below `before`, newest first. */
export function listAuditEntries(
  tx: Transaction,
  { tenantId, before, limit }: { tenantId: number; before: number; limit: number },
): Promise<AuditRow[]> {
  return tx.all<AuditRow>(
    `SELECT ${auditColumns} FROM audit_entries WHERE tenant_id = $1 AND entry_id < $2 ORDER BY entry_id DESC LIMIT $3`,
    tenantId,
    before,
    limit,
  );
}

/** Lists the tenant's entries about a recipient with ids below `before`, newest first. */
export function listAuditEntriesAbout(
  tx: Transaction,
  { tenantId, subject, before, limit }: { tenantId: number; subject: string; before: number; limit: number },
): Promise<AuditRow[]> {
  return tx.all<AuditRow>(
    `SELECT ${auditColumns} FROM audit_entries WHERE tenant_id = $1 AND subject = $2 AND entry_id < $3
      ORDER BY entry_id DESC LIMIT $4`,
    tenantId,
    subject,
    before,
    limit,
  );
}
