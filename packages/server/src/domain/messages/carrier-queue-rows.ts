// The carriers' queues: the messages that wait for each carrier, by class and tenant, in order of acceptance. A message
// enters a queue when dispatch has found its carrier, and leaves it when it is claimed or expires.

import { listParameters } from "../../store/batching.ts";
import { queueOf } from "../../store/queue/engine.ts";
import { contentColumns, NO_CARRIER, type OutboxRow } from "../../store/queue/message-rows.ts";
import { toQueueText } from "../../store/queue/queue.ts";
import { findValue, listValues, type Transaction } from "../../store/store.ts";
import type { Channel } from "../contacts.ts";
import { EVERY_TENANT } from "../tenancy/rows.ts";

/** The class of all messages without a carrier: they need no round-robin. */
export const NO_CLASS = 0;

/** The name of the queue for a channel's messages without a carrier. */
export function queueWithoutCarrier(channel: Channel): string {
  return `${NO_CARRIER}-${channel}`;
}

/** Returns the channel of a queue without a carrier; undefined for another queue. */
export function channelWithoutCarrier(queue: string): Channel | undefined {
  const [kind, channel] = queue.split(/-(?=[^-]*$)/);
  return kind === NO_CARRIER ? (channel as Channel) : undefined;
}

/** A message class in a carrier's queue. */
export interface QueueKey {
  readonly carrier: string;
  /** Lower classes get a larger share of submissions. */
  readonly messageClass: number;
}

/** Puts a locked message in a queue, and voids any lease on it. The message falls due at `expiresAt`. */
export async function enterQueue(
  tx: Transaction,
  row: Pick<OutboxRow, "messageId" | "tenantId" | "createdAt" | "asks" | "isQueued" | "giveUpAt">,
  { carrier, messageClass, expiresAt }: QueueKey & { expiresAt: number },
): Promise<void> {
  const { messageId, tenantId, createdAt, asks, isQueued, giveUpAt } = row;
  if (isQueued) await queueOf(tx).leave(tx, messageId);
  await tx.run(
    `INSERT INTO dispatches (message_id, state, lease_token, due_at, give_up_at, asks, tenant_id, accepted_at, carrier, class)
     VALUES ($1, 'waiting', NULL, $2, $3, $4, $5, $6, $7, $8)
     ON CONFLICT (message_id) DO UPDATE SET state = 'waiting', lease_token = NULL, due_at = excluded.due_at,
       carrier = excluded.carrier, class = excluded.class`,
    messageId,
    expiresAt,
    giveUpAt ?? expiresAt,
    asks,
    tenantId,
    createdAt,
    carrier,
    messageClass,
  );
}

/**
 * Lists up to `limit` tenants with messages in a class of a queue, in order, from the one after `after`. Omits those for
 * which `isSkipped` returns true.
 */
export async function listTenantsInQueue(
  tx: Transaction,
  request: QueueKey & { after: number; limit: number; isSkipped?: (tenantId: number) => boolean },
): Promise<number[]> {
  const { carrier, messageClass, after, limit, isSkipped = () => false } = request;
  const tenants: number[] = [];
  for (let last = after; tenants.length < limit; ) {
    const next = await findValue<number>(
      tx,
      `SELECT tenant_id AS "tenantId" FROM dispatches
        WHERE state = 'waiting' AND carrier = $1 AND class = $2 AND tenant_id > $3 ORDER BY tenant_id LIMIT 1`,
      carrier,
      messageClass,
      last,
    );
    if (next === undefined) break;
    last = next;
    if (!isSkipped(last)) tenants.push(last);
  }
  return tenants;
}

/** The fields of a waiting message that decide its order. */
export interface Waiting {
  readonly messageId: string;
  readonly tenantId: number;
  readonly acceptedAt: number;
}

/** Lists a tenant's first `limit` messages in a class of a queue. */
export function listWaiting(
  tx: Transaction,
  { carrier, messageClass, tenantId, limit }: QueueKey & { tenantId: number; limit: number },
): Promise<Waiting[]> {
  return tx.all<Waiting>(
    `SELECT message_id AS "messageId", tenant_id AS "tenantId", accepted_at AS "acceptedAt" FROM dispatches
      WHERE state = 'waiting' AND carrier = $1 AND class = $2 AND tenant_id = $3
      ORDER BY accepted_at, message_id LIMIT $4`,
    carrier,
    messageClass,
    tenantId,
    limit,
  );
}

/** Locks those of the messages that still wait, except any that another transaction has locked. Returns them unordered. */
export async function lockWaiting(
  tx: Transaction,
  carrier: string,
  messageIds: readonly string[],
): Promise<OutboxRow[]> {
  if (messageIds.length === 0) return [];
  return tx.all<OutboxRow>(
    `SELECT ${contentColumns}, m.status, NULL AS "openAttempt", 'ready' AS state, d.accepted_at AS "dueAt", d.asks,
            CASE WHEN m.attempts = 0 THEN NULL ELSE d.give_up_at END AS "giveUpAt", 0 AS "isDoubted", 0 AS "isQueued"
       FROM dispatches d JOIN messages m ON m.message_id = d.message_id
      WHERE d.state = 'waiting' AND d.carrier = $1
        AND d.message_id IN (${listParameters(2, messageIds)})
      FOR UPDATE SKIP LOCKED`,
    carrier,
    ...messageIds,
  );
}

/** Selects messages to leave a queue: all messages of a carrier, or only those of one tenant and class. */
export interface Leaving {
  readonly carrier: string;
  readonly ofTenant?: { readonly tenantId: number; readonly messageClass: number };
}

/**
 * Takes up to `limit` messages out of a queue and makes them due, so that dispatch finds their carriers again. Skips
 * messages that another transaction has locked. Returns how many it took.
 */
export async function leaveQueue(
  tx: Transaction,
  { carrier, ofTenant, now, limit }: Leaving & { now: number; limit: number },
): Promise<number> {
  const isOfTenant = ofTenant === undefined ? "" : "AND class = $3 AND tenant_id = $4";
  const ids = await listValues<string>(
    tx,
    `SELECT message_id AS "messageId" FROM dispatches WHERE state = 'waiting' AND carrier = $1 ${isOfTenant}
      LIMIT $2 FOR UPDATE SKIP LOCKED`,
    carrier,
    limit,
    ...(ofTenant === undefined ? [] : [ofTenant.messageClass, ofTenant.tenantId]),
  );
  if (ids.length === 0) return 0;
  return tx.run(
    `UPDATE dispatches SET state = 'ready', due_at = $1
      WHERE state = 'waiting' AND message_id IN (${listParameters(2, ids)})`,
    now,
    ...ids,
  );
}

/** A tenant whose messages wait in a queue. */
export interface TenantInQueue {
  readonly tenantId: number;
  /** When the oldest message was accepted, in epoch milliseconds. */
  readonly oldestAt: number;
}

/** Lists up to `limit` tenants with messages that have no carrier, in order, from the one after `after`. */
export async function listUncarriedTenants(
  tx: Transaction,
  { carrier, after, limit }: { carrier: string; after: number; limit: number },
): Promise<TenantInQueue[]> {
  const tenants: TenantInQueue[] = [];
  for (let last = after; tenants.length < limit; ) {
    const row = await tx.get<TenantInQueue>(
      `SELECT tenant_id AS "tenantId", accepted_at AS "oldestAt" FROM dispatches
        WHERE state = 'waiting' AND carrier = $1 AND class = ${NO_CLASS} AND tenant_id > $2
        ORDER BY tenant_id, accepted_at LIMIT 1`,
      carrier,
      last,
    );
    if (row === undefined) break;
    last = row.tenantId;
    tenants.push(row);
  }
  return tenants;
}

/** Counts a tenant's messages without a carrier, up to `most`. `oldestAt` is the earliest acceptance (epoch ms). */
export async function countUncarriedMessages(
  tx: Transaction,
  { carrier, tenantId, most }: { carrier: string; tenantId: number; most: number },
): Promise<{ waiting: number; oldestAt: number | null }> {
  const row = await tx.get<{ waiting: number; oldestAt: number | null }>(
    `SELECT COUNT(*) AS waiting, MIN(accepted_at) AS "oldestAt" FROM
       (SELECT accepted_at FROM dispatches
         WHERE state = 'waiting' AND carrier = $1 AND class = ${NO_CLASS} AND tenant_id = $2
         ORDER BY accepted_at LIMIT $3) AS counted`,
    carrier,
    tenantId,
    most,
  );
  return row ?? { waiting: 0, oldestAt: null };
}

/**
 * Lists the carriers that messages wait for. Takes one index lookup per carrier, which skips all messages of the
 * previous one.
 */
export function listCarriersWithQueues(tx: Transaction): Promise<string[]> {
  return listValues<string>(
    tx,
    `WITH RECURSIVE queues (carrier) AS (
       SELECT (SELECT carrier FROM dispatches WHERE state = 'waiting' ORDER BY carrier LIMIT 1)
       UNION ALL
       SELECT (SELECT d.carrier FROM dispatches d WHERE d.state = 'waiting' AND d.carrier > queues.carrier
               ORDER BY d.carrier LIMIT 1)
         FROM queues WHERE queues.carrier IS NOT NULL
     )
     SELECT carrier FROM queues WHERE carrier IS NOT NULL`,
  );
}

/**
 * Selects messages of a tenant and channel that are in no carrier's queue: just accepted, deferred by a carrier, or calls
 * that wait for the morning.
 */
interface Unqueued {
  /** The tenant, or `EVERY_TENANT` for all live tenants without a carrier of their own. */
  readonly tenantId: number;
  readonly channel: Channel;
  /** Omits messages accepted up to this time, in epoch milliseconds: they were discarded. */
  readonly discardedAt: number;
  readonly now: number;
  /** The count stops at this number. */
  readonly most: number;
}

/** No message is put off this long: a night is shorter, and so is any carrier's deferral. */
const LONGEST_PUT_OFF_MS = 24 * 60 * 60_000;

const isOfSlot = `m.channel = $2 AND m.created_at > $3 AND (m.tenant_id = $1 OR $1 = ${EVERY_TENANT}
  AND EXISTS (SELECT 1 FROM tenants t WHERE t.tenant_id = m.tenant_id AND t.mode = 'live')
  AND NOT EXISTS (SELECT 1 FROM carriers c WHERE c.tenant_id = m.tenant_id AND c.channel = $2 AND c.removed_at IS NULL))`;

const unqueuedStatement = toQueueText(
  ({ accepted }) => `
    SELECT COUNT(*) AS waiting, MIN(at) AS "oldestAt" FROM
      (SELECT m.created_at AS at FROM dispatches d CROSS JOIN messages m
        WHERE m.message_id = d.message_id AND d.state <> 'reconciling' AND d.state = 'ready' AND d.due_at <= $5 AND ${isOfSlot}
       UNION ALL
       SELECT m.created_at AS at FROM (${accepted}) AS q CROSS JOIN messages m
        WHERE m.message_id = q.message_id AND ${isOfSlot} LIMIT $4) AS counted`,
);

/**
 * Counts messages that are in no carrier's queue, up to `most`. `oldestAt` is the earliest acceptance, in epoch
 * milliseconds. The query repeats `state <> 'reconciling'` because the index by due time has this condition.
 */
export async function countUnqueued(
  tx: Transaction,
  { tenantId, channel, discardedAt, now, most }: Unqueued,
): Promise<{ waiting: number; oldestAt: number | null }> {
  const row = await tx.get<{ waiting: number; oldestAt: number | null }>(
    unqueuedStatement,
    tenantId,
    channel,
    discardedAt,
    most,
    now + LONGEST_PUT_OFF_MS,
  );
  return row ?? { waiting: 0, oldestAt: null };
}
