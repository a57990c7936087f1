// Stores the payment processors of tenants. A removed processor stays for a while, because its URL for events is kept when
// it is set again.

import { findCount, findValue, type Transaction } from "../../store/store.ts";
import { EVERY_TENANT } from "../tenancy/rows.ts";

export interface ProcessorRow {
  /** Such as stripe-4f9c2a1b. Every change of the settings makes a new name, and no name is reused. */
  readonly name: string;
  /** A tenant, or `EVERY_TENANT`. */
  readonly tenantId: number;
  readonly kind: string;
  readonly sealedSettings: string;
  /** Secret part of the URL for its events. */
  readonly eventsId: string;
  /** Payments accepted earlier are never charged, in epoch milliseconds. */
  readonly servesFrom: number;
  readonly setAt: number;
  /** When it last answered, in epoch milliseconds; null if it was never asked, or never answered. */
  readonly answeredAt: number | null;
  /** Since when it could not be asked, in epoch milliseconds, and the last error; null if the last attempt was answered. */
  readonly downSince: number | null;
  readonly downWords: string | null;
}

type ProcessorState = Pick<ProcessorRow, "answeredAt" | "downSince" | "downWords">;

const columns = `name, tenant_id AS "tenantId", kind, sealed_settings AS "sealedSettings", events_id AS "eventsId",
  serves_from AS "servesFrom", set_at AS "setAt", answered_at AS "answeredAt", down_since AS "downSince",
  down_words AS "downWords"`;

/** Lists the processors in use. */
export function listProcessors(tx: Transaction): Promise<ProcessorRow[]> {
  return tx.all<ProcessorRow>(`SELECT ${columns} FROM processors WHERE removed_at IS NULL ORDER BY tenant_id`);
}

/** Finds the processor in use that is set for exactly this tenant, or for `EVERY_TENANT`. */
export function findProcessor(tx: Transaction, tenantId: number): Promise<ProcessorRow | undefined> {
  return tx.get<ProcessorRow>(
    `SELECT ${columns} FROM processors WHERE tenant_id = $1 AND removed_at IS NULL`,
    tenantId,
  );
}

/** Processors of one kind, by whether the last attempt to ask them was answered. */
export interface ProcessorCount {
  readonly kind: string;
  readonly up: number;
  readonly down: number;
}

/** Counts the processors in use. Those that were not asked yet count as up. */
export function countProcessors(tx: Transaction): Promise<ProcessorCount[]> {
  return tx.all<ProcessorCount>(
    `SELECT kind, COUNT(*) FILTER (WHERE down_since IS NULL) AS up, COUNT(*) FILTER (WHERE down_since IS NOT NULL) AS down
       FROM processors WHERE removed_at IS NULL GROUP BY kind ORDER BY kind`,
  );
}

/** Finds the processor in use for a tenant: its own, or the one of all tenants. */
export async function findProcessorOf(tx: Transaction, tenantId: number): Promise<ProcessorRow | undefined> {
  return (await findProcessor(tx, tenantId)) ?? (await findProcessor(tx, EVERY_TENANT));
}

/** Finds the processor in use whose URL for events has this id. */
export function findProcessorByEvents(tx: Transaction, eventsId: string): Promise<ProcessorRow | undefined> {
  return tx.get<ProcessorRow>(
    `SELECT ${columns} FROM processors WHERE events_id = $1 AND removed_at IS NULL`,
    eventsId,
  );
}

/** Finds the events id of the tenant's last processor of a kind; undefined if it never had one. */
export function findProcessorEventsId(tx: Transaction, tenantId: number, kind: string): Promise<string | undefined> {
  return findValue<string>(
    tx,
    `SELECT events_id AS "eventsId" FROM processors WHERE tenant_id = $1 AND kind = $2 ORDER BY set_at DESC LIMIT 1`,
    tenantId,
    kind,
  );
}

/** Adds a processor for a tenant that has none in use. */
export async function insertProcessor(
  tx: Transaction,
  processor: Omit<ProcessorRow, keyof ProcessorState>,
): Promise<void> {
  await tx.run(
    `INSERT INTO processors (name, tenant_id, kind, sealed_settings, events_id, serves_from, set_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    processor.name,
    processor.tenantId,
    processor.kind,
    processor.sealedSettings,
    processor.eventsId,
    processor.servesFrom,
    processor.setAt,
  );
}

export async function removeProcessor(tx: Transaction, name: string, now: number): Promise<void> {
  await tx.run("UPDATE processors SET removed_at = $2 WHERE name = $1", name, now);
}

/** Saves that a processor answered or, with `downWords`, the error of an attempt to ask it. */
export async function saveProcessorState(
  tx: Transaction,
  { name, downWords, now }: { name: string; downWords: string | undefined; now: number },
): Promise<void> {
  if (downWords === undefined) {
    const sql = "UPDATE processors SET answered_at = $2, down_since = NULL, down_words = NULL WHERE name = $1";
    await tx.run(sql, name, now);
    return;
  }
  const sql = "UPDATE processors SET down_since = COALESCE(down_since, $2), down_words = $3 WHERE name = $1";
  await tx.run(sql, name, now, downWords);
}

/** Deletes processors that were removed at `removedBy` or earlier. */
export async function forgetProcessors(tx: Transaction, removedBy: number): Promise<void> {
  await tx.run("DELETE FROM processors WHERE removed_at <= $1", removedBy);
}

const heldCondition = `
  begun_at IS NOT NULL AND processor IS NOT NULL AND status IN ('PENDING', 'REQUIRES_ACTION', 'PROCESSING')
    AND (tenant_id = $1 OR ($1 = ${EVERY_TENANT}
         AND tenant_id NOT IN (SELECT tenant_id FROM processors WHERE removed_at IS NULL)))`;

/** Counts the open payments that a tenant's processor holds. With `EVERY_TENANT`: those of tenants without their own. */
export function countHeldPayments(tx: Transaction, tenantId: number): Promise<number> {
  return findCount(tx, `SELECT COUNT(*) AS count FROM payments WHERE ${heldCondition}`, tenantId);
}

/** Leaves the open payments of a removed processor to the operator. Those that it certainly never got are not undecided. */
export async function releaseHeldPayments(tx: Transaction, tenantId: number, undecided: string): Promise<void> {
  await tx.run(
    `UPDATE payments SET begun_at = NULL,
            undecided = CASE WHEN requested_at IS NULL THEN undecided ELSE CAST($2 AS TEXT) END
      WHERE ${heldCondition}`,
    tenantId,
    undecided,
  );
}
