// Shows the server's health and the tenant's work in progress and, to operators, the work of all tenants.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import { countPendingCallbacks } from "../domain/callbacks/list-rows.ts";
import { listRestingReceivers } from "../domain/callbacks/rows.ts";
import { type CarrierRow, listCarriers } from "../domain/carriers/rows.ts";
import { Refusal } from "../domain/refusal.ts";
import {
  type Backlog,
  countTenantDispatches,
  countUnknown,
  countWaitingPayments,
  countWaitingRegistrations,
  MOST_COUNTED,
  readBacklog,
  type Waiting,
} from "../domain/reports/backlog-rows.ts";
import { countRecent, readTenantFigures } from "../domain/reports/tenant-figures.ts";
import { EVERY_TENANT, listStandings, listTenants } from "../domain/tenancy/rows.ts";
import type { Readiness } from "../http/health.ts";
import type { DiskRoom } from "../http/metrics/metrics-gauges.ts";
import type { MetricsServices } from "../http/metrics/metrics-route.ts";
import type { RouteServices } from "../http/routes.ts";
import { QueueFloors, queueOf } from "../store/queue/engine.ts";
import type { QueueScan } from "../store/queue/queue.ts";
import type { Transaction } from "../store/store.ts";
import { listUncarried, toCount } from "./backlog-views.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const nothing: Waiting = { count: 0, since: null };
/** Maximum number of paused receivers that are listed. */
const MOST_RECEIVERS = 20;
/** Most unreachable carriers, and most tenants, that an operator sees. */
const MOST_DOWN = 20;
const MOST_TENANTS = 100;

/** The state that is not in the database, as in `/metrics`. */
type Found = Pick<MetricsServices, "findClockAhead" | "findDiskRoom" | "findLastBackup">;

export interface HealthOptions extends Found {
  readonly readiness: Readiness;
  readonly isDevelopment: boolean;
  readonly version: string | undefined;
  readonly engine: Views["HealthView"]["engine"];
}

export function healthHandlers(
  { store, clock }: Pick<RouteServices<string>, "store" | "clock">,
  { readiness, isDevelopment, version, engine, findLastBackup, findDiskRoom, findClockAhead }: HealthOptions,
): DashboardHandlers<"getHealth" | "getInstallation"> {
  const floors = new QueueFloors(clock.elapsed);
  const readServer = async () => {
    const obstacle = (await readiness.findObstacle()) ?? null;
    const note = (await readiness.findNote()) ?? null;
    return { isReady: obstacle === null, obstacle, note, version: version ?? null, engine };
  };
  const readBackup = async (tx: Transaction) => ({
    canBackUp: findLastBackup !== undefined,
    backedUpAt: viewTime((await findLastBackup?.(tx)) ?? null),
  });
  return {
    getHealth: {
      async answer({ tenantId, merchantId }) {
        if (merchantId !== null) {
          throw new Refusal(
            "merchant_scope_denied",
            "The health page covers the whole tenant, but you see only one merchant.",
          );
        }
        const server = await readServer();
        const scan = floors.beginScan();
        return store.read(async (tx) => {
          const dispatches = await countTenantDispatches(tx, tenantId, MOST_COUNTED);
          const queue = await queueOf(tx).countOf(tx, { tenantId, most: MOST_COUNTED, scan });
          await scan.raise(tx);
          const unknown = await countUnknown(tx, MOST_COUNTED, tenantId);
          const callbacks = await countPendingCallbacks(tx, tenantId, MOST_COUNTED);
          const decided = { tenantId, most: MOST_COUNTED };
          // in development everything is simulated, so no payment waits for the operator
          const payments = isDevelopment ? nothing : await countWaitingPayments(tx, decided);
          const registrations = isDevelopment ? nothing : await countWaitingRegistrations(tx, decided);
          const asked = { tenantId, examined: MOST_COUNTED, limit: MOST_RECEIVERS + 1 };
          const resting = await listRestingReceivers(tx, asked);
          return {
            ...server,
            ...(await readBackup(tx)),
            queued: { count: queue.count + dispatches.waiting, isMore: queue.isMore || dispatches.isMore },
            queuedSince: viewTime(earlier(queue.since, dispatches.waitingSince)),
            dispatched: { count: dispatches.handedOver, isMore: dispatches.isMore },
            dispatchedSince: viewTime(dispatches.handedOverSince),
            inDoubt: { count: dispatches.inDoubt, isMore: dispatches.isMore },
            unknown: toCount(unknown),
            callbacksPending: toCount(callbacks.count),
            callbacksSince: viewTime(callbacks.since),
            payments: toCount(payments.count),
            paymentsSince: viewTime(payments.since),
            registrations: toCount(registrations.count),
            registrationsSince: viewTime(registrations.since),
            restingReceivers: resting.slice(0, MOST_RECEIVERS).map(({ receiver, rests, dueAt }) => ({
              ...{ receiver, rests },
              triedAt: viewTime(dueAt),
            })),
            hasMoreResting: resting.length > MOST_RECEIVERS,
          };
        });
      },
    },
    getInstallation: {
      async answer() {
        const server = await readServer();
        const disk = await findDiskRoom?.().catch(() => undefined);
        const scan = floors.beginScan();
        return store.read(async (tx) => {
          const now = clock.now();
          const inUse = (await listCarriers(tx)).filter(({ removedAt }) => removedAt === null);
          const down = inUse.filter(({ downSince }) => downSince !== null);
          down.sort((one, other) => (one.downSince ?? 0) - (other.downSince ?? 0));
          return {
            ...server,
            ...(await readBackup(tx)),
            disk: disk === undefined ? null : viewDisk(disk),
            clockAheadMs: findClockAhead?.() ?? null,
            ...viewBacklog(await readBacklog(tx, now, scan)),
            uncarried: await listUncarried(tx, EVERY_TENANT),
            carriersUp: inUse.length - down.length,
            carriersDown: down.slice(0, MOST_DOWN).map(viewUnreachable),
            hasMoreDown: down.length > MOST_DOWN,
            ...(await viewTenants(tx, { now, scan })),
          };
        });
      },
    },
  };
}

function viewDisk({ total, free, database }: DiskRoom): Views["DiskRoom"] {
  return { totalBytes: total, freeBytes: free, databaseBytes: database };
}

function viewUnreachable({ name, channel, tenantId, downSince }: CarrierRow): Views["UnreachableCarrier"] {
  const owner = tenantId === EVERY_TENANT ? null : String(tenantId);
  return { name, channel, tenantId: owner, since: viewTime(downSince ?? 0) };
}

/** Counts the messages of the tenants that sent most lately. */
async function viewTenants(tx: Transaction, at: { now: number; scan: QueueScan }) {
  const { since, counts } = await countRecent(tx, at.now);
  const accepted = new Map(counts.map((count) => [count.tenantId, count.accepted]));
  const all = await listTenants(tx);
  const first = all.sort((one, other) => (accepted.get(other.tenantId) ?? 0) - (accepted.get(one.tenantId) ?? 0));
  const standings = new Map((await listStandings(tx)).map((standing) => [standing.tenantId, standing]));
  const tenants: Views["TenantFigures"][] = [];
  for (const tenant of first.slice(0, MOST_TENANTS)) {
    const { tenantId, name, mode } = tenant;
    const { queued, queuedSince, inDoubt, ...month } = await readTenantFigures(tx, tenant, at);
    tenants.push({
      ...{ tenantId: String(tenantId), name, mode, disabledAt: viewTime(standings.get(tenantId)?.disabledAt ?? null) },
      ...{ accepted: accepted.get(tenantId) ?? 0, month, queued, queuedSince: viewTime(queuedSince), inDoubt },
    });
  }
  await at.scan.raise(tx);
  return { tenants, tenantCount: all.length, countedSince: viewTime(since) };
}

function viewBacklog({ carriers, payments, registrations, ...backlog }: Omit<Backlog, "processors">) {
  const { waiting, oldestDueAt, inDoubt, unknown, jobsDue, callbacksPending, unmatchedTexts } = backlog;
  const inAll = carriers.reduce((sum, carrier) => sum + carrier.waiting, waiting);
  const oldestAt = carriers.reduce((oldest, carrier) => earlier(oldest, carrier.oldestAt), oldestDueAt);
  return {
    waiting: { count: inAll, isMore: [waiting, ...carriers.map((carrier) => carrier.waiting)].includes(MOST_COUNTED) },
    waitingSince: viewTime(oldestAt),
    inDoubt: toCount(inDoubt),
    unknown: toCount(unknown),
    jobsDue: toCount(jobsDue),
    callbacksPending: toCount(callbacksPending),
    unmatchedTexts: toCount(unmatchedTexts),
    payments: toCount(payments.count),
    paymentsSince: viewTime(payments.since),
    registrations: toCount(registrations.count),
    registrationsSince: viewTime(registrations.since),
  };
}

/** Returns the earlier of two times; null if both are null. */
function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}
