// The lines of carriers that cannot have everything at once: each is claimed from by itself, so that one that is slow, or
// cannot be reached, delays nobody but those who wait for it.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { Randomness } from "../../platform/randomness.ts";
import type { CarrierRates } from "../../rules/carrier-settings.ts";
import { messageClasses } from "../../rules/class-turns.ts";
import { cleanWords } from "../../rules/delivery.ts";
import {
  channelWithoutCarrier,
  type Leaving,
  leaveLine,
  lineWithoutCarrier,
  listCarriersWithLines,
  listTenantsInLine,
  listUncarriedTenants,
  NO_CLASS,
  type TenantInLine,
} from "../../store/carrier-lines.ts";
import { EVERY_TENANT, saveCarrierState } from "../../store/carriers.ts";
import type { Channel } from "../../store/merchants.ts";
import type { Store, Transaction } from "../../store/store.ts";
import type { Carriers, LineKeeper } from "../carriers/carriers.ts";
import { LineGate } from "../carriers/line-gate.ts";
import type { LeaseLoop } from "../lease-loop.ts";
import type { Provider } from "../providers/provider.ts";
import { CarefulClaims, type ClaimSome } from "./careful-claims.ts";
import type { MessageClaim, Task } from "./claim.ts";
import { createLane } from "./lane.ts";
import { Line } from "./line.ts";

/** Bounds how long one claim holds up the store. */
const LARGEST_CLAIM = 32;
/** Messages that are taken out of a line at a time. */
const BITE_ROWS = 500;
/** Tenants in a line that are looked at at a time. */
const TENANTS_A_LOOK = 100;
const BEFORE_ALL_TENANTS = -1;

export interface LinesOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly randomness: Randomness;
  readonly logger: Logger;
  readonly looksEveryMs: number | undefined;
  readonly trustsClock: (() => boolean) | undefined;
  readonly claim: (
    line: Line,
    token: string,
    limit: number,
    noteLooked: Parameters<ClaimSome>[1],
  ) => Promise<MessageClaim>;
  readonly perform: (task: Task) => Promise<void>;
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

export class Lines implements LineKeeper {
  readonly #options: LinesOptions;
  readonly #open = new Map<string, OpenLine>();
  readonly #closing = new Set<OpenLine>();
  readonly #givingAway = new Map<string, Promise<void>>();
  readonly #probing = new Map<string, Promise<void>>();
  #isStopped = false;

  constructor(options: LinesOptions) {
    this.#options = options;
  }

  get isClaiming(): boolean {
    return this.#givingAway.size > 0 || this.#loops.some(({ isClaiming }) => isClaiming);
  }

  open(carrier: Provider, rates: CarrierRates): void {
    const { clock, randomness, logger, looksEveryMs, trustsClock, claim, perform } = this.#options;
    const gate = new LineGate(clock);
    const line = new Line(carrier, rates);
    const careful = new CarefulClaims(this.#options);
    const loop = createLane({
      clock,
      randomness,
      looksEveryMs,
      trustsClock,
      pace: {
        get restsUntil() {
          return gate.restsUntil;
        },
        beginClaim: () => LARGEST_CLAIM,
        endClaim() {},
      },
      countRoom: (underWay) => countRoom(gate.limit(carrier.capacity?.() ?? 0), underWay),
      claim: async (token, limit) => {
        const claimed = await careful.claim(limit, (most, noteLooked) => claim(line, token, most, noteLooked));
        if (claimed.looked === 0 && gate.isDown) this.#probe(carrier);
        return claimed;
      },
      perform,
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

  /** Where nothing waits that would find out whether a carrier can be reached again. */
  #probe(carrier: Provider): void {
    const { name } = carrier;
    if (this.#probing.has(name)) return;
    const probed = findUnreached(carrier)
      .then((words) => this.noteReach(name, words))
      .then(() => void this.#probing.delete(name));
    this.#probing.set(name, probed);
  }

  /** What waits for one that cannot be reached is its partner's, if that can be: nothing of it was given to anybody. */
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

  /** Has what waited for a carrier that its tenant did not have be given to the one that it has now, or end. */
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

  /** For people to see; what is claimed does not depend on it. */
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

/** In words why a carrier cannot be reached; undefined if it can. */
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
