// Reports a tenant's carriers, whether they can be reached, and the messages that wait because a carrier is missing.

import { CHANNEL_VALUES } from "@msgctl/contract/constants";
import type { Transaction } from "../../store/store.ts";
import type { BeginCalls } from "../calls/progress.ts";
import { countQueuedCalls, listTenantsOfWaitingCalls, listWaitingJobs } from "../calls/rows.ts";
import { type CarrierRow, listCarriers } from "../carriers/rows.ts";
import { SIMULATED } from "../carriers/rules.ts";
import type { Channel } from "../contacts.ts";
import { countUncarriedMessages, listUncarriedTenants, queueWithoutCarrier } from "../messages/carrier-queue-rows.ts";
import { EVERY_TENANT, findTenant, type TenantRow } from "../tenancy/rows.ts";
import { listTenantBacklogs, MOST_COUNTED, readQueueBacklog, type TenantBacklog } from "./backlog-rows.ts";

/** Lists the tenant's carriers by channel, the first before the second. A test tenant has none: its sends are simulated. */
export async function listCarriersOf(tx: Transaction, tenantId: number): Promise<CarrierRow[]> {
  if ((await findTenant(tx, tenantId))?.mode !== "live") return [];
  const inUse = (await listCarriers(tx)).filter(({ removedAt }) => removedAt === null);
  const own = inUse.filter((carrier) => carrier.tenantId === tenantId);
  // if the tenant has its own carrier for a channel, it does not use the common carriers of that channel
  const common = inUse.filter(
    ({ tenantId: owner, channel }) => owner === EVERY_TENANT && own.every((carrier) => carrier.channel !== channel),
  );
  return [...own, ...common];
}

export interface CarrierWithBacklog {
  readonly carrier: CarrierRow;
  readonly backlog: Omit<TenantBacklog, "carrier">;
}

/**
 * Lists the tenant's carriers with the backlog in each one's queue. Counts only the tenant's first `most` messages.
 */
export async function listCarriersWithBacklogs(
  tx: Transaction,
  tenantId: number,
  most: number,
): Promise<CarrierWithBacklog[]> {
  const carriers = await listCarriersOf(tx, tenantId);
  if (carriers.length === 0) return [];
  const backlogs = new Map((await listTenantBacklogs(tx, tenantId, most)).map((backlog) => [backlog.carrier, backlog]));
  return carriers.map((carrier) => ({ carrier, backlog: backlogs.get(carrier.name) ?? { waiting: 0, since: null } }));
}

/** A carrier that cannot be reached. */
export interface DownCarrier {
  readonly name: string;
  /** Start of the outage, in epoch milliseconds. */
  readonly since: number;
  /** The error of the last attempt, from the carrier or the failed connection. */
  readonly words: string;
}

/** Finds the first carrier of a channel if neither it nor any second one can be reached. */
export async function findDownCarrier(
  tx: Transaction,
  { tenantId, channel }: Pick<CarrierRow, "tenantId" | "channel">,
): Promise<DownCarrier | undefined> {
  const carriers = (await listCarriersOf(tx, tenantId)).filter((carrier) => carrier.channel === channel);
  const [first] = carriers;
  if (first === undefined || carriers.some(({ downSince }) => downSince === null)) return undefined;
  return { name: first.name, since: first.downSince ?? 0, words: first.downWords ?? "" };
}

/** Most batches whose calls are counted. */
const MOST_BATCHES = 1_000;

export interface Uncarried {
  /** Messages, and calls that have no message yet. `MOST_COUNTED` means that many or more. */
  readonly waiting: number;
  /** When the oldest of these was accepted, in epoch milliseconds; null if nothing waits. */
  readonly oldestAt: number | null;
}

export const noneWaiting: Uncarried = { waiting: 0, oldestAt: null };

/** Counts a channel's messages and calls without a carrier, of one tenant or, with `EVERY_TENANT`, of all. */
export async function countUncarried(tx: Transaction, tenantId: number, channel: Channel): Promise<Uncarried> {
  const carrier = queueWithoutCarrier(channel);
  const messages =
    tenantId === EVERY_TENANT
      ? await readQueueBacklog(tx, carrier)
      : await countUncarriedMessages(tx, { carrier, tenantId, most: MOST_COUNTED });
  return channel === "VOICE" ? addUncarried(messages, await countCalls(tx, tenantId)) : messages;
}

async function countCalls(tx: Transaction, tenantId: number): Promise<Uncarried> {
  const owner = tenantId === EVERY_TENANT ? undefined : tenantId;
  const jobs = await listWaitingJobs(tx, owner, MOST_BATCHES);
  const batchIds = jobs.map(({ subject }) => (JSON.parse(subject) as BeginCalls).batchId);
  return countQueuedCalls(tx, [...new Set(batchIds)], MOST_COUNTED);
}

/** Counts messages and calls without a carrier, of all tenants and channels. */
export async function countAllUncarried(tx: Transaction): Promise<Uncarried> {
  let all = noneWaiting;
  for (const channel of CHANNEL_VALUES) all = addUncarried(all, await countUncarried(tx, EVERY_TENANT, channel));
  return all;
}

export function addUncarried(one: Uncarried, other: Uncarried): Uncarried {
  const moments = [one.oldestAt, other.oldestAt].filter((at) => at !== null);
  return {
    waiting: Math.min(one.waiting + other.waiting, MOST_COUNTED),
    oldestAt: moments.length === 0 ? null : Math.min(...moments),
  };
}

export interface TenantCarriage {
  /** The carrier's name by channel: `SIMULATED` for a test tenant, null if there is no carrier and messages wait. */
  readonly carriers: Readonly<Record<Channel, string | null>>;
  readonly uncarried: Uncarried;
}

/** Finds the carriers of each tenant, and counts messages that wait for a missing one. Not for servers in development. */
export async function findCarriage(
  tx: Transaction,
  tenants: readonly Pick<TenantRow, "tenantId" | "mode">[],
): Promise<TenantCarriage[]> {
  const inUse = (await listCarriers(tx)).filter(({ removedAt, isSecond }) => removedAt === null && isSecond === 0);
  const names = new Map(inUse.map(({ tenantId, channel, name }) => [`${tenantId} ${channel}`, name]));
  const nameOf = ({ tenantId, mode }: Pick<TenantRow, "tenantId" | "mode">, channel: Channel): string | null => {
    if (mode === "test") return SIMULATED;
    return names.get(`${tenantId} ${channel}`) ?? names.get(`${EVERY_TENANT} ${channel}`) ?? null;
  };
  const waiting = await listWaitingTenants(tx);
  const found: TenantCarriage[] = [];
  for (const tenant of tenants) {
    const { tenantId } = tenant;
    let uncarried = noneWaiting;
    for (const channel of CHANNEL_VALUES.filter((channel) => waiting[channel].has(tenantId))) {
      uncarried = addUncarried(uncarried, await countUncarried(tx, tenantId, channel));
    }
    const carriers = { SMS: nameOf(tenant, "SMS"), VOICE: nameOf(tenant, "VOICE"), EMAIL: nameOf(tenant, "EMAIL") };
    found.push({ carriers, uncarried });
  }
  return found;
}

/** Lists, by channel, the few tenants for which messages or calls wait. */
async function listWaitingTenants(tx: Transaction): Promise<Record<Channel, Set<number>>> {
  const limit = Number.MAX_SAFE_INTEGER;
  const list = async (channel: Channel) => {
    const tenants = await listUncarriedTenants(tx, { carrier: queueWithoutCarrier(channel), after: -1, limit });
    return tenants.map(({ tenantId }) => tenantId);
  };
  const callers = await listTenantsOfWaitingCalls(tx, { after: -1, limit });
  return {
    SMS: new Set(await list("SMS")),
    EMAIL: new Set(await list("EMAIL")),
    VOICE: new Set([...(await list("VOICE")), ...callers]),
  };
}
