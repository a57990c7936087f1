// Claims from the line of a carrier: classes by their weights, tenants of a class in turns, and no more than its rates allow.

import type { CarrierRates } from "../../rules/carrier-settings.ts";
import { ClassTurns, classes, type WaitingClass } from "../../rules/class-turns.ts";
import { collectChanges, concludeChanges } from "../../steps/call-progress.ts";
import { holdWaiting, listTenantsInLine, listWaiting, type Waiting } from "../../store/carrier-lines.ts";
import { type Allowance, findAllowance, type Rate, useAllowance } from "../../store/carrier-rates.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import type { Transaction } from "../../store/store.ts";
import type { Provider } from "../providers/provider.ts";
import { beginAt, type ClaimContext, type MessageClaim, type Task } from "./claim.ts";

/** Tenants of a class that one claim looks at. */
const TENANTS_A_CLAIM = 16;
const BEFORE_ALL = -1;

/** A line, and whose turn it is in it. */
export class Line {
  readonly carrier: Provider;
  readonly rates: CarrierRates;
  readonly #turns = new ClassTurns();
  /** The tenant that had the last turn of each class. */
  readonly #last = new Map<number, number>();

  constructor(carrier: Provider, rates: CarrierRates) {
    this.carrier = carrier;
    this.rates = rates;
  }

  /** Leases up to `limit` messages, to be submitted. */
  async claim(context: ClaimContext, limit: number): Promise<MessageClaim> {
    const { tx, now } = context;
    const { name } = this.carrier;
    const allowance = await this.#findAllowance(tx, now);
    const room = Math.min(limit, allowance?.count ?? limit);
    if (room === 0)
      return { tasks: [], looked: 0, isMoreDue: false, oldestDueAt: undefined, nextDueAt: allowance?.nextAt };
    const { chosen, isMore, nextAt } = await this.#choose(tx, now, room);
    const byId = new Map((await holdWaiting(tx, name, chosen)).map((row) => [row.messageId, row]));
    const rows = chosen.flatMap((messageId) => byId.get(messageId) ?? []);
    const tasks = await this.#begin(context, rows);
    await this.#use(tx, rows, now);
    const oldestDueAt = rows.length === 0 ? undefined : Math.min(...rows.map(({ createdAt }) => createdAt));
    return { tasks, looked: rows.length, isMoreDue: isMore && rows.length > 0, oldestDueAt, nextDueAt: nextAt };
  }

  async #begin(context: ClaimContext, rows: readonly OutboxRow[]): Promise<Task[]> {
    const claiming = { ...context, changes: collectChanges(), gaps: new Map<string, boolean>() };
    const begun = await Promise.allSettled(rows.map((row) => beginAt(claiming, row, this.carrier)));
    await concludeChanges(claiming);
    return begun.flatMap((end) => {
      if (end.status === "rejected") throw end.reason;
      return end.value ?? [];
    });
  }

  #rateOf(tenantId: number): Rate | undefined {
    const { perSecondOfTenant: perSecond } = this.rates;
    return perSecond === undefined ? undefined : { subject: `${this.carrier.name} ${tenantId}`, perSecond };
  }

  get #rate(): Rate | undefined {
    const { perSecond } = this.rates;
    return perSecond === undefined ? undefined : { subject: this.carrier.name, perSecond };
  }

  async #findAllowance(tx: Transaction, now: number): Promise<Allowance | undefined> {
    return this.#rate && findAllowance(tx, this.#rate, now);
  }

  async #use(tx: Transaction, rows: readonly OutboxRow[], now: number): Promise<void> {
    if (rows.length === 0) return;
    if (this.#rate !== undefined) await useAllowance(tx, this.#rate, { count: rows.length, now });
    for (const [tenantId, count] of countBy(rows)) {
      const rate = this.#rateOf(tenantId);
      if (rate !== undefined) await useAllowance(tx, rate, { count, now });
    }
  }

  /** Whose turns the next `room` are, in their order. */
  async #choose(tx: Transaction, now: number, room: number): Promise<Choice> {
    const queues = await Promise.all(classes.map((place) => this.#look(tx, { class: place, now, room })));
    const nextAts = queues.flatMap(({ nextAt }) => nextAt ?? []);
    const chosen: string[] = [];
    while (chosen.length < room) {
      const waiting = queues.filter((queue) => queue.tenants.length > 0).map((queue) => toWaiting(queue, now));
      const place = this.#turns.next(waiting);
      const queue = queues.find((found) => found.class === place);
      const tenant = queue?.tenants.shift();
      const first = tenant?.messages.shift();
      if (queue === undefined || tenant === undefined || first === undefined) break;
      chosen.push(first.messageId);
      this.#last.set(queue.class, tenant.tenantId);
      if (tenant.messages.length > 0) queue.tenants.push(tenant);
    }
    const isMore = queues.some((queue) => queue.tenants.length > 0 || queue.isMore);
    return { chosen, isMore, nextAt: nextAts.length === 0 ? undefined : Math.min(...nextAts) };
  }

  async #look(
    tx: Transaction,
    { class: place, now, room }: { class: number; now: number; room: number },
  ): Promise<Queue> {
    const key = { carrier: this.carrier.name, class: place };
    const after = this.#last.get(place) ?? BEFORE_ALL;
    const next = await listTenantsInLine(tx, { ...key, after, limit: TENANTS_A_CLAIM });
    // round to the first
    const left = TENANTS_A_CLAIM - next.length;
    const first =
      left > 0 && after > BEFORE_ALL ? await listTenantsInLine(tx, { ...key, after: BEFORE_ALL, limit: left }) : [];
    const tenantIds = [...new Set([...next, ...first])];
    const each = Math.ceil(room / Math.max(tenantIds.length, 1));
    const queue: Queue = { class: place, tenants: [], isMore: left <= 0, nextAt: undefined };
    for (const tenantId of tenantIds) {
      const rate = this.#rateOf(tenantId);
      const allowance = rate && (await findAllowance(tx, rate, now));
      if (allowance?.count === 0) {
        queue.nextAt = Math.min(queue.nextAt ?? Number.POSITIVE_INFINITY, allowance.nextAt);
        continue;
      }
      const limit = Math.min(each, allowance?.count ?? each);
      const messages = await listWaiting(tx, { ...key, tenantId, limit });
      if (messages.length === limit) queue.isMore = true;
      if (messages.length > 0) queue.tenants.push({ tenantId, messages });
    }
    return queue;
  }
}

interface Choice {
  readonly chosen: readonly string[];
  /** Whether more may wait that may be given now. */
  readonly isMore: boolean;
  /** When a tenant whose rate is used up may be given more. */
  readonly nextAt: number | undefined;
}

/** What a claim sees of a class. */
interface Queue {
  readonly class: number;
  /** In the order of their turns. */
  readonly tenants: { tenantId: number; messages: Waiting[] }[];
  isMore: boolean;
  nextAt: number | undefined;
}

function toWaiting({ class: place, tenants }: Queue, now: number): WaitingClass {
  const firsts = tenants.flatMap(({ messages: [first] }) => first?.acceptedAt ?? []);
  return { class: place, waitedMs: now - Math.min(...firsts) };
}

function countBy(rows: readonly OutboxRow[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { tenantId } of rows) counts.set(tenantId, (counts.get(tenantId) ?? 0) + 1);
  return counts;
}
