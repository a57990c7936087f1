// Counts waiting work for operators and tenants. Each count reads an index row by row and stops at a maximum, because
// counting a million entries would delay every request.

import { queueOf } from "../../store/queue/engine.ts";
import { type QueueScan, toQueueText } from "../../store/queue/queue.ts";
import { findCount, findValue, type Transaction } from "../../store/store.ts";
import { countProcessors, type ProcessorCount } from "../billing/processor-rows.ts";
import { countUnmatchedTexts } from "../messages/text-rows.ts";
import type { BrandRow, CampaignRow, NumberRow } from "../registration/rows.ts";

const countUnknownStatement = toQueueText(
  ({ unknown }) => `SELECT COUNT(*) AS count FROM (SELECT 1 FROM (${unknown}) AS unknown LIMIT $1) AS counted`,
);
const countUnknownOfStatement = toQueueText(
  ({ unknown }) => `
  SELECT COUNT(*) AS count FROM (SELECT 1 FROM (${unknown}) AS unknown WHERE tenant_id = $2 LIMIT $1) AS counted`,
);

/** Counts messages whose outcome was never reported, up to `most`; only those of `tenantId` if it is given. */
export function countUnknown(tx: Transaction, most: number, tenantId?: number): Promise<number> {
  if (tenantId === undefined) return findCount(tx, countUnknownStatement, most);
  return findCount(tx, countUnknownOfStatement, most, tenantId);
}

/**
 * For each table, the SQL condition of rows that wait for the operator, and the column with the start of their wait. Rows
 * of test tenants are in the same indexes while they are simulated, so rows of live tenants are read tenant by tenant.
 */
const kinds = {
  payments: {
    isOpen: "status IN ('PENDING', 'REQUIRES_ACTION', 'PROCESSING') AND begun_at IS NULL",
    since: "created_at",
  },
  brands: {
    isOpen: "status IN ('PENDING', 'IN_REVIEW') AND review_started_at IS NOT NULL",
    since: "review_started_at",
  },
  campaigns: { isOpen: "status = 'PENDING' AND review_started_at IS NOT NULL", since: "review_started_at" },
  numbers: {
    isOpen: "assignment_status = 'PENDING_ASSIGNMENT' AND assignment_started_at IS NOT NULL",
    since: "assignment_started_at",
  },
} as const;

type WaitingKind = keyof typeof kinds;

/** Maximum number of tenants with open rows that a count examines. */
const MOST_TENANTS = 1_000;

export interface Waiting {
  /** Limited to the request's `most`. */
  readonly count: number;
  /** When the longest wait began, in epoch milliseconds; null if nothing waits. */
  readonly since: number | null;
}

const nothingWaits: Waiting = { count: 0, since: null };

interface WaitingRequest {
  readonly tenantId?: number;
  readonly most: number;
}

/** SQL condition of the table's rows that wait for the operator. */
export function openOf(kind: WaitingKind): string {
  return kinds[kind].isOpen;
}

/** Counts the payments of live tenants, or of one of them, that wait for the operator. */
export function countWaitingPayments(tx: Transaction, request: WaitingRequest): Promise<Waiting> {
  return countWaiting(tx, "payments", request);
}

/** Counts the tenant's open payments that a processor has or may have, up to `most`. */
export function countHeldOf(tx: Transaction, tenantId: number, most: number): Promise<number> {
  const open = "status IN ('PENDING', 'REQUIRES_ACTION', 'PROCESSING') AND begun_at IS NOT NULL";
  return findCount(
    tx,
    `SELECT COUNT(*) AS count FROM (SELECT 1 FROM payments WHERE tenant_id = $1 AND ${open} LIMIT $2) AS counted`,
    tenantId,
    most,
  );
}

/** Counts the brands, campaigns and numbers of live tenants, or of one of them, that wait for the operator. */
export async function countWaitingRegistrations(tx: Transaction, request: WaitingRequest): Promise<Waiting> {
  let all = nothingWaits;
  for (const kind of ["brands", "campaigns", "numbers"] as const) {
    const { count, since } = await countWaiting(tx, kind, { ...request, most: request.most - all.count });
    all = {
      count: all.count + count,
      since: all.since === null || (since !== null && since < all.since) ? since : all.since,
    };
  }
  return all;
}

async function countWaiting(tx: Transaction, kind: WaitingKind, { tenantId, most }: WaitingRequest): Promise<Waiting> {
  const row =
    tenantId === undefined
      ? await tx.get<Waiting>(ofAll[kind], most, MOST_TENANTS)
      : await tx.get<Waiting>(ofTenant[kind], most, tenantId);
  return row ?? nothingWaits;
}

const statements = (make: (kind: WaitingKind) => string) =>
  Object.fromEntries(Object.keys(kinds).map((kind) => [kind, make(kind as WaitingKind)])) as Record<
    WaitingKind,
    string
  >;

const ofTenant = statements((kind) => {
  const rows = `FROM ${kind} o CROSS JOIN tenants t
    WHERE o.tenant_id = $2 AND ${kinds[kind].isOpen} AND t.tenant_id = $2 AND t.mode = 'live'`;
  return `
  SELECT (SELECT COUNT(*) FROM (SELECT 1 ${rows} LIMIT $1) AS counted) AS count,
         (SELECT o.${kinds[kind].since} ${rows} ORDER BY o.${kinds[kind].since} LIMIT 1) AS since`;
});

const nextTenant = (kind: WaitingKind, behind: string) =>
  `(SELECT MIN(tenant_id) FROM ${kind} WHERE ${kinds[kind].isOpen} AND tenant_id > ${behind})`;

// walks the index from tenant to tenant; skips all but the first row of each
const ofAll = statements(
  (kind) => `
  WITH RECURSIVE walk (tenant_id, number) AS (
    SELECT ${nextTenant(kind, "0")}, 1
    UNION ALL
    SELECT ${nextTenant(kind, "walk.tenant_id")}, walk.number + 1
      FROM walk WHERE walk.tenant_id IS NOT NULL AND walk.number < $2
  ),
  live AS (SELECT t.tenant_id FROM walk JOIN tenants t ON t.tenant_id = walk.tenant_id WHERE t.mode = 'live')
  SELECT (SELECT COUNT(*) FROM
           (SELECT 1 FROM live CROSS JOIN ${kind} o WHERE o.tenant_id = live.tenant_id AND ${kinds[kind].isOpen}
             LIMIT $1) AS counted) AS count,
         (SELECT MIN((SELECT MIN(o.${kinds[kind].since}) FROM ${kind} o
                       WHERE o.tenant_id = live.tenant_id AND ${kinds[kind].isOpen})) FROM live) AS since`,
);

/** Largest count. It means this many or more. */
export const MOST_COUNTED = 10_000;
/** The oldest message is searched among at most this many combinations of carrier, class and tenant. */
const MOST_CLASSES = 1_000;

/** The waiting work of the installation. Counts stop at `MOST_COUNTED`. */
export interface Backlog {
  /** Messages in no carrier's queue that are due to be submitted or asked about. */
  readonly waiting: number;
  /** When the first of these messages fell due, in epoch milliseconds. */
  readonly oldestDueAt: number | null;
  /** Messages that a provider may or may not have accepted. */
  readonly inDoubt: number;
  /** Messages that ended UNKNOWN. */
  readonly unknown: number;
  /** Jobs that are due. */
  readonly jobsDue: number;
  /** Callbacks that no receiver has accepted yet. */
  readonly callbacksPending: number;
  /** Texts to numbers that belong to no tenant. */
  readonly unmatchedTexts: number;
  /** Payments of live tenants that wait for the operator. */
  readonly payments: Waiting;
  /** Brands, campaigns and numbers of live tenants that wait for the operator. */
  readonly registrations: Waiting;
  /** Current and recently removed carriers, by kind. */
  readonly carriers: readonly CarrierBacklog[];
  /** Payment processors in use, by kind. */
  readonly processors: readonly ProcessorCount[];
}

export interface CarrierBacklog extends QueueBacklog {
  readonly kind: string;
  readonly up: number;
  /** Carriers that could not be reached at the last attempt. */
  readonly down: number;
}

export interface QueueBacklog {
  /** Messages in the queue. */
  readonly waiting: number;
  /** When the oldest of these messages was accepted, in epoch milliseconds. */
  readonly oldestAt: number | null;
}

export async function readBacklog(tx: Transaction, now: number, scan: QueueScan): Promise<Backlog> {
  const queued = await queueOf(tx).count(tx, { now, most: MOST_COUNTED, scan });
  const oldestQueued = await queueOf(tx).findNext(tx, { now, scan });
  await scan.raise(tx);
  const due = await findCount(
    tx,
    `SELECT COUNT(*) AS count FROM
      (SELECT 1 FROM dispatches WHERE state = 'reconciling' AND due_at <= $2
       UNION ALL SELECT 1 FROM dispatches WHERE state <> 'reconciling' AND due_at <= $2 LIMIT $1) AS counted`,
    MOST_COUNTED,
    now,
  );
  const oldestDue = await findValue<number>(
    tx,
    `SELECT MIN(at) AS at FROM
      (SELECT MIN(due_at) AS at FROM dispatches WHERE state = 'reconciling' AND due_at <= $1
       UNION ALL SELECT MIN(due_at) AS at FROM dispatches WHERE state <> 'reconciling' AND due_at <= $1) AS oldest`,
    now,
  );
  const moments = [oldestQueued, oldestDue].filter((at) => at !== undefined && at <= now) as number[];
  return {
    waiting: Math.min(queued + due, MOST_COUNTED),
    oldestDueAt: moments.length === 0 ? null : Math.min(...moments),
    inDoubt: await countInDoubt(tx, MOST_COUNTED),
    unknown: await countUnknown(tx, MOST_COUNTED),
    jobsDue: await findCount(
      tx,
      "SELECT COUNT(*) AS count FROM (SELECT 1 FROM jobs WHERE due_at <= $2 LIMIT $1) AS counted",
      MOST_COUNTED,
      now,
    ),
    callbacksPending: await findCount(
      tx,
      "SELECT COUNT(*) AS count FROM (SELECT 1 FROM callbacks WHERE status = 'PENDING' LIMIT $1) AS counted",
      MOST_COUNTED,
    ),
    unmatchedTexts: await countUnmatchedTexts(tx, MOST_COUNTED),
    payments: await countWaitingPayments(tx, { most: MOST_COUNTED }),
    registrations: await countWaitingRegistrations(tx, { most: MOST_COUNTED }),
    carriers: await countCarriers(tx),
    processors: await countProcessors(tx),
  };
}

/** Counts the messages, of all tenants, that a provider may or may not have accepted, up to `most`. */
export function countInDoubt(tx: Transaction, most: number): Promise<number> {
  return findCount(
    tx,
    "SELECT COUNT(*) AS count FROM (SELECT 1 FROM dispatches WHERE state = 'reconciling' LIMIT $1) AS counted",
    most,
  );
}

/** Counts current and recently removed carriers by kind. */
async function countCarriers(tx: Transaction): Promise<CarrierBacklog[]> {
  const kinds = await tx.all<{ kind: string; up: number; down: number }>(
    `SELECT kind, COUNT(*) FILTER (WHERE removed_at IS NULL AND down_since IS NULL) AS up,
            COUNT(*) FILTER (WHERE removed_at IS NULL AND down_since IS NOT NULL) AS down
       FROM carriers GROUP BY kind ORDER BY kind`,
  );
  const backlogs: CarrierBacklog[] = [];
  // a carrier's name begins with its kind
  for (const row of kinds) backlogs.push({ ...row, ...(await readQueueBacklogs(tx, `${row.kind}-`, `${row.kind}.`)) });
  return backlogs;
}

/** Reads the backlog in the queue of one carrier. */
export function readQueueBacklog(tx: Transaction, name: string): Promise<QueueBacklog> {
  return readQueueBacklogs(tx, name, `${name}.`);
}

/** Reads the backlog of carriers with names from `first` (inclusive) to `end` (exclusive). */
async function readQueueBacklogs(tx: Transaction, first: string, end: string): Promise<QueueBacklog> {
  const waiting = await findCount(
    tx,
    `SELECT COUNT(*) AS count FROM
      (SELECT 1 FROM dispatches WHERE state = 'waiting' AND carrier >= $1 AND carrier < $2 LIMIT $3) AS counted`,
    first,
    end,
    MOST_COUNTED,
  );
  const oldestAt = await findValue<number>(tx, oldestInQueuesStatement, first, end, MOST_CLASSES);
  return { waiting, oldestAt: oldestAt ?? null };
}

const firstInQueue = (where: string) => `
  (SELECT message_id FROM dispatches WHERE state = 'waiting' AND ${where}
    ORDER BY carrier, class, tenant_id, accepted_at, message_id LIMIT 1)`;

/**
 * Walks the index from one combination of carrier, class and tenant to the next, and reads only the first message of each.
 * If the columns were compared as one row value, SQLite would read all messages of earlier carriers.
 */
const oldestInQueuesStatement = `
  WITH RECURSIVE firsts (carrier, class, tenant_id, accepted_at, number) AS (
    SELECT carrier, class, tenant_id, accepted_at, 1 FROM dispatches
     WHERE message_id = ${firstInQueue("carrier >= $1 AND carrier < $2")}
    UNION ALL
    SELECT d.carrier, d.class, d.tenant_id, d.accepted_at, f.number + 1
      FROM firsts f JOIN dispatches d ON d.message_id = COALESCE(
           ${firstInQueue("carrier = f.carrier AND class = f.class AND tenant_id > f.tenant_id")},
           ${firstInQueue("carrier = f.carrier AND class > f.class")},
           ${firstInQueue("carrier > f.carrier AND carrier < $2")})
     WHERE f.number < $3
  )
  SELECT MIN(accepted_at) AS at FROM firsts`;

/** A tenant's messages that wait for a carrier, or that a carrier has. Other tenants' rows do not slow the count down. */
interface TenantDispatches {
  /** Messages that a carrier has, or may have. */
  readonly handedOver: number;
  /** When the first of these messages was accepted, in epoch milliseconds. */
  readonly handedOverSince: number | null;
  /** How many of them a carrier may or may not have accepted. */
  readonly inDoubt: number;
  /** Messages that wait in a carrier's queue, or for another attempt. */
  readonly waiting: number;
  /** When the first of these messages was accepted, in epoch milliseconds. */
  readonly waitingSince: number | null;
  /** Whether the tenant has more than `most` dispatches, which are not counted. */
  readonly isMore: boolean;
}

/** The backlog of a tenant's messages in a carrier's queue. */
export interface TenantBacklog {
  readonly carrier: string;
  readonly waiting: number;
  /** When the first of these messages was accepted, in epoch milliseconds. */
  readonly since: number | null;
}

const isWaiting = "state IN ('waiting', 'ready')";

/** Counts the tenant's dispatches, up to `most`, in order of acceptance. */
export async function countTenantDispatches(
  tx: Transaction,
  tenantId: number,
  most: number,
): Promise<TenantDispatches> {
  const row = await tx.get<Omit<TenantDispatches, "isMore"> & { examined: number }>(
    `SELECT COUNT(*) AS examined,
            COUNT(CASE WHEN NOT ${isWaiting} THEN 1 END) AS "handedOver",
            MIN(CASE WHEN NOT ${isWaiting} THEN accepted_at END) AS "handedOverSince",
            COUNT(CASE WHEN state = 'reconciling' THEN 1 END) AS "inDoubt",
            COUNT(CASE WHEN ${isWaiting} THEN 1 END) AS waiting,
            MIN(CASE WHEN ${isWaiting} THEN accepted_at END) AS "waitingSince"
       FROM (SELECT state, accepted_at FROM dispatches WHERE tenant_id = $1 ORDER BY accepted_at LIMIT $2) AS counted`,
    tenantId,
    most,
  );
  const { examined = 0, ...counts } = row ?? {};
  const nothing = { handedOver: 0, handedOverSince: null, inDoubt: 0, waiting: 0, waitingSince: null };
  return { ...nothing, ...counts, isMore: examined === most };
}

/** Lists the carriers' queues in which any of the tenant's first `most` dispatches wait. */
export function listTenantBacklogs(tx: Transaction, tenantId: number, most: number): Promise<TenantBacklog[]> {
  return tx.all<TenantBacklog>(
    `SELECT carrier, COUNT(*) AS waiting, MIN(accepted_at) AS since
       FROM (SELECT carrier, state, accepted_at FROM dispatches WHERE tenant_id = $1 ORDER BY accepted_at LIMIT $2) AS counted
      WHERE state = 'waiting' AND carrier IS NOT NULL GROUP BY carrier`,
    tenantId,
    most,
  );
}

interface WaitingRow {
  readonly id: number;
  readonly tenantId: number;
  readonly merchantId: string;
  /** Start of the wait, in epoch milliseconds. */
  readonly since: number;
}

type WaitingBrand = WaitingRow & { readonly kind: "brand" } & Pick<
    BrandRow,
    "legalBusinessName" | "businessType" | "country" | "provider" | "providerBrandId" | "externalBrandRef" | "status"
  >;

type WaitingCampaign = WaitingRow & { readonly kind: "campaign" } & Pick<
    CampaignRow,
    "useCase" | "brandId" | "provider" | "providerCampaignId" | "campaignReference" | "reviewStatus"
  > & {
    readonly legalBusinessName: string;
    /** The first characters of the description. */
    readonly description: string;
  };

type WaitingNumber = WaitingRow & { readonly kind: "number" } & Pick<
    NumberRow,
    "phoneNumber" | "provider" | "providerNumberId" | "campaignId" | "assignmentStatus"
  >;

export type WaitingRegistration = WaitingBrand | WaitingCampaign | WaitingNumber;

interface Asked {
  readonly tenantId: number | undefined;
  readonly limit: number;
}

/** Lists the brands, campaigns and numbers of live tenants, or of one of them, that wait for a decision, oldest first. */
export async function listWaitingRegistrations(tx: Transaction, asked: Asked): Promise<WaitingRegistration[]> {
  const brands = await list<WaitingBrand>(
    tx,
    asked,
    `SELECT 'brand' AS kind, o.brand_id AS id, o.tenant_id AS "tenantId", o.merchant_id AS "merchantId", o.review_started_at AS since,
            o.legal_business_name AS "legalBusinessName", o.business_type AS "businessType", o.country, o.provider,
            o.provider_brand_id AS "providerBrandId", o.external_brand_ref AS "externalBrandRef", o.status
       FROM (SELECT * FROM brands WHERE ${openOf("brands")}) o`,
  );
  const campaigns = await list<WaitingCampaign>(
    tx,
    asked,
    `SELECT 'campaign' AS kind, o.campaign_id AS id, o.tenant_id AS "tenantId", o.merchant_id AS "merchantId", o.review_started_at AS since,
            o.use_case AS "useCase", substr(o.description, 1, 200) AS description, o.brand_id AS "brandId",
            b.legal_business_name AS "legalBusinessName", o.provider, o.provider_campaign_id AS "providerCampaignId",
            o.merchant_reference AS "campaignReference", o.review_status AS "reviewStatus"
       FROM (SELECT * FROM campaigns WHERE ${openOf("campaigns")}) o JOIN brands b ON b.brand_id = o.brand_id`,
  );
  const numbers = await list<WaitingNumber>(
    tx,
    asked,
    `SELECT 'number' AS kind, o.number_id AS id, o.tenant_id AS "tenantId", o.merchant_id AS "merchantId",
            o.assignment_started_at AS since, o.phone_number AS "phoneNumber", o.provider,
            o.provider_number_id AS "providerNumberId", o.campaign_id AS "campaignId",
            o.assignment_status AS "assignmentStatus"
       FROM (SELECT * FROM numbers WHERE ${openOf("numbers")}) o`,
  );
  const all: WaitingRegistration[] = [...brands, ...campaigns, ...numbers];
  return all.sort((one, other) => one.since - other.since).slice(0, asked.limit);
}

function list<Row extends WaitingRow>(tx: Transaction, { tenantId, limit }: Asked, select: string): Promise<Row[]> {
  const ofTenant = tenantId === undefined ? "" : "AND o.tenant_id = $2";
  return tx.all<Row>(
    `${select} JOIN tenants t ON t.tenant_id = o.tenant_id WHERE t.mode = 'live' ${ofTenant} ORDER BY since, id LIMIT $1`,
    limit,
    ...(tenantId === undefined ? [] : [tenantId]),
  );
}
