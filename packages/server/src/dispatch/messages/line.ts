// Claims from the line of a carrier: classes by their weights, tenants of a class in turns, and no more than its rates allow.

import type { CarrierRates } from "../../rules/carrier-settings.ts";
import { ClassTurns, messageClasses, type WaitingClass } from "../../rules/class-turns.ts";
import { holdWaiting, listTenantsInLine, listWaiting, type Waiting } from "../../store/carrier-lines.ts";
import { type Allowance, findAllowances, type Rate, useAllowances } from "../../store/carrier-rates.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import type { Transaction } from "../../store/store.ts";
import type { Provider } from "../providers/provider.ts";
import {
  beginAt,
  beginClaiming,
  type ClaimContext,
  concludeClaiming,
  countLight,
  type DueLook,
  type LeftToOthers,
  type MessageClaim,
  type Task,
} from "./claim.ts";

/** Tenants of a class that one claim looks at. */
const TENANTS_A_CLAIM = 16;
/** Precedes every tenant. */
const BEFORE_ALL = -1;

/** A line, and whose turn it is in it. */
export class Line {
  readonly carrier: Provider;
  readonly #rates: CarrierRates;
  readonly #turns = new ClassTurns();
  /** The tenant that had the last turn of each class. */
  readonly #lastTenants = new Map<number, number>();

  constructor(carrier: Provider, rates: CarrierRates) {
    this.carrier = carrier;
    this.#rates = rates;
  }

  /** Leases up to `limit` messages, to be submitted. */
  async claim(
    context: ClaimContext,
    { limit, noteLooked }: Pick<DueLook, "limit" | "noteLooked">,
  ): Promise<MessageClaim> {
    const { tx, now } = context;
    const { chosen, isMore, nextAt } = await this.#choose(context, limit);
    const byId = new Map((await holdWaiting(tx, this.carrier.name, chosen)).map((row) => [row.messageId, row]));
    const found = chosen.flatMap((messageId) => byId.get(messageId) ?? []);
    const rows = found.slice(0, countLight(found));
    noteLooked?.(rows);
    const { tasks, left } = await this.#begin(context, rows);
    await this.#use(tx, rows, now);
    const oldestDueAt = rows.length === 0 ? undefined : Math.min(...rows.map(({ createdAt }) => createdAt));
    // what another instance holds may be free again soon
    const nextDueAt = chosen.length > 0 && rows.length === 0 ? now : nextAt;
    const isMoreDue = rows.length > 0 && (isMore || rows.length < found.length);
    return { tasks, looked: rows.length, isMoreDue, oldestDueAt, nextDueAt, ...left };
  }

  async #begin(context: ClaimContext, rows: readonly OutboxRow[]): Promise<{ tasks: Task[]; left: LeftToOthers }> {
    const claiming = beginClaiming(context);
    const tasks = await beginAt(claiming, rows, this.carrier);
    return { tasks, left: await concludeClaiming(claiming) };
  }

  /** Whose turns the next `limit` are, in their order. */
  async #choose({ tx, now, carriers }: ClaimContext, limit: number): Promise<Choice> {
    const seen = await Promise.all(
      Object.values(messageClasses).map((messageClass) => this.#findTenants(tx, messageClass, carriers)),
    );
    const left = await this.#findLeft(tx, now, seen);
    const room = Math.min(limit, left.ofCarrier?.count ?? limit);
    if (room === 0) return { chosen: [], isMore: false, nextAt: left.ofCarrier?.nextAt };
    const queues = await Promise.all(seen.map((one) => this.#look(tx, one, { room, left })));
    const chosen: string[] = [];
    let roomOfOthers = room - (this.carrier.reserved ?? 0);
    while (chosen.length < room) {
      const waiting = queues.filter(({ messageClass, tenants }) => {
        return tenants.length > 0 && (messageClass === messageClasses.OTP || roomOfOthers > 0);
      });
      const messageClass = this.#turns.next(waiting.map((queue) => toWaiting(queue, now)));
      const queue = waiting.find((found) => found.messageClass === messageClass);
      if (queue === undefined) break;
      const messageId = this.#takeTurn(queue, left);
      if (messageId === undefined) continue;
      chosen.push(messageId);
      if (messageClass !== messageClasses.OTP) roomOfOthers -= 1;
    }
    const isMore = queues.some((queue) => queue.tenants.length > 0 || queue.isMore);
    return { chosen, isMore, nextAt: findNext(left) };
  }

  /** Takes the next message of the tenant whose turn it is; undefined if its rate allows no more. */
  #takeTurn(queue: Queue, left: Left): string | undefined {
    const tenant = queue.tenants.shift();
    const allowance = tenant && left.ofTenants.get(tenant.tenantId);
    if (tenant === undefined || allowance?.count === 0) return undefined;
    const [first, ...others] = tenant.messages;
    if (allowance !== undefined) left.ofTenants.set(tenant.tenantId, { ...allowance, count: allowance.count - 1 });
    this.#lastTenants.set(queue.messageClass, tenant.tenantId);
    if (others.length > 0) queue.tenants.push({ ...tenant, messages: others });
    return first?.messageId;
  }

  /** The tenants that wait in a class, from the one after the last turn on, once round. */
  async #findTenants(tx: Transaction, messageClass: number, carriers: ClaimContext["carriers"]): Promise<Seen> {
    const isSkipped = (tenantId: number) => carriers.isDisabled(tenantId);
    const line = { carrier: this.carrier.name, messageClass, isSkipped };
    const list = (after: number, limit: number) => listTenantsInLine(tx, { ...line, after, limit });
    const last = this.#lastTenants.get(messageClass) ?? BEFORE_ALL;
    const behind = await list(last, TENANTS_A_CLAIM);
    const room = TENANTS_A_CLAIM - behind.length;
    const isAtFirst = room === 0 || last === BEFORE_ALL;
    const before = isAtFirst ? [] : await list(BEFORE_ALL, room);
    return { messageClass, tenantIds: [...new Set([...behind, ...before])], isMore: room === 0 };
  }

  async #look(tx: Transaction, seen: Seen, { room, left }: { room: number; left: Left }): Promise<Queue> {
    const { messageClass, tenantIds } = seen;
    const each = Math.ceil(room / Math.max(tenantIds.length, 1));
    const queue: Queue = { messageClass, tenants: [], isMore: seen.isMore };
    for (const tenantId of tenantIds) {
      const limit = Math.min(each, left.ofTenants.get(tenantId)?.count ?? each);
      if (limit === 0) continue;
      const place = { carrier: this.carrier.name, messageClass, tenantId };
      const messages = await listWaiting(tx, { ...place, limit });
      if (messages.length === limit) queue.isMore = true;
      if (messages.length > 0) queue.tenants.push({ tenantId, messages });
    }
    return queue;
  }

  get #rate(): Rate | undefined {
    const { perSecond } = this.#rates;
    return perSecond === undefined ? undefined : { subject: this.carrier.name, perSecond };
  }

  #rateOf(tenantId: number): Rate | undefined {
    const { perSecondOfTenant: perSecond } = this.#rates;
    return perSecond === undefined ? undefined : { subject: `${this.carrier.name} ${tenantId}`, perSecond };
  }

  async #findLeft(tx: Transaction, now: number, seen: readonly Seen[]): Promise<Left> {
    const tenantIds = [...new Set(seen.flatMap((one) => one.tenantIds))];
    const ofCarrier = this.#rate;
    const limited = tenantIds.flatMap((tenantId) => {
      const rate = this.#rateOf(tenantId);
      return rate === undefined ? [] : [{ tenantId, rate }];
    });
    const rates = [...(ofCarrier === undefined ? [] : [ofCarrier]), ...limited.map(({ rate }) => rate)];
    const allowances = await findAllowances(tx, rates, now);
    const first = ofCarrier === undefined ? undefined : allowances.shift();
    const pairs = limited.flatMap(({ tenantId }, index) => {
      const allowance = allowances[index];
      return allowance === undefined ? [] : [[tenantId, allowance] as const];
    });
    return { ofCarrier: first, ofTenants: new Map(pairs) };
  }

  async #use(tx: Transaction, rows: readonly OutboxRow[], now: number): Promise<void> {
    const used = Array.from(countByTenant(rows), ([tenantId, count]) => ({ rate: this.#rateOf(tenantId), count }));
    if (rows.length > 0) used.push({ rate: this.#rate, count: rows.length });
    const limited = used.flatMap(({ rate, count }) => (rate === undefined ? [] : [{ rate, count }]));
    await useAllowances(tx, limited, now);
  }
}

interface Choice {
  readonly chosen: readonly string[];
  /** Whether more may wait that may be given now. */
  readonly isMore: boolean;
  /** When more may be given of what a rate holds back. */
  readonly nextAt: number | undefined;
}

/** What rates allow; a tenant without one is not among them. */
interface Left {
  readonly ofCarrier: Allowance | undefined;
  readonly ofTenants: Map<number, Allowance>;
}

interface Seen {
  readonly messageClass: number;
  /** In the order of their turns. */
  readonly tenantIds: readonly number[];
  readonly isMore: boolean;
}

/** What a claim sees of a class. */
interface Queue {
  readonly messageClass: number;
  /** In the order of their turns. */
  readonly tenants: { readonly tenantId: number; readonly messages: readonly Waiting[] }[];
  isMore: boolean;
}

function toWaiting({ messageClass, tenants }: Queue, now: number): WaitingClass {
  const firsts = tenants.flatMap(({ messages: [first] }) => first?.acceptedAt ?? []);
  return { messageClass, waitedMs: now - Math.min(...firsts) };
}

function findNext({ ofTenants }: Left): number | undefined {
  const nextAts = Array.from(ofTenants.values()).flatMap(({ count, nextAt }) => (count === 0 ? nextAt : []));
  return nextAts.length === 0 ? undefined : Math.min(...nextAts);
}

function countByTenant(rows: readonly OutboxRow[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { tenantId } of rows) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  return counts;
}
