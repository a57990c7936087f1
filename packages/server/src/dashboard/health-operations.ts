// Shows the server's health and the tenant's work in progress. Figures of other tenants are shown only in development.

import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import { countPendingCallbacks, listRestingReceivers } from "../domain/callbacks/rows.ts";
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
import {
  type CarrierWithBacklog,
  countUncarried,
  listCarriersOf,
  listCarriersWithBacklogs,
} from "../domain/reports/tenant-carriers.ts";
import { mayAs } from "../domain/users/rules.ts";
import type { Readiness } from "../http/health.ts";
import type { MetricsServices } from "../http/metrics/metrics-route.ts";
import type { RouteServices } from "../http/routes.ts";
import { QueueFloors, queueOf } from "../store/queue/engine.ts";
import type { Transaction } from "../store/store.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";

const nothing: Waiting = { count: 0, since: null };
/** Maximum number of paused receivers that are listed. */
const MOST_RECEIVERS = 20;
/** The most paused receivers that are noted on every page. */
const MOST_NOTED_RECEIVERS = 2;
/** Limit of the counts of notices, which every page asks for. */
const MOST_NOTED = 1_000;
/** Age at which the last backup is overdue, as in the alert MsgdBackupMissed. */
const BACKUP_MS = 2 * 24 * 60 * 60_000;

export interface HealthOptions {
  readonly readiness: Readiness;
  readonly isDevelopment: boolean;
  readonly version: string | undefined;
  readonly engine: Views["HealthView"]["engine"];
  /** The time of the last backup, as in `/metrics`; undefined if msgd makes no backups. */
  readonly findLastBackup?: MetricsServices["findLastBackup"];
}

export function healthHandlers(
  { store, clock }: Pick<RouteServices<string>, "store" | "clock">,
  { readiness, isDevelopment, version, engine, findLastBackup }: HealthOptions,
): DashboardHandlers<"getHealth" | "listNotices"> {
  const floors = new QueueFloors(clock.elapsed);
  return {
    getHealth: {
      async answer({ tenantId, merchantId }) {
        if (merchantId !== null) {
          throw new Refusal(
            "merchant_scope_denied",
            "The health page covers the whole tenant, but you see only one merchant.",
          );
        }
        const obstacle = (await readiness.findObstacle()) ?? null;
        const note = (await readiness.findNote()) ?? null;
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
            ...{ isReady: obstacle === null, obstacle, note, version: version ?? null, engine },
            canBackUp: findLastBackup !== undefined,
            backedUpAt: viewTime((await findLastBackup?.(tx)) ?? null),
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
            installation: isDevelopment ? viewBacklog(await readBacklog(tx, clock.now(), scan)) : null,
          };
        });
      },
    },
    listNotices: {
      async answer({ tenantId, merchantId, role }) {
        // backlogs are those of all merchants, so only users of the whole tenant see them
        const seesTenant = merchantId === null;
        const isAgent = seesTenant && mayAs(role, "agent");
        return store.read(async (tx) => [
          ...(await listCarrierNotices(tx, tenantId, seesTenant)),
          ...(isAgent ? await listDoubts(tx, tenantId) : []),
          ...(isAgent && role === "admin" && !isDevelopment && findLastBackup !== undefined
            ? listOverdueBackup(await findLastBackup(tx), clock.now())
            : []),
        ]);
      },
    },
  };
}

type Notice = Views["NoticeView"];

/** Carriers that cannot be reached, and channels whose messages wait because they have none. */
async function listCarrierNotices(tx: Transaction, tenantId: number, seesTenant: boolean): Promise<Notice[]> {
  const down = (await listCarriersOf(tx, tenantId)).filter(({ downSince }) => downSince !== null);
  const backlogs = seesTenant && down.length > 0 ? await listCarriersWithBacklogs(tx, tenantId, MOST_COUNTED) : [];
  const uncarried = seesTenant ? await listUncarried(tx, tenantId) : [];
  return [
    ...down.map(({ name, downSince }) => ({
      kind: "CARRIER_DOWN" as const,
      ...{
        name,
        since: viewTime(downSince),
        count: viewWaiting(backlogs.find(({ carrier }) => carrier.name === name)),
      },
    })),
    ...uncarried.map(({ channel, since, waiting }) => ({
      kind: "NO_CARRIER" as const,
      ...{ name: channel, since, count: waiting },
    })),
  ];
}

function viewWaiting(found: CarrierWithBacklog | undefined): Views["BoundedCount"] | null {
  return found === undefined ? null : toCount(found.backlog.waiting);
}

/** Messages that a carrier may or may not have accepted, and receivers that do not answer. */
async function listDoubts(tx: Transaction, tenantId: number): Promise<Notice[]> {
  const { inDoubt, isMore } = await countTenantDispatches(tx, tenantId, MOST_NOTED);
  const asked = { tenantId, examined: MOST_NOTED, limit: MOST_NOTED_RECEIVERS };
  const resting = await listRestingReceivers(tx, asked);
  return [
    ...(inDoubt === 0
      ? []
      : [{ kind: "IN_DOUBT" as const, name: null, since: null, count: { count: inDoubt, isMore } }]),
    ...resting.map(({ receiver, dueAt }) => ({
      kind: "RECEIVER_SILENT" as const,
      ...{ name: receiver, since: viewTime(dueAt), count: null },
    })),
  ];
}

function listOverdueBackup(backedUpAt: number | null | undefined, now: number): Notice[] {
  if (backedUpAt !== undefined && backedUpAt !== null && now - backedUpAt <= BACKUP_MS) return [];
  return [{ kind: "BACKUP_OVERDUE", name: null, since: viewTime(backedUpAt ?? null), count: null }];
}

export async function listUncarried(tx: Transaction, tenantId: number): Promise<Views["UncarriedChannel"][]> {
  const found: Views["UncarriedChannel"][] = [];
  for (const channel of CHANNEL_VALUES) {
    const { waiting, oldestAt } = await countUncarried(tx, tenantId, channel);
    if (waiting > 0) found.push({ channel, waiting: toCount(waiting), since: viewTime(oldestAt) });
  }
  return found;
}

function viewBacklog({
  waiting,
  oldestDueAt,
  inDoubt,
  unknown,
  jobsDue,
  callbacksPending,
  carriers,
}: Backlog): Views["InstallationHealth"] {
  const inAll = carriers.reduce((sum, carrier) => sum + carrier.waiting, waiting);
  const oldestAt = carriers.reduce((oldest, carrier) => earlier(oldest, carrier.oldestAt), oldestDueAt);
  return {
    waiting: { count: inAll, isMore: [waiting, ...carriers.map((carrier) => carrier.waiting)].includes(MOST_COUNTED) },
    waitingSince: viewTime(oldestAt),
    inDoubt: toCount(inDoubt),
    unknown: toCount(unknown),
    jobsDue: toCount(jobsDue),
    callbacksPending: toCount(callbacksPending),
  };
}

/** Returns the earlier of two times; null if both are null. */
function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other);
}

/** Converts a count that stops at `MOST_COUNTED`. */
export function toCount(count: number): Views["BoundedCount"] {
  return { count, isMore: count === MOST_COUNTED };
}
