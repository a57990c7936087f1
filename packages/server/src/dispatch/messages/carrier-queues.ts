// Queues of carriers with a limited capacity. A message waits in a queue, not leased yet, until its carrier has room.
// Each queue has its own lane, so that a slow or unreachable carrier delays no messages of other carriers.

import { CarrierGate, type Carriers, type QueueKeeper } from "../../carriers/carriers.ts";
import type { CarrierRates } from "../../carriers/kind.ts";
import type { Provider } from "../../carriers/provider.ts";
import {
  type Allowance,
  findAllowances,
  type Rate,
  saveCarrierState,
  useAllowances,
} from "../../domain/carriers/rows.ts";
import type { Channel } from "../../domain/contacts.ts";
import {
  channelWithoutCarrier,
  type Leaving,
  leaveQueue,
  listCarriersWithQueues,
  listTenantsInQueue,
  listUncarriedTenants,
  listWaiting,
  lockWaiting,
  NO_CLASS,
  queueWithoutCarrier,
  type TenantInQueue,
  type Waiting,
} from "../../domain/messages/carrier-queue-rows.ts";
import type { OutboxRow } from "../../domain/messages/outbox-rows.ts";
import { ClassRotation, cleanWords, messageClasses, type WaitingClass } from "../../domain/messages/rules.ts";
import { EVERY_TENANT } from "../../domain/tenancy/rows.ts";
import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { Store, Transaction, Work } from "../../store/store.ts";
import type { LeaseLoop } from "../lease-loop.ts";
import {
  type ClaimContext,
  clear,
  countLight,
  type DueClaimOptions,
  type MessageClaim,
  type NoteExamined,
  type Task,
  takeRows,
} from "./claim.ts";
import type { Pace } from "./pace.ts";

/** Maximum number of messages in a claim. Limits how long the claim blocks the store. */
const LARGEST_CLAIM = 32;
/** Maximum number of messages that one transaction removes from a queue. */
const BITE_ROWS = 500;
/** Maximum number of a queue's tenants that one transaction checks. */
const TENANTS_A_LOOK = 100;
/** Maximum number of a class's tenants that one claim checks. */
const TENANTS_A_CLAIM = 16;
/** Sorts before every tenant id. */
const BEFORE_ALL_TENANTS = -1;

/** Describes a lane, which the dispatcher opens. */
export interface Lane {
  readonly pace: Pick<Pace, "restsUntil" | "beginClaim" | "endClaim">;
  /** Returns how many more submissions may start, given the number in flight. */
  readonly countRoom: (underWay: number) => number;
  readonly claim: (token: string, limit: number, noteExamined: NoteExamined) => Promise<MessageClaim>;
  readonly onError: (error: unknown) => void;
  /** See `LeaseLoopOptions.leavesRoom`. */
  readonly leavesRoom?: boolean;
}

export interface CarrierQueuesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openLane: (lane: Lane) => LeaseLoop<Task>;
  /** Commits a claim. */
  readonly claim: (token: string, work: (context: ClaimContext) => Promise<MessageClaim>) => Promise<MessageClaim>;
  readonly carriers: Pick<Carriers, "of" | "carries" | "partnerOf" | "discards" | "noteMissing">;
  /** Called when messages have moved from a queue to other carriers. */
  readonly notifyOthers: () => void;
}

interface OpenQueue {
  readonly carrier: Provider;
  readonly gate: CarrierGate;
  /** Whether the carrier was saved as unreachable, for people to see. Undefined until this process has saved a state. */
  wasDown: boolean | undefined;
  readonly loop: LeaseLoop<Task>;
}

export class CarrierQueues implements QueueKeeper {
  readonly #options: CarrierQueuesOptions;
  readonly #open = new Map<string, OpenQueue>();
  readonly #closing = new Set<OpenQueue>();
  readonly #givingAway = new Map<string, Promise<void>>();
  readonly #probing = new Map<string, Promise<void>>();
  /** Number of writes in progress, for `isClaiming`. */
  #writes = 0;
  #isStopped = false;

  constructor(options: CarrierQueuesOptions) {
    this.#options = options;
  }

  get isClaiming(): boolean {
    return this.#writes > 0 || this.#loops.some(({ isClaiming }) => isClaiming);
  }

  open(carrier: Provider, rates: CarrierRates): void {
    const { clock, logger, openLane, claim } = this.#options;
    const gate = new CarrierGate(clock);
    const queue = new CarrierQueue(carrier, rates);
    const loop = openLane({
      pace: {
        get restsUntil() {
          return gate.restsUntil;
        },
        beginClaim: () => LARGEST_CLAIM,
        endClaim() {},
      },
      countRoom: (underWay) => countRoom(gate.limit(carrier.capacity?.() ?? 0), underWay),
      claim: async (token, limit, noteExamined) => {
        const claimed = await claim(token, (context) => queue.claim(context, { limit, noteExamined }));
        if (claimed.examined === 0 && gate.isDown) this.#probe(carrier);
        return claimed;
      },
      leavesRoom: carrier.reserved !== undefined,
      onError: (error) =>
        logger.error(
          { err: error, carrier: carrier.name },
          "failed to claim messages from a carrier's queue; retrying",
        ),
    });
    this.#open.set(carrier.name, { carrier, gate, loop, wasDown: undefined });
    loop.start();
  }

  async close(name: string): Promise<void> {
    const queue = this.#open.get(name);
    if (queue === undefined) return;
    this.#open.delete(name);
    this.#closing.add(queue);
    await queue.loop.stop();
    await this.#empty({ carrier: name });
    await queue.loop.finish();
    this.#closing.delete(queue);
  }

  wake(names: Iterable<string>): void {
    for (const name of names) this.#open.get(name)?.loop.notify();
  }

  async sweep(): Promise<void> {
    const names = await this.#options.store.read(listCarriersWithQueues);
    for (const name of names) {
      const channel = channelWithoutCarrier(name);
      if (channel !== undefined) await this.#giveToCarriers(channel);
      else if (!this.#open.has(name)) await this.#empty({ carrier: name });
      else {
        if (this.#options.carriers.carries(name, EVERY_TENANT)) await this.#giveToOwnCarriers(name);
        this.#giveAwayWhereDown(name);
      }
    }
  }

  isDown(name: string): boolean {
    return this.#open.get(name)?.gate.isDown === true;
  }

  noteReach(name: string, unreached: string | undefined): void {
    const queue = this.#open.get(name);
    if (queue === undefined || this.#isStopped) return;
    const { gate, carrier, loop } = queue;
    if (unreached === undefined) gate.noteReached(carrier.capacity?.() ?? 0);
    else gate.noteUnreached();
    const isChanged = queue.wasDown !== gate.isDown;
    if (isChanged) this.#saveState(queue, unreached === undefined ? undefined : cleanWords(unreached));
    queue.wasDown = gate.isDown;
    if (isChanged) for (const one of [name, this.#options.carriers.partnerOf(name)]) this.#giveAwayWhereDown(one);
    if (gate.restsUntil !== undefined) loop.notifyAt(gate.restsUntil);
    loop.notify();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    await Promise.all(this.#givingAway.values());
  }

  async finish(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.finish()));
  }

  get #loops(): LeaseLoop<Task>[] {
    return Array.from([...this.#open.values(), ...this.#closing], ({ loop }) => loop);
  }

  /** Probes an unreachable carrier. Called if no waiting message could be tried instead. */
  #probe(carrier: Provider): void {
    const { name } = carrier;
    if (this.#probing.has(name)) return;
    const probed = findUnreached(carrier)
      .then((words) => this.noteReach(name, words))
      .then(() => void this.#probing.delete(name));
    this.#probing.set(name, probed);
  }

  /**
   * Moves the messages of an unreachable carrier to its partner, unless the partner is unreachable too. None of these
   * messages has left yet.
   */
  #giveAwayWhereDown(name: string | undefined): void {
    const partner = name === undefined ? undefined : this.#options.carriers.partnerOf(name);
    if (name === undefined || partner === undefined || this.#givingAway.has(name)) return;
    if (!this.isDown(name) || this.isDown(partner) || !this.#open.has(partner)) return;
    const { logger } = this.#options;
    const given = this.#empty({ carrier: name }, () => this.isDown(name) && !this.isDown(partner) && !this.#isStopped)
      .catch((error: unknown) =>
        logger.error(
          { err: error, carrier: name },
          "failed to move a carrier's waiting messages to its partner; retrying",
        ),
      )
      .then(() => void this.#givingAway.delete(name));
    this.#givingAway.set(name, given);
  }

  /** Empties the queue of messages without a carrier, for tenants that have a carrier now or whose messages are discarded. */
  async #giveToCarriers(channel: Channel): Promise<void> {
    const { store } = this.#options;
    const carrier = queueWithoutCarrier(channel);
    for (let after = BEFORE_ALL_TENANTS; ; ) {
      const { last, served } = await store.read(async (tx) => {
        const tenants = await listUncarriedTenants(tx, { carrier, after, limit: TENANTS_A_LOOK });
        const found = await Promise.all(tenants.map((tenant) => this.#isServed(tx, tenant, channel)));
        return { last: tenants.at(-1), served: tenants.filter((_tenant, index) => found[index]) };
      });
      for (const { tenantId } of served) await this.#empty({ carrier, ofTenant: { tenantId, messageClass: NO_CLASS } });
      if (last === undefined) return;
      after = last.tenantId;
    }
  }

  async #giveToOwnCarriers(carrier: string): Promise<void> {
    const { store, carriers } = this.#options;
    for (const messageClass of Object.values(messageClasses)) {
      for (let after = BEFORE_ALL_TENANTS; ; ) {
        const request = { carrier, messageClass, after, limit: TENANTS_A_LOOK };
        const tenants = await store.read((tx) => listTenantsInQueue(tx, request));
        for (const tenantId of tenants)
          if (!carriers.carries(carrier, tenantId))
            await this.#empty({ carrier, ofTenant: { tenantId, messageClass } });
        const last = tenants.at(-1);
        if (last === undefined) break;
        after = last;
      }
    }
  }

  async #isServed(tx: Transaction, { tenantId, oldestAt }: TenantInQueue, channel: Channel): Promise<boolean> {
    const { carriers } = this.#options;
    if ((await carriers.of(tx, tenantId, channel)) !== undefined) return true;
    if (carriers.discards({ tenantId, channel, createdAt: oldestAt })) return true;
    carriers.noteMissing(tenantId, channel);
    return false;
  }

  async #empty(leaving: Leaving, mayGoOn: () => boolean = () => true): Promise<void> {
    const { store, clock, notifyOthers } = this.#options;
    while (mayGoOn()) {
      const leave: Work<number> = (tx) => leaveQueue(tx, { ...leaving, now: clock.now(), limit: BITE_ROWS });
      const left = await this.#count(store.write(leave));
      if (left > 0) notifyOthers();
      // rows locked by other transactions are left to the next sweep
      if (left === 0) return;
    }
  }

  /** Saves whether the carrier can be reached, for people to see. Claims do not depend on this state. */
  #saveState({ carrier: { name }, wasDown }: OpenQueue, downWords: string | undefined): void {
    const { store, clock, logger } = this.#options;
    if (downWords === undefined && wasDown === true) logger.warn({ carrier: name }, "a carrier can be reached again");
    if (downWords !== undefined)
      logger.warn({ carrier: name, words: downWords }, "a carrier cannot be reached; its messages wait");
    this.#count(store.write((tx) => saveCarrierState(tx, { name, downWords, now: clock.now() }))).catch(
      (error: unknown) => logger.error({ err: error, carrier: name }, "failed to save the state of a carrier"),
    );
  }

  /** Awaits a write and counts it in `isClaiming`. */
  async #count<T>(write: Promise<T>): Promise<T> {
    this.#writes += 1;
    try {
      return await write;
    } finally {
      this.#writes -= 1;
    }
  }
}

/** Explains why a carrier cannot be reached. Returns undefined if it can. */
async function findUnreached({ probe, capacity }: Provider): Promise<string | undefined> {
  try {
    if (probe !== undefined) await probe();
    else if (capacity?.() === 0) return "it has no capacity";
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Returns 0 until a quarter of the limit is free, because a claim costs as much for one message as for many. */
function countRoom(limit: number, underWay: number): number {
  const free = limit - underWay;
  return free * 4 >= limit ? free : 0;
}

/**
 * The queue of one carrier: weighted round-robin over classes, and round-robin over the tenants of a class, within the
 * carrier's rates.
 */
class CarrierQueue {
  readonly #carrier: Provider;
  readonly #rates: CarrierRates;
  readonly #rotation = new ClassRotation();
  /** The last tenant served in each class's round-robin. */
  readonly #lastTenants = new Map<number, number>();

  constructor(carrier: Provider, rates: CarrierRates) {
    this.#carrier = carrier;
    this.#rates = rates;
  }

  /** Leases up to `limit` messages for submission. */
  async claim(
    context: ClaimContext,
    { limit, noteExamined }: Pick<DueClaimOptions, "limit" | "noteExamined">,
  ): Promise<MessageClaim> {
    const { tx, now } = context;
    const { chosen, isMore, nextAt } = await this.#choose(context, limit);
    const byId = new Map((await lockWaiting(tx, this.#carrier.name, chosen)).map((row) => [row.messageId, row]));
    const found = chosen.flatMap((messageId) => byId.get(messageId) ?? []);
    const rows = found.slice(0, countLight(found));
    noteExamined?.(rows);
    const taken = await takeRows(context, rows, (claiming, row) => clear(claiming, row, this.#carrier));
    await this.#use(tx, rows, now);
    const oldestDueAt = rows.length === 0 ? undefined : Math.min(...rows.map(({ createdAt }) => createdAt));
    // rows locked by another instance may be free again soon
    const nextDueAt = chosen.length > 0 && rows.length === 0 ? now : nextAt;
    const isMoreDue = rows.length > 0 && (isMore || rows.length < found.length);
    return { ...taken, isMoreDue, oldestDueAt, nextDueAt };
  }

  /** Chooses the next `limit` messages, in round-robin order. */
  async #choose({ tx, now, carriers }: ClaimContext, limit: number): Promise<Choice> {
    const seen = await Promise.all(
      Object.values(messageClasses).map((messageClass) => this.#findTenants(tx, messageClass, carriers)),
    );
    const left = await this.#findLeft(tx, now, seen);
    const ofCarrier = left.get(this.#subjectOf());
    const room = Math.min(limit, ofCarrier?.count ?? limit);
    if (room === 0) return { chosen: [], isMore: false, nextAt: ofCarrier?.nextAt };
    const queues = await Promise.all(seen.map((one) => this.#readQueue(tx, one, { room, left })));
    const chosen: string[] = [];
    let roomOfOthers = room - (this.#carrier.reserved ?? 0);
    while (chosen.length < room) {
      const waiting = queues.filter(({ messageClass, tenants }) => {
        return tenants.length > 0 && (messageClass === messageClasses.OTP || roomOfOthers > 0);
      });
      const messageClass = this.#rotation.next(waiting.map((queue) => toWaiting(queue, now)));
      const queue = waiting.find((found) => found.messageClass === messageClass);
      if (queue === undefined) break;
      const messageId = this.#takeNext(queue, left);
      if (messageId === undefined) continue;
      chosen.push(messageId);
      if (messageClass !== messageClasses.OTP) roomOfOthers -= 1;
    }
    const isMore = queues.some((queue) => queue.tenants.length > 0 || queue.isMore);
    return { chosen, isMore, nextAt: findNext(left) };
  }

  /** Takes a message of the next tenant in the class. Returns undefined if that tenant's rate allows no more. */
  #takeNext(queue: ClassQueue, left: Left): string | undefined {
    const tenant = queue.tenants.shift();
    if (tenant === undefined) return undefined;
    const subject = this.#subjectOf(tenant.tenantId);
    const allowance = left.get(subject);
    if (allowance?.count === 0) return undefined;
    const [first, ...others] = tenant.messages;
    if (allowance !== undefined) left.set(subject, { ...allowance, count: allowance.count - 1 });
    this.#lastTenants.set(queue.messageClass, tenant.tenantId);
    if (others.length > 0) queue.tenants.push({ ...tenant, messages: others });
    return first?.messageId;
  }

  /** Lists the tenants with messages in a class, in round-robin order: the tenant after the last one served comes first. */
  async #findTenants(tx: Transaction, messageClass: number, carriers: ClaimContext["carriers"]): Promise<Seen> {
    const isSkipped = (tenantId: number) => carriers.isDisabled(tenantId);
    const request = { carrier: this.#carrier.name, messageClass, isSkipped };
    const list = (after: number, limit: number) => listTenantsInQueue(tx, { ...request, after, limit });
    const last = this.#lastTenants.get(messageClass) ?? BEFORE_ALL_TENANTS;
    const behind = await list(last, TENANTS_A_CLAIM);
    const room = TENANTS_A_CLAIM - behind.length;
    const isAtFirst = room === 0 || last === BEFORE_ALL_TENANTS;
    const before = isAtFirst ? [] : await list(BEFORE_ALL_TENANTS, room);
    return { messageClass, tenantIds: [...new Set([...behind, ...before])], isMore: room === 0 };
  }

  async #readQueue(tx: Transaction, seen: Seen, { room, left }: { room: number; left: Left }): Promise<ClassQueue> {
    const { messageClass, tenantIds } = seen;
    const each = Math.ceil(room / Math.max(tenantIds.length, 1));
    const queue: ClassQueue = { messageClass, tenants: [], isMore: seen.isMore };
    for (const tenantId of tenantIds) {
      const limit = Math.min(each, left.get(this.#subjectOf(tenantId))?.count ?? each);
      if (limit === 0) continue;
      const key = { carrier: this.#carrier.name, messageClass, tenantId };
      const messages = await listWaiting(tx, { ...key, limit });
      if (messages.length === limit) queue.isMore = true;
      if (messages.length > 0) queue.tenants.push({ tenantId, messages });
    }
    return queue;
  }

  /** Returns the key of a tenant's rate or, without a tenant, of the carrier's rate. */
  #subjectOf(tenantId?: number): string {
    return tenantId === undefined ? this.#carrier.name : `${this.#carrier.name} ${tenantId}`;
  }

  /** Returns the rate of a tenant or, without a tenant, of the carrier. The list is empty if no rate is set. */
  #rateOf(tenantId?: number): Rate[] {
    const perSecond = tenantId === undefined ? this.#rates.perSecond : this.#rates.perSecondOfTenant;
    return perSecond === undefined ? [] : [{ subject: this.#subjectOf(tenantId), perSecond }];
  }

  async #findLeft(tx: Transaction, now: number, seen: readonly Seen[]): Promise<Left> {
    const tenantIds = new Set(seen.flatMap((one) => one.tenantIds));
    const rates = [undefined, ...tenantIds].flatMap((tenantId) => this.#rateOf(tenantId));
    const allowances = await findAllowances(tx, rates, now);
    return new Map(rates.map(({ subject }, index) => [subject, allowances[index] as Allowance]));
  }

  async #use(tx: Transaction, rows: readonly OutboxRow[], now: number): Promise<void> {
    const counts = new Map<number | undefined, number>();
    for (const { tenantId } of rows) {
      for (const one of [tenantId, undefined]) counts.set(one, (counts.get(one) ?? 0) + 1);
    }
    const used = Array.from(counts).flatMap(([one, count]) => this.#rateOf(one).map((rate) => ({ rate, count })));
    await useAllowances(tx, used, now);
  }
}

interface Choice {
  readonly chosen: readonly string[];
  /** Whether the queue may have more messages that could be sent now. */
  readonly isMore: boolean;
  /** Time at which a rate allows more messages. */
  readonly nextAt: number | undefined;
}

/** Remaining allowances, by the keys of rates. */
type Left = Map<string, Allowance>;

interface Seen {
  readonly messageClass: number;
  /** The tenants, in round-robin order. */
  readonly tenantIds: readonly number[];
  readonly isMore: boolean;
}

/** The messages of a class from which one claim chooses. */
interface ClassQueue {
  readonly messageClass: number;
  /** The tenants, in round-robin order. */
  readonly tenants: { readonly tenantId: number; readonly messages: readonly Waiting[] }[];
  isMore: boolean;
}

function toWaiting({ messageClass, tenants }: ClassQueue, now: number): WaitingClass {
  const firsts = tenants.flatMap(({ messages: [first] }) => first?.acceptedAt ?? []);
  return { messageClass, waitedMs: now - Math.min(...firsts) };
}

function findNext(left: Left): number | undefined {
  const nextAts = Array.from(left.values()).flatMap(({ count, nextAt }) => (count === 0 ? nextAt : []));
  return nextAts.length === 0 ? undefined : Math.min(...nextAts);
}
