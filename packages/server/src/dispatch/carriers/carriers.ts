// Which provider carries what. A message is given to whoever carries its tenant's channel, and asked about where it was given.

import type { Clock } from "../../platform/clock.ts";
import { reached } from "../../platform/probes.ts";
import type { CarrierRates } from "../../rules/carriers.ts";
import type { Channel } from "../../rules/consent.ts";
import { EVERY_TENANT } from "../../store/carriers.ts";
import type { Transaction } from "../../store/store.ts";
import { findTenant } from "../../store/tenancy.ts";
import type { Provider, ProviderEvent } from "../providers/provider.ts";

export interface Carriers {
  /** Returns the carrier of a tenant's channel now; undefined if there is none, or the tenant is disabled: its messages wait. */
  of(tx: Transaction, tenantId: number, channel: Channel): Provider | undefined | Promise<Provider | undefined>;
  /**
   * Whether a tenant's messages may stay in the line of the carrier of this name: it carries them, or the simulator does, which
   * is given nothing that waits. With `EVERY_TENANT`: whether it is the carrier of all tenants.
   */
  carries(name: string, tenantId: number): boolean;
  /** The other one of the two that tenants have for a channel; undefined if there is one at most. */
  partnerOf(name: string): string | undefined;
  /** The one of that name, which an attempt has on record; undefined if it is there no more. */
  named(name: string): Provider | undefined;
  /** What holds for messages that were given to the one of that name, even if it was removed since. */
  traitsOf(name: string): CarrierTraits;
  /** Under what the ids are kept by which the carrier of this name calls messages: the same however often it was set. */
  ledgerOf(name: string): string;
  readonly all: Iterable<Provider>;
  /** Whether no carrier was set or removed, as far as the transaction sees, since they were looked at. */
  isCurrent(tx: Transaction): Promise<boolean>;
  /** Looks at which carriers there are. */
  look(): Promise<void>;
  /** Whether a message was discarded as its carrier was removed: it is not to be sent, whoever carries it now. */
  discards(message: Accepted): boolean;
  /** Whether the operator has disabled the tenant: nothing of it is handed over. */
  isDisabled(tenantId: number): boolean;
  /** Notes that messages wait for a carrier that their tenant does not have. */
  noteMissing(tenantId: number, channel: Channel): void;
  /** Has all of them report to `listen`, those that are added later too, and `lines` keep the line of each that has one. */
  start(listen: Listen, lines: LineKeeper): Promise<void>;
  /** Whether one of them, or what finds them, is working rather than waiting for the clock. */
  isBusy(): boolean;
  /** Has them report no more, and waits for the events being reported. */
  stop(): Promise<void>;
}

/** A message that waits. */
export interface Accepted {
  readonly tenantId: number;
  readonly channel: Channel;
  /** When it was accepted, in epoch milliseconds. */
  readonly createdAt: number;
}

export interface CarrierTraits {
  /** It tells when a message leaves: what it did not hand over was not sent. */
  readonly handsOver: boolean;
  /** It may have nothing more to tell of what arrived, which stays SENT. */
  readonly tellsOnlyFailures: boolean;
  /** The sender of its texts. Undefined for a carrier whose phones reply to a message, such as the simulated one. */
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

/** Keeps the lines of carriers that cannot have everything at once. */
export interface LineKeeper {
  /** Begins to give a carrier what waits for it. */
  open(carrier: Provider, rates: CarrierRates): void;
  /** Gives a carrier no more. What waits for it is given to whoever carries it then. */
  close(name: string): Promise<void>;
  /** Whether a carrier cannot be reached, as far as is known. */
  isDown(name: string): boolean;
  /** Signals that messages have entered lines, or that their carriers can have more. */
  wake(names: Iterable<string>): void;
  /** Notes that a carrier can be reached, or with words that it can be given nothing. */
  noteReach(name: string, unreached: string | undefined): void;
  /**
   * Gives away what waits for carriers that are not there any more, or cannot be reached while another can, and what waited for
   * a carrier that its tenant has now.
   */
  sweep(): Promise<void>;
}

/** The same for each tenant. One provider may carry several channels. */
export function carryForAll(providers: Partial<Record<Channel, Provider>>): Carriers {
  return carryBy(new Set(Object.values(providers)), (_tenantId, channel) => providers[channel]);
}

/** Carriers that are there from the start, and stay; `rates` are of each that has a line. */
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
    async start(listen, lines) {
      for (const provider of providers) {
        if (provider.capacity !== undefined) lines.open(provider, rates);
        provider.start(
          (event) => listen(provider.name, event),
          (unreached) => lines.noteReach(provider.name, unreached),
          () => lines.wake([provider.name]),
        );
      }
    },
    isBusy: () => Array.from(providers).some((provider) => provider.isBusy()),
    async stop() {
      await Promise.all(Array.from(providers, (provider) => provider.stop()));
    },
  };
}

// Whether a carrier is given anything from its line. Nothing while it cannot be reached, so that what waits is not tried again
// and again; then one message, and twice as many with each answer.

/** The first pause, twice as long after each that follows, and the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class LineGate {
  readonly #clock: Pick<Clock, "now">;
  #pauses = 0;
  #restsUntil = 0;
  /** The most at once for now; undefined for as many as the carrier takes. */
  #ramp: number | undefined;

  constructor(clock: Pick<Clock, "now">) {
    this.#clock = clock;
  }

  get isDown(): boolean {
    return this.#pauses > 0;
  }

  /** When the current pause ends; undefined if there is none. A clock that was set back does not prolong it. */
  get restsUntil(): number | undefined {
    const leftMs = this.#restsUntil - this.#clock.now();
    return leftMs > 0 && leftMs <= LONGEST_PAUSE_MS ? this.#restsUntil : undefined;
  }

  /** How many it may have at once, of a capacity. */
  limit(capacity: number): number {
    return Math.min(capacity, this.#ramp ?? capacity);
  }

  /** It answered. @param capacity how many it can have at once */
  noteReached(capacity: number): void {
    this.#pauses = 0;
    this.#restsUntil = 0;
    if (this.#ramp === undefined) return;
    reached("a carrier can be reached again");
    this.#ramp *= 2;
    if (this.#ramp >= capacity) this.#ramp = undefined;
  }

  /** It could not be reached. What was on its way when that was found out counts no more. */
  noteUnreached(): void {
    if (this.restsUntil !== undefined) return;
    reached("a carrier cannot be reached, and its line is closed");
    const pauseMs = Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS);
    this.#pauses += 1;
    this.#restsUntil = this.#clock.now() + pauseMs;
    this.#ramp = 1;
  }
}

// Whose sends, payments, reviews and speech are simulated: those of test tenants, and of all where the server is for
// development. Nothing of a live tenant is simulated by accident.

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
