// Stores the consent of contacts by merchant and channel, and its history.

import type { Schemas } from "@msgctl/contract";
import { inStatements, listParameters } from "../../store/batching.ts";
import { batchStatement, rowOf } from "../../store/statement.ts";
import { listValues, type Query, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { type StoredConsent, withoutConsent } from "../merchants/rows.ts";

export type ConsentStatus = Schemas["ConsentStatus"];

export interface ConsentKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** In its normal form: an E.164 number, or an address as returned by `parseEmailAddress`. */
  readonly contact: string;
}

export interface ConsentRow {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly contact: string;
  readonly status: ConsentStatus;
  readonly source: string | null;
  readonly updatedAt: number;
}

const columns = `merchant_id AS "merchantId", channel, contact, status, source, updated_at AS "updatedAt"`;

export const storedConsentStatement = batchStatement({
  params: { tenantId: "bigint", merchantId: "text", channel: "text", contact: "text" },
  row: rowOf<{ consent: StoredConsent | null }>(),
  one: `
    SELECT COALESCE((SELECT status FROM consents
                      WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND contact = $4),
                    ${withoutConsent({ tenantId: "$1", merchantId: "$2", channel: "$3" })}) AS consent`,
  batch: {
    kind: "reads",
    sql: (wanted) => `
      SELECT w.ordinal, COALESCE(c.status, ${withoutConsent({ tenantId: "w.tenant_id", merchantId: "w.merchant_id", channel: "w.channel" })}) AS consent
        FROM ${wanted}
        LEFT JOIN consents c ON c.tenant_id = w.tenant_id AND c.merchant_id = w.merchant_id AND c.channel = w.channel
                            AND c.contact = w.contact`,
  },
});

export async function findStoredConsent(tx: Transaction, key: ConsentKey): Promise<StoredConsent | undefined> {
  const row = await tx.get(storedConsentStatement(key));
  return row?.consent ?? undefined;
}

export function findConsent(tx: Transaction, key: ConsentKey): Promise<ConsentRow | undefined> {
  return tx.get<ConsentRow>(
    `SELECT ${columns} FROM consents WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND contact = $4`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.contact,
  );
}

const statusesStatement = `
  SELECT contact, status FROM consents
   WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND contact IN (${listParameters(4)})`;

/** Finds the decisions of the contacts; contacts without one are omitted. */
export async function findConsentStatuses(
  tx: Transaction,
  { tenantId, merchantId, channel }: Omit<ConsentKey, "contact">,
  contacts: readonly string[],
): Promise<Map<string, ConsentStatus>> {
  const statuses = new Map<string, ConsentStatus>();
  for (const asked of inStatements(contacts)) {
    const rows = await tx.all<{ contact: string; status: ConsentStatus }>(
      statusesStatement,
      tenantId,
      merchantId,
      channel,
      ...asked,
    );
    for (const { contact, status } of rows) statuses.set(contact, status);
  }
  return statuses;
}

/** Lists decisions by merchant, channel and contact; only those of `merchantId` if it is given. */
export function consentsQuery(tenantId: number, merchantId: string | undefined): Query<ConsentRow> {
  return merchantId === undefined
    ? {
        sql: `SELECT ${columns} FROM consents WHERE tenant_id = $1 ORDER BY merchant_id, channel, contact LIMIT $2`,
        values: [tenantId],
      }
    : {
        sql: `SELECT ${columns} FROM consents WHERE tenant_id = $1 AND merchant_id = $2
               ORDER BY channel, contact LIMIT $3`,
        values: [tenantId, merchantId],
      };
}

/** Records the contact's decision, and appends the change to the history. */
export async function recordConsent(
  tx: Transaction,
  key: ConsentKey,
  change: { status: ConsentStatus; source: string | null; changedBy: string; now: number },
): Promise<void> {
  const values = [key.tenantId, key.merchantId, key.channel, key.contact, change.status, change.source] as const;
  await tx.run(
    `INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, source, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (tenant_id, merchant_id, channel, contact) DO UPDATE SET status = $5, source = $6, updated_at = $7`,
    ...values,
    change.now,
  );
  await tx.run(
    `INSERT INTO consent_history (tenant_id, merchant_id, channel, contact, status, source, changed_by, changed_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    ...values,
    change.changedBy,
    change.now,
  );
}

/** Removes and returns the contact's decision, but keeps its history. Undefined if there was none. */
export function takeConsent(
  tx: Transaction,
  key: ConsentKey,
): Promise<{ status: ConsentStatus; updatedAt: number } | undefined> {
  return tx.get(
    `DELETE FROM consents WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND contact = $4
     RETURNING status, updated_at AS "updatedAt"`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.contact,
  );
}

export interface ConsentChange {
  readonly changeId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly status: ConsentStatus;
  readonly source: string | null;
  /** An API key, `user` and a number, or `provider:` and a name. */
  readonly changedBy: string;
  readonly changedAt: number;
}

const changeColumns = `change_id AS "changeId", merchant_id AS "merchantId", channel, status, source,
  changed_by AS "changedBy", changed_at AS "changedAt"`;

/** Lists the contact's last changes for all of the tenant's merchants, newest first. */
export function listConsentChanges(
  tx: Transaction,
  { tenantId, contact, limit }: { tenantId: number; contact: string; limit: number },
): Promise<ConsentChange[]> {
  return tx.all<ConsentChange>(
    `SELECT ${changeColumns} FROM consent_history WHERE tenant_id = $1 AND contact = $2 ORDER BY change_id DESC LIMIT $3`,
    tenantId,
    contact,
    limit,
  );
}

/** Lists the merchants and channels for which the contact ever recorded a decision. */
export function listDecidedChannels(
  tx: Transaction,
  { tenantId, contact }: { tenantId: number; contact: string },
): Promise<{ merchantId: string; channel: Channel }[]> {
  return tx.all(
    `SELECT DISTINCT merchant_id AS "merchantId", channel FROM consent_history WHERE tenant_id = $1 AND contact = $2`,
    tenantId,
    contact,
  );
}

/** Finds the change that was in force at `at` for a merchant and channel; undefined if there was none. */
export function findConsentChangeAt(
  tx: Transaction,
  { tenantId, merchantId, channel, contact, at }: ConsentKey & { at: number },
): Promise<ConsentChange | undefined> {
  return tx.get<ConsentChange>(
    `SELECT ${changeColumns} FROM consent_history
      WHERE tenant_id = $1 AND contact = $2 AND merchant_id = $3 AND channel = $4 AND changed_at <= $5
      ORDER BY change_id DESC LIMIT 1`,
    tenantId,
    contact,
    merchantId,
    channel,
    at,
  );
}

/** Removes the contact's history, for one of the tenant's merchants or, if `merchantId` is null, for all. */
export async function eraseConsentChanges(
  tx: Transaction,
  { tenantId, merchantId, contact }: { tenantId: number; merchantId: string | null; contact: string },
): Promise<void> {
  const ofContact = "DELETE FROM consent_history WHERE tenant_id = $1 AND contact = $2";
  if (merchantId === null) await tx.run(ofContact, tenantId, contact);
  else await tx.run(`${ofContact} AND merchant_id = $3`, tenantId, contact, merchantId);
}

/** The opt-out of an erased recipient, keyed by a digest that does not identify them. Sends to them are still refused. */
interface ErasedOptOutKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** See `createRecipientDigest` in domain/contacts.ts. */
  readonly digest: string;
}

export interface ErasedOptOut {
  readonly merchantId: string;
  readonly channel: Channel;
  readonly optedOutAt: number;
}

export async function keepOptOut(tx: Transaction, key: ErasedOptOutKey, optedOutAt: number): Promise<void> {
  await tx.run(
    `INSERT INTO erased_opt_outs (tenant_id, merchant_id, channel, digest, opted_out_at) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (tenant_id, merchant_id, channel, digest) DO UPDATE SET opted_out_at = $5`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.digest,
    optedOutAt,
  );
}

export async function dropOptOut(tx: Transaction, key: ErasedOptOutKey): Promise<void> {
  await tx.run(
    "DELETE FROM erased_opt_outs WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND digest = $4",
    key.tenantId,
    key.merchantId,
    key.channel,
    key.digest,
  );
}

const ofDigests = `
  SELECT digest FROM erased_opt_outs WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND digest IN (${listParameters(4)})`;

/** Finds which of the digests have opted out. */
export async function findErasedOptOuts(
  tx: Transaction,
  { tenantId, merchantId, channel }: Omit<ErasedOptOutKey, "digest">,
  digests: readonly string[],
): Promise<Set<string>> {
  const found = new Set<string>();
  for (const asked of inStatements(digests)) {
    for (const digest of await listValues<string>(tx, ofDigests, tenantId, merchantId, channel, ...asked)) {
      found.add(digest);
    }
  }
  return found;
}

/** Lists the opt-outs of a digest by merchant and channel. */
export function listErasedOptOuts(tx: Transaction, tenantId: number, digest: string): Promise<ErasedOptOut[]> {
  return tx.all<ErasedOptOut>(
    `SELECT merchant_id AS "merchantId", channel, opted_out_at AS "optedOutAt" FROM erased_opt_outs
      WHERE tenant_id = $1 AND digest = $2 ORDER BY merchant_id, channel`,
    tenantId,
    digest,
  );
}
