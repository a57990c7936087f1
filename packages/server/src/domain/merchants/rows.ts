// Stores merchants and their quotas.

import type { Schemas } from "@msgctl/contract";
import { toUsageText } from "../../store/counters/counters.ts";
import { postgresCounters } from "../../store/counters/postgres.ts";
import { batchStatement, rowOf } from "../../store/statement.ts";
import type { Query, Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";

/**
 * A recorded decision. `SEE_ERASED` if none is recorded but an erased recipient opted out of this merchant and channel:
 * then domain/messages/consents.ts compares digests, as this contact may be that recipient.
 */
export type StoredConsent = Schemas["ConsentStatus"] | "SEE_ERASED";

/** SQL of a contact's decision if none is recorded: `SEE_ERASED` or NULL. The columns name merchant and channel. */
export function withoutConsent(columns: { tenantId: string; merchantId: string; channel: string }): string {
  return `(SELECT 'SEE_ERASED' FROM erased_opt_outs e
            WHERE e.tenant_id = ${columns.tenantId} AND e.merchant_id = ${columns.merchantId}
              AND e.channel = ${columns.channel} LIMIT 1)`;
}

export interface MerchantRow {
  readonly merchantId: string;
  readonly displayName: string;
  readonly active: 0 | 1;
}

/** A merchant's quota and usage of one channel, in segments, minutes or emails. */
export interface QuotaRow {
  readonly channel: Channel;
  readonly limit: number;
  readonly credits: number;
  readonly used: number;
  readonly reserved: number;
}

/** A merchant with the quotas of its three channels in one period. */
export interface MerchantWithQuotasRow extends MerchantRow {
  readonly smsLimit: number;
  readonly smsCredits: number;
  readonly smsUsed: number;
  readonly voiceLimit: number;
  readonly voiceCredits: number;
  readonly voiceUsed: number;
  readonly emailLimit: number;
  readonly emailCredits: number;
  readonly emailUsed: number;
}

const columns = `m.merchant_id AS "merchantId", m.display_name AS "displayName", m.active`;

const lockMerchantStatement = `SELECT ${columns} FROM merchants m WHERE m.tenant_id = $1 AND m.merchant_id = $2 FOR UPDATE`;

const quotaColumns = `q.channel, q.monthly_limit AS "limit", q.credits,
  COALESCE(u.used, 0) AS used, COALESCE(u.reserved, 0) AS reserved`;

export function findMerchant(tx: Transaction, tenantId: number, merchantId: string): Promise<MerchantRow | undefined> {
  return tx.get<MerchantRow>(
    `SELECT ${columns} FROM merchants m WHERE m.tenant_id = $1 AND m.merchant_id = $2`,
    tenantId,
    merchantId,
  );
}

/** Finds the merchant and locks it for update, so that changes to its objects run one after another. */
export function lockMerchant(tx: Transaction, tenantId: number, merchantId: string): Promise<MerchantRow | undefined> {
  return tx.get<MerchantRow>(lockMerchantStatement, tenantId, merchantId);
}

/** Locks the merchant without reading it. */
export function lockMerchantRow(
  tx: Transaction,
  { tenantId, merchantId }: { tenantId: number; merchantId: string },
): void {
  tx.lock(lockMerchantStatement, tenantId, merchantId);
}

/** Creates the merchant (active by default, with empty quotas), or updates the given values. */
export async function upsertMerchant(
  tx: Transaction,
  merchant: { tenantId: number; merchantId: string; displayName: string; active: boolean | undefined; now: number },
): Promise<void> {
  const active = merchant.active === undefined ? null : Number(merchant.active);
  await tx.run(
    `INSERT INTO merchants (tenant_id, merchant_id, display_name, active, created_at, updated_at)
     VALUES ($1, $2, $3, COALESCE($4, 1), $5, $5)
     ON CONFLICT (tenant_id, merchant_id) DO UPDATE
       SET display_name = $3, active = COALESCE($4, merchants.active), updated_at = $5`,
    merchant.tenantId,
    merchant.merchantId,
    merchant.displayName,
    active,
    merchant.now,
  );
}

/** Sets a channel's monthly limit or credits, if given. Values that were never given are 0. */
export async function upsertQuota(
  tx: Transaction,
  quota: {
    tenantId: number;
    merchantId: string;
    channel: Channel;
    limit: number | undefined;
    credits: number | undefined;
  },
): Promise<void> {
  // the total ever granted may exceed 2^53, but the engine reads parameters as floats, which are exact only up to 2^53
  await tx.run(
    `INSERT INTO quotas (tenant_id, merchant_id, channel, monthly_limit, credits, granted_credits)
     VALUES ($1, $2, $3, COALESCE(CAST($4 AS BIGINT), 0), COALESCE(CAST($5 AS BIGINT), 0),
             COALESCE(CAST($5 AS BIGINT), 0))
     ON CONFLICT (tenant_id, merchant_id, channel) DO UPDATE
       SET monthly_limit = COALESCE(CAST($4 AS BIGINT), quotas.monthly_limit),
           credits = COALESCE(CAST($5 AS BIGINT), quotas.credits),
           granted_credits = quotas.granted_credits + COALESCE(CAST($5 AS BIGINT) - quotas.credits, 0)`,
    quota.tenantId,
    quota.merchantId,
    quota.channel,
    quota.limit ?? null,
    quota.credits ?? null,
  );
}

const lockQuotasStatement =
  "SELECT credits FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 ORDER BY channel FOR UPDATE";
const quotasStatement = toUsageText(
  (joinUsage) => `
  SELECT ${quotaColumns}
    FROM quotas q ${joinUsage("$3")}
   WHERE q.tenant_id = $1 AND q.merchant_id = $2`,
);

/** Lists one merchant's quotas in one period. Locks the quotas, and so their usage, until the transaction ends. */
export function listQuotas(tx: Transaction, tenantId: number, merchantId: string, period: string): Promise<QuotaRow[]> {
  tx.lock(lockQuotasStatement, tenantId, merchantId);
  return tx.all<QuotaRow>(quotasStatement, tenantId, merchantId, period);
}

const channels: readonly (readonly [Channel, name: string])[] = [
  ["SMS", "sms"],
  ["VOICE", "voice"],
  ["EMAIL", "email"],
];

// One row per merchant, so that a page can start at any merchant.
const withQuotas = `
  SELECT ${columns}, ${channels.map(([, name]) => quotaColumnsOf(name)).join(", ")}
    FROM merchants m ${channels.map(([channel, name]) => joinQuota(channel, name)).join(" ")}
   WHERE m.tenant_id = $1`;

function quotaColumnsOf(name: string): string {
  return `COALESCE(${name}_quota.monthly_limit, 0) AS "${name}Limit", COALESCE(${name}_quota.credits, 0) AS "${name}Credits",
          COALESCE(${name}_usage.used, 0) AS "${name}Used"`;
}

function joinQuota(channel: Channel, name: string): string {
  const ofMerchant = (table: string) =>
    `ON ${table}.tenant_id = m.tenant_id AND ${table}.merchant_id = m.merchant_id AND ${table}.channel = '${channel}'`;
  return `LEFT JOIN quotas ${name}_quota ${ofMerchant(`${name}_quota`)}
          LEFT JOIN usage ${name}_usage ${ofMerchant(`${name}_usage`)} AND ${name}_usage.period = $2`;
}

/** Lists merchants in order of id; only `merchantId` if it is given. */
export function merchantsQuery(
  tenantId: number,
  period: string,
  merchantId: string | undefined,
): Query<MerchantWithQuotasRow> {
  return merchantId === undefined
    ? { sql: `${withQuotas} ORDER BY m.merchant_id LIMIT $3`, values: [tenantId, period] }
    : { sql: `${withQuotas} AND m.merchant_id = $3 LIMIT $4`, values: [tenantId, period, merchantId] };
}

const quotaParams = { tenantId: "bigint", merchantId: "text", channel: "text" } as const;

export const lockQuotaStatement = batchStatement({
  params: quotaParams,
  one: "SELECT credits FROM quotas WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 FOR UPDATE",
  batch: {
    kind: "shared-locks",
    order: "lock quotas",
    sql: (wanted) => `
      SELECT q.credits
        FROM quotas q
        JOIN (SELECT DISTINCT * FROM ${wanted}) AS w
          ON w.tenant_id = q.tenant_id AND w.merchant_id = q.merchant_id AND w.channel = q.channel
       ORDER BY q.tenant_id, q.merchant_id, q.channel FOR UPDATE OF q`,
  },
});

interface QuotaKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
}

/** Locks a channel's quota until the transaction ends, and so its usage, which changes only under this lock. */
export function lockQuota(tx: Transaction, { tenantId, merchantId, channel }: QuotaKey): void {
  tx.lock(lockQuotaStatement({ tenantId, merchantId, channel }));
}

/**
 * Locks a channel's quota before it is read, unless the work shares a transaction with other work. Shared work compares
 * the quota when it writes instead, and so holds the lock for less time.
 */
export function lockQuotaToRead(tx: Transaction, { tenantId, merchantId, channel }: QuotaKey): void {
  tx.lockAlone(lockQuotaStatement({ tenantId, merchantId, channel }));
}

/** The data that decides whether a send is accepted. */
export interface SendingMerchantRow extends QuotaRow {
  readonly active: 0 | 1;
  /** The recipient's recorded decision; null if there is none. */
  readonly consent: StoredConsent | null;
}

const ofQuota = { tenantId: "q.tenant_id", merchantId: "q.merchant_id", channel: "q.channel" };
const sendingColumns = `m.active, COALESCE(c.status, ${withoutConsent(ofQuota)}) AS consent, ${quotaColumns}`;

export const sendingMerchantStatement = batchStatement({
  params: { ...quotaParams, period: "text", contact: "text" },
  row: rowOf<SendingMerchantRow>(),
  one: toUsageText(
    (joinUsage) => `
    SELECT ${sendingColumns}
      FROM merchants m
      JOIN quotas q ON q.tenant_id = m.tenant_id AND q.merchant_id = m.merchant_id AND q.channel = $3
      ${joinUsage("$4")}
      LEFT JOIN consents c ON c.tenant_id = m.tenant_id AND c.merchant_id = m.merchant_id
                          AND c.channel = q.channel AND c.contact = $5
     WHERE m.tenant_id = $1 AND m.merchant_id = $2`,
  ),
  batch: {
    kind: "early-reads",
    sql: (wanted) => `
      SELECT w.ordinal, ${sendingColumns}
        FROM ${wanted}
        JOIN merchants m ON m.tenant_id = w.tenant_id AND m.merchant_id = w.merchant_id
        JOIN quotas q ON q.tenant_id = w.tenant_id AND q.merchant_id = w.merchant_id AND q.channel = w.channel
        ${postgresCounters.joinUsage("w.period")}
        LEFT JOIN consents c ON c.tenant_id = w.tenant_id AND c.merchant_id = w.merchant_id AND c.channel = w.channel
                            AND c.contact = w.contact`,
  },
});

/**
 * Finds all data for accepting a send in one query: the merchant, whether it is active, the channel's quota, and the
 * recipient's decision. Locks the quota until the transaction ends.
 */
export function findSendingMerchant(
  tx: Transaction,
  send: { tenantId: number; merchantId: string; channel: Channel; period: string; contact: string },
): Promise<SendingMerchantRow | undefined> {
  lockQuotaToRead(tx, send);
  return tx.get(sendingMerchantStatement(send));
}

/** The merchant of direct sends. It is created with its tenant. */
export const defaultMerchantId = "default";
