// Stores speech made from texts. Calls that need the same speech share one row. Pending speech is leased like a message.

import { drawId, newIdSql } from "../../store/statement.ts";
import { findValue, listValues, type Transaction } from "../../store/store.ts";

export type SpeechStatus = "PENDING" | "READY" | "FAILED";

export interface SpeechRow {
  readonly assetId: number;
  /** The reference at the engine, which depends on text, voice, language and model only: see `speechKey`. */
  readonly cacheKey: string;
  readonly status: SpeechStatus;
  readonly provider: string;
  readonly model: string;
  readonly voice: string;
  readonly language: string;
  readonly messageText: string;
  /** The call that requested the speech and pays for it. */
  readonly ownerRequestId: number;
  /** The tenant of that call. */
  readonly tenantId: number;
  readonly error: string | null;
  /** Whether the speech may already have been requested from an engine. */
  readonly hasBegun: 0 | 1;
  /** How often the engine was asked about it and did not answer. */
  readonly asks: number;
  readonly giveUpAt: number;
  readonly updatedAt: number;
}

const columns = `asset_id AS "assetId", cache_key AS "cacheKey", status, provider, model, voice, language,
  message_text AS "messageText", owner_request_id AS "ownerRequestId", tenant_id AS "tenantId", error, has_begun AS "hasBegun", asks,
  give_up_at AS "giveUpAt", updated_at AS "updatedAt"`;

/** Locks the speech for update. */
export function findSpeech(tx: Transaction, assetId: number): Promise<SpeechRow | undefined> {
  return tx.get<SpeechRow>(`SELECT ${columns} FROM speech_assets WHERE asset_id = $1 FOR UPDATE`, assetId);
}

/** Finds what a speech that was made says; undefined if there is none with this key. */
export function findReadySpeech(
  tx: Transaction,
  cacheKey: string,
): Promise<Pick<SpeechRow, "messageText" | "language" | "voice" | "provider"> | undefined> {
  return tx.get(
    `SELECT message_text AS "messageText", language, voice, provider
       FROM speech_assets WHERE cache_key = $1 AND status = 'READY'`,
    cacheKey,
  );
}

/**
 * Finds or adds the speech of this key, and locks it for update. Speech that is ready or pending is returned unchanged;
 * failed speech is retried. New speech belongs to `ownerRequestId`. If it may have been requested from the engine before
 * (`hasBegun`), the engine is asked about it first.
 */
export async function requestSpeech(
  tx: Transaction,
  speech: {
    cacheKey: string;
    provider: string;
    model: string;
    voice: string;
    language: string;
    messageText: string;
    ownerRequestId: number;
    tenantId: number;
    hasBegun: boolean;
    giveUpAt: number;
    now: number;
  },
): Promise<SpeechRow> {
  const find = `SELECT ${columns} FROM speech_assets WHERE cache_key = $1 FOR UPDATE`;
  const known = await tx.get<SpeechRow>(find, speech.cacheKey);
  if (known !== undefined && known.status !== "FAILED") return known;
  const row = await tx.get<SpeechRow>(
    `INSERT INTO speech_assets (cache_key, status, provider, model, voice, language, message_text, owner_request_id,
       due_at, give_up_at, has_begun, asks, created_at, updated_at, asset_id, tenant_id)
     VALUES ($1, 'PENDING', $2, $3, $4, $5, $6, $7, $8, $9, $10, 0, $8, $8,
             ${newIdSql("speech_assets", "asset_id", "$11")}, $12)
     ON CONFLICT (cache_key) DO UPDATE
       SET status = 'PENDING', owner_request_id = excluded.owner_request_id, tenant_id = excluded.tenant_id, error = NULL, due_at = excluded.due_at,
           give_up_at = excluded.give_up_at, has_begun = excluded.has_begun, asks = 0, updated_at = excluded.updated_at
       WHERE speech_assets.status = 'FAILED'
     RETURNING ${columns}`,
    speech.cacheKey,
    speech.provider,
    speech.model,
    speech.voice,
    speech.language,
    speech.messageText,
    speech.ownerRequestId,
    speech.now,
    speech.giveUpAt,
    Number(speech.hasBegun),
    drawId(tx.randomness, speech.now),
    speech.tenantId,
  );
  // another transaction has added it in the meantime
  const found = row ?? (await tx.get<SpeechRow>(find, speech.cacheKey));
  if (found === undefined) throw new Error("requested speech is gone");
  return found;
}

/** Sorts before every tenant id. */
export const BEFORE_ALL_TENANTS = -1;
/** Tenants examined per claim. */
const TENANTS_A_LOOK = 16;

/**
 * Lists up to `limit` speech rows due by `now`, round-robin by tenant from the one after `lastTenant`; the longest due
 * first within a tenant. Locks them for update.
 */
export async function listDueSpeech(
  tx: Transaction,
  { now, limit, lastTenant }: { now: number; limit: number; lastTenant: number },
): Promise<SpeechRow[]> {
  const behind = await listTenants(tx, lastTenant);
  const tenants = new Set([...behind, ...(await listTenants(tx, BEFORE_ALL_TENANTS))].slice(0, TENANTS_A_LOOK));
  const each = Math.ceil(limit / Math.max(tenants.size, 1));
  const due: SpeechRow[] = [];
  for (const tenantId of tenants) {
    if (due.length >= limit) break;
    due.push(...(await listDueOf(tx, tenantId, { now, limit: Math.min(each, limit - due.length) })));
  }
  return due;
}

/** Lists the next tenants after `lastTenant` that have pending speech, in order. */
function listTenants(tx: Transaction, lastTenant: number): Promise<number[]> {
  return listValues<number>(
    tx,
    `WITH RECURSIVE tenants (tenant_id, looked) AS (
       SELECT (SELECT MIN(tenant_id) FROM speech_assets WHERE status = 'PENDING' AND tenant_id > $1), 1
       UNION ALL
       SELECT (SELECT MIN(s.tenant_id) FROM speech_assets s WHERE s.status = 'PENDING' AND s.tenant_id > tenants.tenant_id),
              tenants.looked + 1
         FROM tenants WHERE tenants.tenant_id IS NOT NULL AND tenants.looked < $2
     )
     SELECT tenant_id AS "tenantId" FROM tenants WHERE tenant_id IS NOT NULL ORDER BY tenant_id`,
    lastTenant,
    TENANTS_A_LOOK,
  );
}

function listDueOf(
  tx: Transaction,
  tenantId: number,
  { now, limit }: { now: number; limit: number },
): Promise<SpeechRow[]> {
  return tx.all<SpeechRow>(
    `SELECT ${columns} FROM speech_assets WHERE status = 'PENDING' AND tenant_id = $1 AND due_at <= $2
      ORDER BY due_at LIMIT $3 FOR UPDATE SKIP LOCKED`,
    tenantId,
    now,
    limit,
  );
}

/** Finds when the next speech falls due; undefined if no speech is pending. */
export function findNextSpeechDue(tx: Transaction): Promise<number | undefined> {
  return findValue<number>(tx, `SELECT MIN(due_at) AS "dueAt" FROM speech_assets WHERE status = 'PENDING'`);
}

/** Leases a speech until `expiresAt`. Only the holder of the token can record the engine's answer. */
export async function leaseSpeech(
  tx: Transaction,
  lease: { assetId: number; token: string; expiresAt: number; giveUpAt: number; now: number },
): Promise<void> {
  await tx.run(
    `UPDATE speech_assets SET lease_token = $2, due_at = $3, give_up_at = $4, has_begun = 1, updated_at = $5
      WHERE asset_id = $1`,
    lease.assetId,
    lease.token,
    lease.expiresAt,
    lease.giveUpAt,
    lease.now,
  );
}

/** Expires all leases at `now`. Call it only when their holders are known to be dead. */
export async function expireSpeechLeases(tx: Transaction, now: number): Promise<void> {
  await tx.run(
    "UPDATE speech_assets SET due_at = $1 WHERE status = 'PENDING' AND lease_token IS NOT NULL AND due_at > $1",
    now,
  );
}

/** Ends the lease of a speech that is ready or has failed. If the lease has another token, returns false. */
export async function finishSpeech(
  tx: Transaction,
  end: { assetId: number; token: string; status: "READY" | "FAILED"; error: string | null; now: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE speech_assets SET status = $3, error = $4, updated_at = $5, lease_token = NULL
      WHERE asset_id = $1 AND lease_token = $2 AND status = 'PENDING'`,
    end.assetId,
    end.token,
    end.status,
    end.error,
    end.now,
  );
  return changed > 0;
}

/** Ends the lease and makes the speech due again at `dueAt`. `hasBegun` is false if the engine never got the request. */
export async function postponeSpeech(
  tx: Transaction,
  next: { assetId: number; token: string; hasBegun: boolean; asks: number; dueAt: number },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE speech_assets SET has_begun = $3, asks = $4, due_at = $5, lease_token = NULL
      WHERE asset_id = $1 AND lease_token = $2 AND status = 'PENDING'`,
    next.assetId,
    next.token,
    Number(next.hasBegun),
    next.asks,
    next.dueAt,
  );
  return changed > 0;
}
