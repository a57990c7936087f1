// Chooses the provider of a tenant's channel. An in-doubt message is always looked up at the provider that it was
// submitted to.

import type { Channel } from "../domain/contacts.ts";
import { EVERY_TENANT, findTenant } from "../domain/tenancy/rows.ts";
import type { Clock } from "../platform/clock.ts";
import { reached } from "../platform/probes.ts";
import type { Transaction } from "../store/store.ts";
import type { CarrierRates, KindTraits } from "./kind.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

export interface Carriers {
  /**
   * Returns the current carrier of a tenant's channel. Undefined if it has none or the tenant is disabled; messages
   * then wait.
   */
  of(tx: Transaction, tenantId: number, channel: Channel): Provider | undefined | Promise<Provider | undefined>;
  /**
   * Whether a tenant's messages may stay in this carrier's queue. True if this carrier serves the tenant, or if the
   * simulator does now: queued messages never move to the simulator. With `EVERY_TENANT`: whether it is the carrier of
   * all tenants.
   */
  carries(name: string, tenantId: number): boolean;
  /** Returns the name of the channel's other carrier, or undefined if the channel has only this one. */
  partnerOf(name: string): string | undefined;
  /** Returns the carrier of that name, in use or removed. Undefined if it was removed and has no events any more. */
  named(name: string): Provider | undefined;
  /** Whether the carrier was removed: it can be asked about the messages that it accepted, but gets no others. */
  isRemoved(name: string): boolean;
  /** Returns the traits of the carrier of that name, even if the carrier was removed. */
  traitsOf(name: string): CarrierTraits;
  /** Returns the key under which the carrier's message ids are stored. Setting the carrier again does not change the key. */
  ledgerOf(name: string): string;
  readonly all: Iterable<Provider>;
  /** Whether the carriers in use match the database as this transaction sees it. */
  isCurrent(tx: Transaction): Promise<boolean>;
  /** Reloads the carriers from the database. */
  refresh(): Promise<void>;
  /** Whether the message was discarded when its carrier was removed. If so, it is never sent, not even by a later carrier. */
  discards(message: Accepted): boolean;
  /** Whether the operator has disabled the tenant. If so, its messages are not submitted. */
  isDisabled(tenantId: number): boolean;
  /** Finds the carrier whose URL for events has this id: the one in use, or the one that was removed last. */
  findReceiver(eventsId: string): Provider | undefined;
  /** Records that messages wait for a carrier that their tenant does not have. */
  noteMissing(tenantId: number, channel: Channel): void;
  /**
   * Starts all carriers, including those added later. They report to `listen`; `queues` manages the queues of those
   * that have one.
   */
  start(listen: Listen, queues: QueueKeeper): Promise<void>;
  /** Whether a carrier or a reload from the database is working rather than waiting for the clock. */
  isBusy(): boolean;
  /** Stops all carriers, and waits until the events in progress are recorded. */
  stop(): Promise<void>;
}

/** A message that was accepted and not yet sent. */
export interface Accepted {
  readonly tenantId: number;
  readonly channel: Channel;
  /** Time of acceptance, in epoch milliseconds. */
  readonly createdAt: number;
}

export interface CarrierTraits extends KindTraits {
  /** Sender of the carrier's texts. Undefined if recipients reply to the message itself, as with the simulator. */
  readonly sender?: TextSender | undefined;
}

export interface TextSender {
  /** E.164, a short code or a name. */
  readonly sender: string;
  /** Whether texts are sent from the merchant's own number if it has one. */
  readonly usesMerchantNumbers: boolean;
}

/** Resolves once the event is durably recorded. */
export type Listen = (provider: string, event: ProviderEvent) => Promise<void>;

/** Manages the queues of carriers with a limited capacity. */
export interface QueueKeeper {
  /** Starts claiming messages from a carrier's queue. */
  open(carrier: Provider, rates: CarrierRates): void;
  /** Stops claiming from a carrier's queue. Messages that wait in it move to the next carrier. */
  close(name: string): Promise<void>;
  /** Whether a carrier is known to be unreachable. */
  isDown(name: string): boolean;
  /** Signals that messages were queued for these carriers, or that they have capacity again. */
  wake(names: Iterable<string>): void;
  /** Records that a carrier answered or has capacity. If `unreached` is set, it says why the carrier could not be reached. */
  noteReach(name: string, unreached: string | undefined): void;
  /**
   * Empties the queues of removed carriers, and of unreachable carriers whose partner is reachable. Messages also leave
   * a queue if their tenant now has another carrier.
   */
  sweep(): Promise<void>;
}

/** Creates carriers that serve every tenant. One provider may serve several channels. */
export function carryForAll(providers: Partial<Record<Channel, Provider>>): Carriers {
  return carryBy(new Set(Object.values(providers)), (_tenantId, channel) => providers[channel]);
}

/** Creates a fixed set of carriers. `rates` apply to each carrier that has a queue. */
export function carryBy(
  providers: Iterable<Provider>,
  choose: (tenantId: number, channel: Channel) => Provider | undefined,
  rates: CarrierRates = {},
  sender?: TextSender,
): Carriers {
  const named = (name: string) => Array.from(providers).find((provider) => provider.name === name);
  return {
    of: (_tx, tenantId, channel) => choose(tenantId, channel),
    carries: (_name, tenantId) => tenantId !== EVERY_TENANT,
    partnerOf: () => undefined,
    named,
    isRemoved: () => false,
    traitsOf(name) {
      const provider = named(name);
      const handsOver = provider !== undefined && provider.find === undefined;
      return { handsOver, tellsOnlyFailures: false, speaksText: false, sender };
    },
    ledgerOf: (name) => name,
    all: providers,
    isCurrent: async () => true,
    refresh: async () => {},
    discards: () => false,
    isDisabled: () => false,
    findReceiver: () => undefined,
    noteMissing() {},
    async start(listen, queues) {
      for (const provider of providers) {
        if (provider.capacity !== undefined) queues.open(provider, rates);
        provider.start(
          (event) => listen(provider.name, event),
          (unreached) => queues.noteReach(provider.name, unreached),
          () => queues.wake([provider.name]),
        );
      }
    },
    isBusy: () => Array.from(providers).some((provider) => provider.isBusy()),
    async stop() {
      await Promise.all(Array.from(providers, (provider) => provider.stop()));
    },
  };
}

/** First and longest pause. Each pause is twice as long as the one before. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Limits how many messages a carrier gets from its queue: none while it is unreachable, then one, then twice as many
 * after each answer.
 */
export class CarrierGate {
  readonly #clock: Pick<Clock, "now">;
  #pauses = 0;
  #restsUntil = 0;
  /** Current limit. Undefined: limited only by the carrier's capacity. */
  #ramp: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  get isDown(): boolean {
    return this.#pauses > 0;
  }

  /** End of the current pause, or undefined if there is none. Setting the clock back does not prolong the pause. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_PAUSE_MS ? this.#restsUntil : undefined;
  }

  /** Returns how many messages the carrier may hold at once, at most `capacity`. */
  limit(capacity: number): number {
    return Math.min(capacity, this.#ramp ?? capacity);
  }

  /** Records that the carrier answered. */
  noteReached(capacity: number): void {
    this.#pauses = 0;
    this.#restsUntil = 0;
    if (this.#ramp === undefined) return;
    reached("a carrier can be reached again");
    this.#ramp *= 2;
    if (this.#ramp >= capacity) this.#ramp = undefined;
  }

  /** Records that the carrier could not be reached. Further failures during a pause do not count. */
  noteUnreached(): void {
    if (this.restsUntil !== undefined) return;
    reached("a carrier cannot be reached, and its queue is closed");
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS);
    this.#pauses += 1;
    this.#restsUntil = this.#clock.now() + pauseMs;
    this.#ramp = 1;
  }
}

/** Tenants whose messages, payments, reviews and speech are simulated: test tenants, and every tenant in development. */
export class SimulatedTenants {
  readonly #includesLive: boolean;
  /** Cached without expiry: a tenant's mode never changes. */
  readonly #areTests = new Map<number, boolean>();

  constructor({ includesLive }: { includesLive: boolean }) {
    this.#includesLive = includesLive;
  }

  includes(tx: Transaction, tenantId: number): boolean | Promise<boolean> {
    return this.#includesLive || this.isTest(tx, tenantId);
  }

  isTest(tx: Transaction, tenantId: number): boolean | Promise<boolean> {
    return this.#areTests.get(tenantId) ?? this.#findOut(tx, tenantId);
  }

  async #findOut(tx: Transaction, tenantId: number): Promise<boolean> {
    const isTest = (await findTenant(tx, tenantId))?.mode === "test";
    this.#areTests.set(tenantId, isTest);
    return isTest;
  }
}
