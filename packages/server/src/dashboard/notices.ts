// Lists current faults for the banner on every page.

import type { Views } from "@msgctl/dashboard/api";
import { viewTime } from "../domain/calendar.ts";
import { listRestingReceivers } from "../domain/callbacks/rows.ts";
import { listCarriers } from "../domain/carriers/rows.ts";
import { countInDoubt, countTenantDispatches, MOST_COUNTED } from "../domain/reports/backlog-rows.ts";
import {
  type CarrierWithBacklog,
  listCarriersOf,
  listCarriersWithBacklogs,
} from "../domain/reports/tenant-carriers.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import { mayAs } from "../domain/users/rules.ts";
import type { RouteServices } from "../http/routes.ts";
import type { Transaction } from "../store/store.ts";
import { listUncarried, toCount } from "./backlog-views.ts";
import type { DashboardHandlers } from "./dashboard-api.ts";
import type { HealthOptions } from "./health-operations.ts";

/** The most paused receivers that are noted on every page. */
const MOST_NOTED_RECEIVERS = 2;
/** The most carriers of all tenants that are noted on every page. */
const MOST_NOTED_CARRIERS = 10;
/** Limit of the counts of notices, which every page asks for. */
const MOST_NOTED = 1_000;
/** Age at which the last backup is overdue, as in the alert MsgdBackupMissed. */
const BACKUP_MS = 2 * 24 * 60 * 60_000;

export function noticeHandlers(
  { store, clock }: Pick<RouteServices<string>, "store" | "clock">,
  { isDevelopment, findLastBackup }: Pick<HealthOptions, "isDevelopment" | "findLastBackup">,
): DashboardHandlers<"listNotices"> {
  const listOverdue = async (tx: Transaction) =>
    findLastBackup === undefined || isDevelopment ? [] : listOverdueBackup(await findLastBackup(tx), clock.now());
  return {
    listNotices: {
      answer: ({ tenantId, merchantId, role }) =>
        store.read(async (tx) => {
          if (role === "operator") return [...(await listInstallationNotices(tx)), ...(await listOverdue(tx))];
          // backlogs are those of all merchants, so only users of the whole tenant see them
          const seesTenant = merchantId === null;
          const isAgent = seesTenant && mayAs(role, "agent");
          return [
            ...(await listCarrierNotices(tx, tenantId, seesTenant)),
            ...(isAgent ? await listDoubts(tx, tenantId) : []),
            ...(isAgent && role === "admin" ? await listOverdue(tx) : []),
          ];
        }),
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
    ...uncarried.map(toNotice),
  ];
}

function viewWaiting(found: CarrierWithBacklog | undefined): Views["BoundedCount"] | null {
  return found === undefined ? null : toCount(found.backlog.waiting);
}

function toNotice({ channel, since, waiting }: Views["UncarriedChannel"]): Notice {
  return { kind: "NO_CARRIER", name: channel, since, count: waiting };
}

/** Faults of all tenants together: unreachable carriers, channels without a carrier, and messages in doubt. */
async function listInstallationNotices(tx: Transaction): Promise<Notice[]> {
  const down = (await listCarriers(tx)).filter(({ removedAt, downSince }) => removedAt === null && downSince !== null);
  const uncarried = await listUncarried(tx, EVERY_TENANT);
  const inDoubt = await countInDoubt(tx, MOST_NOTED);
  return [
    ...down.slice(0, MOST_NOTED_CARRIERS).map(({ name, downSince }) => ({
      ...{ kind: "CARRIER_DOWN" as const, name, since: viewTime(downSince), count: null },
    })),
    ...uncarried.map(toNotice),
    ...listInDoubt(inDoubt, inDoubt === MOST_NOTED),
  ];
}

/** Messages that a carrier may or may not have accepted, and receivers that do not answer. */
async function listDoubts(tx: Transaction, tenantId: number): Promise<Notice[]> {
  const { inDoubt, isMore } = await countTenantDispatches(tx, tenantId, MOST_NOTED);
  const asked = { tenantId, examined: MOST_NOTED, limit: MOST_NOTED_RECEIVERS };
  const resting = await listRestingReceivers(tx, asked);
  return [
    ...listInDoubt(inDoubt, isMore),
    ...resting.map(({ receiver, dueAt }) => ({
      kind: "RECEIVER_SILENT" as const,
      ...{ name: receiver, since: viewTime(dueAt), count: null },
    })),
  ];
}

function listInDoubt(count: number, isMore: boolean): Notice[] {
  return count === 0 ? [] : [{ kind: "IN_DOUBT", name: null, since: null, count: { count, isMore } }];
}

function listOverdueBackup(backedUpAt: number | null | undefined, now: number): Notice[] {
  if (backedUpAt !== undefined && backedUpAt !== null && now - backedUpAt <= BACKUP_MS) return [];
  return [{ kind: "BACKUP_OVERDUE", name: null, since: viewTime(backedUpAt ?? null), count: null }];
}
