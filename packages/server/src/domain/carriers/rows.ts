// Stores carriers, their rate limits and their latest answers. The row of a removed carrier stays for a while, because
// messages that it may have accepted still refer to it.

import { listParameters } from "../../store/batching.ts";
import { noteChange } from "../../store/lineage.ts";
import { batchStatement, rowOf } from "../../store/statement.ts";
import { findCount, findValue, listValues, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { EVERY_TENANT } from "../tenancy/rows.ts";

export interface CarrierRow {
  /** Such as smtp-4f9c2a1b. Every change of the settings makes a new name, and no name is reused. */
  readonly name: string;
  /** A tenant, or `EVERY_TENANT`. */
  readonly tenantId: number;
  readonly channel: Channel;
  /** Whether it is the second carrier, used only while the first cannot be reached. */
  readonly isSecond: 0 | 1;
  /** Name of its kind; `SIMULATED` for a carrier that sends nothing. */
  readonly kind: string;
  readonly sealedSettings: string;
  /** The number from which it sends texts; null for other channels. */
  readonly sender: string | null;
  /** Whether a merchant's texts are sent from the merchant's own number, if it has one. */
  readonly merchantNumbers: 0 | 1;
  /** Digest of the carrier's account; only for carriers of texts, else null. */
  readonly account: string | null;
  /** Secret part of the URL for its provider's events, kept when the carrier is set again; null if it has no events. */
  readonly eventsId: string | null;
  readonly setAt: number;
  readonly removedAt: number | null;
  /**
   * Messages accepted up to this time, in epoch milliseconds, are discarded unless another carrier can send them. Null if
   * they wait.
   */
  readonly discardedAt: number | null;
  /** Since when the carrier has been unreachable, in epoch milliseconds, and its last error; null if it is reachable. */
  readonly downSince: number | null;
  readonly downWords: string | null;
  /** When a command last queued a test message for the carrier, for a server to dispatch. */
  readonly testedAt: number | null;
}

/** Columns that only carriers of texts have, in addition to the sealed settings. */
export type TextColumns = Pick<CarrierRow, "sender" | "merchantNumbers" | "account">;

type OptionalColumn = keyof TextColumns | "eventsId";

/** The tenant, channel and rank (first or second) of a carrier. Each slot has at most one carrier in use. */
export type CarrierSlot = Pick<CarrierRow, "tenantId" | "channel" | "isSecond">;

const columns = `name, tenant_id AS "tenantId", channel, is_second AS "isSecond", kind, sealed_settings AS "sealedSettings",
  sender, merchant_numbers AS "merchantNumbers", account, events_id AS "eventsId", set_at AS "setAt",
  removed_at AS "removedAt", discarded_at AS "discardedAt", tested_at AS "testedAt", down_since AS "downSince",
  down_words AS "downWords"`;

/** Returns how often carriers have been set or removed. */
export function countCarrierChanges(tx: Transaction): Promise<number> {
  return findCount(tx, "SELECT carrier_changes AS changes FROM lineage WHERE lineage_id = 1");
}

/** Lists all carriers, including recently removed ones. */
export function listCarriers(tx: Transaction): Promise<CarrierRow[]> {
  return tx.all<CarrierRow>(`SELECT ${columns} FROM carriers ORDER BY tenant_id, channel, is_second, set_at, name`);
}

/** Returns whether a carrier is or was the tenant's, or serves all tenants. A name without a row is the simulator's. */
export async function servesTenant(tx: Transaction, name: string, tenantId: number): Promise<boolean> {
  const of = await findValue<number>(tx, `SELECT tenant_id AS "tenantId" FROM carriers WHERE name = $1`, name);
  return of === undefined || of === EVERY_TENANT || of === tenantId;
}

/** Lists the names of the carriers of texts that are or were the tenant's, or serve all tenants. */
export function listTextCarriers(tx: Transaction, tenantId: number): Promise<string[]> {
  const sql = "SELECT name FROM carriers WHERE channel = 'SMS' AND tenant_id IN ($1, $2) ORDER BY name";
  return listValues<string>(tx, sql, tenantId, EVERY_TENANT);
}

/** Finds the carrier in use for exactly this slot. */
export function findCarrier(
  tx: Transaction,
  { tenantId, channel, isSecond }: CarrierSlot,
): Promise<CarrierRow | undefined> {
  return tx.get<CarrierRow>(
    `SELECT ${columns} FROM carriers WHERE tenant_id = $1 AND channel = $2 AND is_second = $3 AND removed_at IS NULL`,
    tenantId,
    channel,
    isSecond,
  );
}

/** Adds a carrier to a slot that has none in use. */
export async function insertCarrier(
  tx: Transaction,
  carrier: Omit<CarrierRow, "removedAt" | "discardedAt" | "testedAt" | "downSince" | "downWords" | OptionalColumn> &
    Partial<Pick<CarrierRow, OptionalColumn>>,
): Promise<void> {
  await tx.run(
    `INSERT INTO carriers (name, tenant_id, channel, is_second, kind, sealed_settings, set_at, sender, merchant_numbers, account, events_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    carrier.name,
    carrier.tenantId,
    carrier.channel,
    carrier.isSecond,
    carrier.kind,
    carrier.sealedSettings,
    carrier.setAt,
    carrier.sender ?? null,
    carrier.merchantNumbers ?? 1,
    carrier.account ?? null,
    carrier.eventsId ?? null,
  );
  await noteChange(tx);
}

/** Finds the events id of the slot's last carrier of a kind and, if given, an account. */
export function findEventsId(
  tx: Transaction,
  { tenantId, channel, isSecond, kind, account }: CarrierSlot & Pick<CarrierRow, "kind"> & { account?: string | null },
): Promise<string | undefined> {
  return findValue<string>(
    tx,
    `SELECT events_id AS "eventsId" FROM carriers
      WHERE tenant_id = $1 AND channel = $2 AND is_second = $3 AND kind = $4 AND events_id IS NOT NULL
        AND COALESCE(account, '') = COALESCE($5, account, '')
      ORDER BY set_at DESC LIMIT 1`,
    tenantId,
    channel,
    isSecond,
    kind,
    account ?? null,
  );
}

/** Counts merchants of live tenants whose texts may be sent from this number. */
export function countMerchantsOn(
  tx: Transaction,
  { tenantId, sender }: Pick<CarrierRow, "tenantId"> & { readonly sender: string },
): Promise<number> {
  return findCount(
    tx,
    `SELECT COUNT(*) AS count FROM merchants m JOIN tenants t ON t.tenant_id = m.tenant_id
      WHERE t.mode = 'live' AND (m.tenant_id = $1 OR $1 = ${EVERY_TENANT} OR m.tenant_id IN
            (SELECT tenant_id FROM carriers WHERE sender = $2 AND channel = 'SMS' AND removed_at IS NULL))`,
    tenantId,
    sender,
  );
}

/** Removes the carrier in use. Returns whether there was one. */
export async function removeCarrier(
  tx: Transaction,
  { tenantId, channel, isSecond, now }: CarrierSlot & { now: number },
): Promise<boolean> {
  const removed = await tx.run(
    `UPDATE carriers SET removed_at = $4
      WHERE tenant_id = $1 AND channel = $2 AND is_second = $3 AND removed_at IS NULL`,
    tenantId,
    channel,
    isSecond,
    now,
  );
  await noteChange(tx);
  return removed > 0;
}

/**
 * Discards the messages accepted until `now` for a slot without a carrier. If the slot never had a carrier, the time is
 * stored in a new row with this `name`.
 */
export async function discardWaiting(
  tx: Transaction,
  { name, tenantId, channel, now }: Pick<CarrierRow, "name" | "tenantId" | "channel"> & { now: number },
): Promise<void> {
  const removed = await tx.run(
    `UPDATE carriers SET discarded_at = $3 WHERE name =
       (SELECT name FROM carriers WHERE tenant_id = $1 AND channel = $2 AND is_second = 0 AND removed_at IS NOT NULL
         ORDER BY removed_at DESC LIMIT 1)`,
    tenantId,
    channel,
    now,
  );
  if (removed === 0) {
    await tx.run(
      `INSERT INTO carriers (name, tenant_id, channel, is_second, kind, sealed_settings, set_at, removed_at, discarded_at)
       VALUES ($1, $2, $3, 0, 'simulated', '', $4, $4, $4)`,
      name,
      tenantId,
      channel,
      now,
    );
  }
  await noteChange(tx);
}

/** Records that a test message was queued, so that servers look for it. */
export async function noteTest(tx: Transaction, name: string, now: number): Promise<void> {
  await tx.run("UPDATE carriers SET tested_at = $2 WHERE name = $1", name, now);
}

/** Saves that a carrier has been unreachable since `now`, and its last error; without `downWords`, that it is reachable. */
export async function saveCarrierState(
  tx: Transaction,
  { name, downWords, now }: { name: string; downWords: string | undefined; now: number },
): Promise<void> {
  const since = downWords === undefined ? null : now;
  await tx.run("UPDATE carriers SET down_since = $2, down_words = $3 WHERE name = $1", name, since, downWords ?? null);
}

/** Deletes carriers that were removed at `removedBy` or earlier. */
export async function forgetCarriers(tx: Transaction, removedBy: number): Promise<void> {
  await tx.run("DELETE FROM carriers WHERE removed_at <= $1", removedBy);
}

/**
 * A rate limit shared by all instances: a token bucket, stored as the time at which it will be full.
 */
export interface Rate {
  /** A carrier's name, alone or together with a tenant; or the tests of a tenant. */
  readonly subject: string;
  readonly perSecond: number;
}

/** A bucket holds the tokens of half a second, plus one. */
const BURST_US = 500_000;
/** If a bucket would be full later than this from now, the clock was set back after it was saved: treat it as full. */
const MOST_US = 12_000_000;
const US_PER_MS = 1_000;
const US_PER_SECOND = 1_000_000;

export interface Allowance {
  /** Messages that may be submitted now. */
  readonly count: number;
  /** If no message may be submitted now: when the next one may, in epoch milliseconds. */
  readonly nextAt: number;
}

/** Finds how many messages each rate allows at `now`. Locks the rates' rows in order of subject, to avoid deadlocks. */
export async function findAllowances(tx: Transaction, rates: readonly Rate[], now: number): Promise<Allowance[]> {
  if (rates.length === 0) return [];
  const rows = await tx.all<{ subject: string; fullAt: number }>(
    `SELECT subject, full_at AS "fullAt" FROM carrier_rates
      WHERE subject IN (${listParameters(1, rates)}) ORDER BY subject FOR UPDATE`,
    ...rates.map(({ subject }) => subject),
  );
  const fullAts = new Map(rows.map(({ subject, fullAt }) => [subject, fullAt]));
  return rates.map(({ subject, perSecond }) => {
    const eachUs = US_PER_SECOND / perSecond;
    const leftUs = Math.max((fullAts.get(subject) ?? 0) - now * US_PER_MS, 0);
    const usedUs = leftUs > MOST_US ? 0 : leftUs;
    const count = Math.max(Math.floor((BURST_US + eachUs - usedUs) / eachUs), 0);
    return { count, nextAt: now + Math.max(Math.ceil((usedUs - BURST_US) / US_PER_MS), 1) };
  });
}

/** Takes tokens from the buckets that `findAllowances` has locked, in the same order. */
export async function useAllowances(
  tx: Transaction,
  used: readonly { readonly rate: Rate; readonly count: number }[],
  now: number,
): Promise<void> {
  const nowUs = now * US_PER_MS;
  const inOrder = used.toSorted((one, other) => (one.rate.subject < other.rate.subject ? -1 : 1));
  for (const { rate, count } of inOrder) {
    const usedUs = Math.round((count * US_PER_SECOND) / rate.perSecond);
    await tx.run(
      `INSERT INTO carrier_rates (subject, full_at) VALUES ($1, $2)
       ON CONFLICT (subject) DO UPDATE SET full_at =
         CASE WHEN carrier_rates.full_at BETWEEN $3 AND $4 THEN carrier_rates.full_at ELSE $3 END + $5`,
      rate.subject,
      nowUs + usedUs,
      nowUs,
      nowUs + MOST_US,
      usedUs,
    );
  }
}

/** A provider's latest answers for one merchant's channel. */
interface ProviderHealth {
  /** Oldest first: `1` for a failure, `0` for any other answer. */
  readonly recent: string;
  /** Whether the provider was failing at the last check, so that an alert was already raised. */
  readonly isFailing: 0 | 1;
}

export interface ProviderHealthKey {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly provider: string;
}

export const providerHealthStatement = batchStatement({
  params: { tenantId: "bigint", merchantId: "text", channel: "text", provider: "text" },
  row: rowOf<ProviderHealth>(),
  one: `
    SELECT recent, is_failing AS "isFailing" FROM provider_health
     WHERE tenant_id = $1 AND merchant_id = $2 AND channel = $3 AND provider = $4 FOR UPDATE`,
  // needs no lock: a write that would change the row is run alone
  batch: {
    kind: "early-reads",
    sql: (wanted) => `
      SELECT w.ordinal, h.recent, h.is_failing AS "isFailing"
        FROM ${wanted}
        JOIN provider_health h ON h.tenant_id = w.tenant_id AND h.merchant_id = w.merchant_id AND h.channel = w.channel
                              AND h.provider = w.provider`,
  },
});

/** Finds a provider's health; undefined before its first answer. Locks it for update. */
export function findProviderHealth(tx: Transaction, key: ProviderHealthKey): Promise<ProviderHealth | undefined> {
  return tx.get(providerHealthStatement(key));
}

export async function saveProviderHealth(
  tx: Transaction,
  key: ProviderHealthKey,
  health: ProviderHealth,
): Promise<void> {
  await tx.run(
    `INSERT INTO provider_health (tenant_id, merchant_id, channel, provider, recent, is_failing)
     VALUES ($1, $2, $3, $4, $5, $6)
     ON CONFLICT (tenant_id, merchant_id, channel, provider) DO UPDATE
       SET recent = excluded.recent, is_failing = excluded.is_failing`,
    key.tenantId,
    key.merchantId,
    key.channel,
    key.provider,
    health.recent,
    health.isFailing,
  );
}

/** Records an event that a provider reported. Returns whether it is new: a repeated event must not count twice. */
export async function insertProviderEvent(
  tx: Transaction,
  event: { provider: string; eventId: string; now: number },
): Promise<boolean> {
  const added = await tx.run(
    `INSERT INTO provider_events (provider, event_id, received_at) VALUES ($1, $2, $3)
     ON CONFLICT (provider, event_id) DO NOTHING`,
    event.provider,
    event.eventId,
    event.now,
  );
  return added > 0;
}
