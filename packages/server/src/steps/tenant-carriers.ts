// The carriers that a tenant's messages are given to, and whether those can be reached: for whoever looks at its messages.

import { type CarrierRow, EVERY_TENANT, listCarriers } from "../store/carriers.ts";
import type { Transaction } from "../store/store.ts";
import { listTenantLines, type TenantLine } from "../store/tenant-dispatches.ts";
import { findTenant } from "../store/tenants.ts";

export interface TenantCarrier {
  readonly carrier: CarrierRow;
  /** The tenant's messages in the carrier's line. */
  readonly line: Omit<TenantLine, "carrier">;
}

/** Lists the tenant's carriers by channel, the first before the second. A test tenant has none: it is simulated. */
export async function listCarriersOf(tx: Transaction, tenantId: number): Promise<CarrierRow[]> {
  if ((await findTenant(tx, tenantId))?.mode !== "live") return [];
  const inUse = (await listCarriers(tx)).filter(({ removedAt }) => removedAt === null);
  const own = inUse.filter((carrier) => carrier.tenantId === tenantId);
  // with a carrier of its own for a channel a tenant has no part in the common ones
  const common = inUse.filter(
    ({ tenantId: owner, channel }) => owner === EVERY_TENANT && own.every((carrier) => carrier.channel !== channel),
  );
  return [...own, ...common];
}

/** The same, with what waits for each among the first `most` of the tenant's messages. */
export async function listCarriersWithLines(tx: Transaction, tenantId: number, most: number): Promise<TenantCarrier[]> {
  const carriers = await listCarriersOf(tx, tenantId);
  if (carriers.length === 0) return [];
  const lines = new Map((await listTenantLines(tx, tenantId, most)).map((line) => [line.carrier, line]));
  return carriers.map((carrier) => ({ carrier, line: lines.get(carrier.name) ?? { waiting: 0, since: null } }));
}

/** A carrier that cannot be reached. */
export interface DownCarrier {
  readonly name: string;
  /** In epoch milliseconds. */
  readonly since: number;
  /** Words that a server was told when it tried last. */
  readonly words: string;
}

/** The first carrier of a channel, where neither it nor a second one can be reached. */
export async function findDownCarrier(
  tx: Transaction,
  { tenantId, channel }: Pick<CarrierRow, "tenantId" | "channel">,
): Promise<DownCarrier | undefined> {
  const carriers = (await listCarriersOf(tx, tenantId)).filter((carrier) => carrier.channel === channel);
  const [first] = carriers;
  if (first === undefined || carriers.some(({ downSince }) => downSince === null)) return undefined;
  return { name: first.name, since: first.downSince ?? 0, words: first.downWords ?? "" };
}
