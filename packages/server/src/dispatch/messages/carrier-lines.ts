// The lines of carriers that cannot have everything at once: a message waits in one, not leased yet, until its carrier has room.
// Each is claimed from by itself, so that a carrier that is slow, or cannot be reached, delays only those who wait for it.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CarrierRates } from "../../rules/carriers.ts";
import { ClassTurns, cleanWords, messageClasses, type WaitingClass } from "../../rules/messages.ts";
import {
  channelWithoutCarrier,
  holdWaiting,
  type Leaving,
  leaveLine,
  lineWithoutCarrier,
  listCarriersWithLines,
  listTenantsInLine,
  listUncarriedTenants,
  listWaiting,
  NO_CLASS,
  type TenantInLine,
  type Waiting,
} from "../../store/carrier-lines.ts";
import {
  type Allowance,
  EVERY_TENANT,
  findAllowances,
  type Rate,
  saveCarrierState,
  useAllowances,
} from "../../store/carriers.ts";
import type { Channel } from "../../store/merchants.ts";
import type { OutboxRow } from "../../store/outbox.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { type Carriers, LineGate, type LineKeeper } from "../carriers/carriers.ts";
import type { LeaseLoop } from "../lease-loop.ts";
import type { Provider } from "../providers/provider.ts";
import {
  type ClaimContext,
  clear,
  countLight,
  type DueLook,
  type MessageClaim,
  type NoteLooked,
  type Task,
  takeRows,
} from "./claim.ts";
import type { Pace } from "./pace.ts";

/** Bounds how long one claim holds up the store. */
const LARGEST_CLAIM = 32;
/** Messages that are taken out of a line at a time. */
const BITE_ROWS = 500;
/** Tenants in a line that are looked at at a time. */
const TENANTS_A_LOOK = 100;
/** Tenants of a class that one claim looks at. */
const TENANTS_A_CLAIM = 16;
/** Precedes every tenant. */
const BEFORE_ALL_TENANTS = -1;

/** A lane, as the dispatcher is asked to open it. */
export interface Lane {
  readonly pace: Pick<Pace, "restsUntil" | "beginClaim" | "endClaim">;
  /** How many more calls may begin, given the number in flight. */
  readonly countRoom: (underWay: number) => number;
  readonly claim: (token: string, limit: number, noteLooked: NoteLooked) => Promise<MessageClaim>;
  readonly onError: (error: unknown) => void;
  /** See `LeaseLoopOptions.leavesRoom`. */
  readonly leavesRoom?: boolean;
}

export interface CarrierLinesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly openLane: (lane: Lane) => LeaseLoop<Task>;
  /** Commits a claim. */
  readonly claim: (token: string, work: (context: ClaimContext) => Promise<MessageClaim>) => Promise<MessageClaim>;
  readonly carriers: Pick<Carriers, "of" | "carries" | "partnerOf" | "discards" | "noteMissing">;
  /** Called when messages that left a line are to be given to others. */
  readonly notifyOthers: () => void;
}

interface OpenLine {
  readonly carrier: Provider;
  readonly gate: LineGate;
  /** What people see; undefined before it is known, as the database may have it from a server that ended. */
  wasDown: boolean | undefined;
  readonly loop: LeaseLoop<Task>;
}

export class CarrierLines implements LineKeeper {
  readonly #options: CarrierLinesOptions;
  readonly #open = new Map<string, OpenLine>();
  readonly #closing = new Set<OpenLine>();
  readonly #givingAway = new Map<string, Promise<void>>();
  readonly #probing = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(options: CarrierLinesOptions) {
    this.#options = options;
  }

  get isClaiming(): boolean {
    return this.#givingAway.size > 0 || this.#loops.some(({ isClaiming }) => isClaiming);
  }

  open(carrier: Provider, rates: CarrierRates): void {
    const { clock, logger, openLane, claim } = this.#options;
    const gate = new LineGate(clock);
    const line = new CarrierLine(carrier, rates);
    const loop = openLane({
      pace: {
        get restsUntil() {
          return gate.restsUntil;
        },
        beginClaim: () => LARGEST_CLAIM,
        endClaim() {},
      },
      countRoom: (underWay) => countRoom(gate.limit(carrier.capacity?.() ?? 0), underWay),
      claim: async (token, limit, noteLooked) => {
        const claimed = await claim(token, (context) => line.claim(context, { limit, noteLooked }));
        if (claimed.looked === 0 && gate.isDown) this.#probe(carrier);
        return claimed;
      },
      leavesRoom: carrier.reserved !== undefined,
      onError: (error) =>
        logger.error({ err: error, carrier: carrier.name }, "a line could not be claimed from; it is tried again"),
    });
    this.#open.set(carrier.name, { carrier, gate, loop, wasDown: undefined });
    loop.start();
  }

  /** Claims no more from a line; what waits in it is given to others. */
  async close(name: string): Promise<void> {
    const line = this.#open.get(name);
    if (line === undefined) return;
    this.#open.delete(name);
    this.#closing.add(line);
    await line.loop.stop();
    await this.#empty({ carrier: name });
    await line.loop.finish();
    this.#closing.delete(line);
  }

  /** Signals that messages have entered lines. */
  wake(names: Iterable<string>): void {
    for (const name of names) this.#open.get(name)?.loop.notify();
  }

  /**
   * Empties the lines of carriers that are not there: removed while no server ran, or since another had a message enter. Messages
   * leave the line of the carrier of all tenants if their tenant has a carrier of its own.
   */
  async sweep(): Promise<void> {
    const names = await this.#options.store.read(listCarriersWithLines);
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

  /** Notes that a carrier answered or can have more, or with words that it could not be reached. */
  noteReach(name: string, unreached: string | undefined): void {
    const line = this.#open.get(name);
    if (line === undefined || this.#isStopped) return;
    const { gate, carrier, loop } = line;
    if (unreached === undefined) gate.noteReached(carrier.capacity?.() ?? 0);
    else gate.noteUnreached();
    const isChanged = line.wasDown !== gate.isDown;
    if (isChanged) this.#saveState(line, unreached === undefined ? undefined : cleanWords(unreached));
    line.wasDown = gate.isDown;
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

  /** Probes a carrier that cannot be reached, as no message waits that would find out. */
  #probe(carrier: Provider): void {
    const { name } = carrier;
    if (this.#probing.has(name)) return;
    const probed = findUnreached(carrier)
      .then((words) => this.noteReach(name, words))
      .then(() => void this.#probing.delete(name));
    this.#probing.set(name, probed);
  }

  /** Gives what waits for a carrier that cannot be reached to its partner, if that can be. Nothing of it has left. */
  #giveAwayWhereDown(name: string | undefined): void {
    const partner = name === undefined ? undefined : this.#options.carriers.partnerOf(name);
    if (name === undefined || partner === undefined || this.#givingAway.has(name)) return;
    if (!this.isDown(name) || this.isDown(partner) || !this.#open.has(partner)) return;
    const { logger } = this.#options;
    const given = this.#empty({ carrier: name }, () => this.isDown(name) && !this.isDown(partner) && !this.#isStopped)
      .catch((error: unknown) =>
        logger.error(
          { err: error, carrier: name },
          "what waits for a carrier was not given to the second; it is tried again",
        ),
      )
      .then(() => void this.#givingAway.delete(name));
    this.#givingAway.set(name, given);
  }

  /** Empties a line without a carrier for tenants that have one now, or whose messages are discarded. */
  async #giveToCarriers(channel: Channel): Promise<void> {
    const { store } = this.#options;
    const carrier = lineWithoutCarrier(channel);
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
        const line = { carrier, messageClass, after, limit: TENANTS_A_LOOK };
        const tenants = await store.read((tx) => listTenantsInLine(tx, line));
        for (const tenantId of tenants)
          if (!carriers.carries(carrier, tenantId))
            await this.#empty({ carrier, ofTenant: { tenantId, messageClass } });
        const last = tenants.at(-1);
        if (last === undefined) break;
        after = last;
      }
    }
  }

  async #isServed(tx: Transaction, { tenantId, oldestAt }: TenantInLine, channel: Channel): Promise<boolean> {
    const { carriers } = this.#options;
    if ((await carriers.of(tx, tenantId, channel)) !== undefined) return true;
    if (carriers.discards({ tenantId, channel, createdAt: oldestAt })) return true;
    carriers.noteMissing(tenantId, channel);
    return false;
  }

  async #empty(line: Leaving, mayGoOn: () => boolean = () => true): Promise<void> {
    const { store, clock, notifyOthers } = this.#options;
    while (mayGoOn()) {
      const left = await store.write((tx) => leaveLine(tx, { ...line, now: clock.now(), limit: BITE_ROWS }));
      if (left > 0) notifyOthers();
      // what others hold is left to the next sweep
      if (left === 0) return;
    }
  }

  /** Saves for people to see whether a carrier can be reached. Claims do not depend on it. */
  #saveState({ carrier: { name }, wasDown }: OpenLine, downWords: string | undefined): void {
    const { store, clock, logger } = this.#options;
    if (downWords === undefined && wasDown === true) logger.warn({ carrier: name }, "a carrier can be reached again");
    if (downWords !== undefined)
      logger.warn({ carrier: name, words: downWords }, "a carrier cannot be reached; its messages wait");
    store
      .write((tx) => saveCarrierState(tx, { name, downWords, now: clock.now() }))
      .catch((error: unknown) => logger.error({ err: error, carrier: name }, "the state of a carrier was not kept"));
  }
}

/** Returns in words why a carrier cannot be reached; undefined if it can. */
async function findUnreached({ probe, capacity }: Provider): Promise<string | undefined> {
  try {
    if (probe !== undefined) await probe();
    else if (capacity?.() === 0) return "it can be given nothing";
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** Waits for a quarter to be free: each claim costs as much, for one message as for many. */
function countRoom(limit: number, underWay: number): number {
  const free = limit - underWay;
  return free * 4 >= limit ? free : 0;
}

/** The line of one carrier: classes by their weights, tenants of a class in turns, and no more than its rates allow. */
class CarrierLine {
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
    const taken = await takeRows(context, rows, (claiming, row) => clear(claiming, row, this.carrier));
    await this.#use(tx, rows, now);
    const oldestDueAt = rows.length === 0 ? undefined : Math.min(...rows.map(({ createdAt }) => createdAt));
    // what another instance holds may be free again soon
    const nextDueAt = chosen.length > 0 && rows.length === 0 ? now : nextAt;
    const isMoreDue = rows.length > 0 && (isMore || rows.length < found.length);
    return { ...taken, isMoreDue, oldestDueAt, nextDueAt };
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
    const last = this.#lastTenants.get(messageClass) ?? BEFORE_ALL_TENANTS;
    const behind = await list(last, TENANTS_A_CLAIM);
    const room = TENANTS_A_CLAIM - behind.length;
    const isAtFirst = room === 0 || last === BEFORE_ALL_TENANTS;
    const before = isAtFirst ? [] : await list(BEFORE_ALL_TENANTS, room);
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
