// Chooses the provider of a tenant's channel. A message in doubt is asked about at the provider that it was given to.

import { EVERY_TENANT } from "../domain/carriers/rows.ts";
import type { Channel } from "../domain/contacts.ts";
import { findTenant } from "../domain/tenancy/rows.ts";
import type { Clock } from "../platform/clock.ts";
import { reached } from "../platform/probes.ts";
import type { Transaction } from "../store/store.ts";
import type { CarrierRates, KindTraits } from "./kind.ts";
import type { Provider, ProviderEvent } from "./provider.ts";

export interface Carriers {
  /** Returns the carrier of a tenant's channel now. Undefined if there is none or the tenant is disabled: its messages wait. */
  of(tx: Transaction, tenantId: number, channel: Channel): Provider | undefined | Promise<Provider | undefined>;
  /**
   * Whether a tenant's messages may stay in this carrier's queue: it carries them, or the simulator does, which is given
   * nothing that waits. With `EVERY_TENANT`: whether it is the carrier of all tenants.
   */
  carries(name: string, tenantId: number): boolean;
  /** Returns the name of the other carrier of a channel that has two; undefined if there is none. */
  partnerOf(name: string): string | undefined;
  /** Returns the carrier of that name; undefined if it was removed. */
  named(name: string): Provider | undefined;
  /** Returns the traits of the carrier of that name, even if it was removed. */
  traitsOf(name: string): CarrierTraits;
  /** Returns the key under which the carrier's ids of messages are kept: the same however often it was set. */
  ledgerOf(name: string): string;
  readonly all: Iterable<Provider>;
  /** Whether no carrier was set or removed since the last look, as far as the transaction sees. */
  isCurrent(tx: Transaction): Promise<boolean>;
  /** Reads from the database which carriers there are. */
  look(): Promise<void>;
  /** Whether a message was discarded when its carrier was removed: it is never sent, whoever carries it now. */
  discards(message: Accepted): boolean;
  /** Whether the operator has disabled the tenant: none of its messages is handed over. */
  isDisabled(tenantId: number): boolean;
  /** Notes that messages wait for a carrier that their tenant does not have. */
  noteMissing(tenantId: number, channel: Channel): void;
  /** Starts all carriers, also those added later: they report to `listen`, and `queues` keeps the queue of each that has one. */
  start(listen: Listen, queues: QueueKeeper): Promise<void>;
  /** Whether a carrier, or a look at the database, is working rather than waiting for the clock. */
  isBusy(): boolean;
  /** Stops all carriers, and waits for the events being reported. */
  stop(): Promise<void>;
}

/** A message that waits. */
export interface Accepted {
  readonly tenantId: number;
  readonly channel: Channel;
  /** When it was accepted, in epoch milliseconds. */
  readonly createdAt: number;
}

export interface CarrierTraits extends KindTraits {
  /** Sender of its texts. Undefined for a carrier whose phones reply to a message, such as the simulated one. */
  readonly sender?: TextSender | undefined;
}

export interface TextSender {
  /** E.164, a short code or a name. */
  readonly sender: string;
  /** Whether texts leave from a number of the merchant's own where it has one. */
  readonly usesMerchantNumbers: boolean;
}

/** Resolves once the event is durably recorded. */
export type Listen = (provider: string, event: ProviderEvent) => Promise<void>;

/** Keeps the queues of carriers that cannot have everything at once. */
export interface QueueKeeper {
  /** Begins to claim from a carrier's queue. */
  open(carrier: Provider, rates: CarrierRates): void;
  /** Claims no more from a queue. Messages that wait in it go to the next carrier. */
  close(name: string): Promise<void>;
  /** Whether a carrier is known to be out of reach. */
  isDown(name: string): boolean;
  /** Signals that messages have entered queues, or that their carriers have room. */
  wake(names: Iterable<string>): void;
  /** Notes that a carrier answered or has room, or in words why it could not be reached. */
  noteReach(name: string, unreached: string | undefined): void;
  /**
   * Empties queues of carriers that were removed, or are out of reach while another is not. Messages also leave a queue if
   * their tenant has another carrier now.
   */
  sweep(): Promise<void>;
}

/** Creates carriers that are the same for each tenant. One provider may carry several channels. */
export function carryForAll(providers: Partial<Record<Channel, Provider>>): Carriers {
  return carryBy(new Set(Object.values(providers)), (_tenantId, channel) => providers[channel]);
}

/** Creates a fixed set of carriers. `rates` apply to each that has a queue. */
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
    traitsOf(name) {
      const provider = named(name);
      return { handsOver: provider !== undefined && provider.find === undefined, tellsOnlyFailures: false, sender };
    },
    ledgerOf: (name) => name,
    all: providers,
    isCurrent: async () => true,
    look: async () => {},
    discards: () => false,
    isDisabled: () => false,
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

/** First and longest pause; each is twice as long as the one before. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Limits what a carrier is given from its queue. While it is out of reach, that is nothing; then one message, doubled
 * with each answer.
 */
export class CarrierGate {
  readonly #clock: Pick<Clock, "now">;
  #pauses = 0;
  #restsUntil = 0;
  /** Current limit; undefined for as many as the carrier takes. */
  #ramp: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  get isDown(): boolean {
    return this.#pauses > 0;
  }

  /** End of the current pause; undefined if there is none. A clock that was set back does not prolong it. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_PAUSE_MS ? this.#restsUntil : undefined;
  }

  /** Returns how many messages the carrier may have at once, of its capacity. */
  limit(capacity: number): number {
    return Math.min(capacity, this.#ramp ?? capacity);
  }

  /** Notes that the carrier answered. */
  noteReached(capacity: number): void {
    this.#pauses = 0;
    this.#restsUntil = 0;
    if (this.#ramp === undefined) return;
    reached("a carrier can be reached again");
    this.#ramp *= 2;
    if (this.#ramp >= capacity) this.#ramp = undefined;
  }

  /** Notes that the carrier could not be reached. During a pause, further failures do not count. */
  noteUnreached(): void {
    if (this.restsUntil !== undefined) return;
    reached("a carrier cannot be reached, and its queue is closed");
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS);
    this.#pauses += 1;
    this.#restsUntil = this.#clock.now() + pauseMs;
    this.#ramp = 1;
  }
}

/** Tenants whose sends, payments, reviews and speech are simulated: test tenants, and in development all. */
export class SimulatedTenants {
  readonly #includesLive: boolean;
  /** A tenant's mode never changes. */
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

export const everyTenant = new SimulatedTenants({ includesLive: true });
