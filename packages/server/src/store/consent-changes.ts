// The history of a contact's decisions, for people who look at it.

import type { ConsentKey, ConsentStatus } from "./consents.ts";
import type { Channel } from "./merchants.ts";
import type { Transaction } from "./store.ts";

export interface ConsentChange {
  readonly changeId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly status: ConsentStatus;
  readonly source: string | null;
  /** A key, `user` with a number, or `provider:` with a name. */
  readonly changedBy: string;
  readonly changedAt: number;
}

const columns = `change_id AS "changeId", merchant_id AS "merchantId", channel, status, source,
  changed_by AS "changedBy", changed_at AS "changedAt"`;

/** The contact's changes for any of the tenant's merchants, the last ones first. */
export function listConsentChanges(
  tx: Transaction,
  { tenantId, contact, limit }: { tenantId: number; contact: string; limit: number },
): Promise<ConsentChange[]> {
  return tx.all<ConsentChange>(
    `SELECT ${columns} FROM consent_history WHERE tenant_id = $1 AND contact = $2 ORDER BY change_id DESC LIMIT $3`,
    tenantId,
    contact,
    limit,
  );
}

/** For which of the tenant's merchants, and by which channels, the contact has ever decided anything. */
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

/** What the contact had decided by a time, for a merchant and a channel; undefined if nothing is known. */
export function findConsentChangeAt(
  tx: Transaction,
  { tenantId, merchantId, channel, contact, at }: ConsentKey & { at: number },
): Promise<ConsentChange | undefined> {
  return tx.get<ConsentChange>(
    `SELECT ${columns} FROM consent_history
      WHERE tenant_id = $1 AND contact = $2 AND merchant_id = $3 AND channel = $4 AND changed_at <= $5
      ORDER BY change_id DESC LIMIT 1`,
    tenantId,
    contact,
    merchantId,
    channel,
    at,
  );
}

/** Removes the contact's changes, for one of the tenant's merchants or, for null, for any. */
export async function eraseConsentChanges(
  tx: Transaction,
  { tenantId, merchantId, contact }: { tenantId: number; merchantId: string | null; contact: string },
): Promise<void> {
  const ofContact = "DELETE FROM consent_history WHERE tenant_id = $1 AND contact = $2";
  if (merchantId === null) await tx.run(ofContact, tenantId, contact);
  else await tx.run(`${ofContact} AND merchant_id = $3`, tenantId, contact, merchantId);
}
