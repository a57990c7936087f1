// The carriers that tenants were given, as the database has them: looked at again and again, so that what a command sets or
// removes beside a running server is taken within a second. Whoever has none is on the simulator; a test tenant always is.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import type { CarrierKind, CarrierSettings } from "../../rules/carrier-settings.ts";
import type { Channel } from "../../rules/consent.ts";
import { bindCarrier } from "../../rules/sealed-bindings.ts";
import { type CarrierRow, EVERY_TENANT, listCarriers, saveSender } from "../../store/carriers.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { findTenant } from "../../store/tenants.ts";
import type { Provider } from "../providers/provider.ts";
import type { Carriers, CarrierTraits, LineKeeper, Listen, TextSender } from "./carriers.ts";
import { createUnusable } from "./unusable.ts";

export interface InstalledCarriersOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger & { info(details: object, message: string): void };
  /** Carries what nobody else does. */
  readonly simulator: Provider;
  readonly openSecret: (sealed: string, binding: string) => string;
  /** Opens a carrier, which begins to work when it is started. Throws if it cannot be used at all. */
  readonly open: (name: string, settings: CarrierSettings, place: CarrierSuccession) => Promise<Provider>;
  /** How often the database is looked at, in milliseconds. */
  readonly looksEveryMs: number;
  /** Called when a message may have been queued to try a carrier with. */
  readonly notify: () => void;
}

/** How many looks after one sweep of the lines the next one is. */
const LOOKS_A_SWEEP = 20;

/** Of a tenant's channel. */
interface InUse {
  readonly first: Provider;
  /** For when the first cannot be reached: nothing that it may have been given is given to this one. */
  readonly second: Provider | undefined;
}

/** A carrier and all that had its place before it, however often it was set. */
export interface CarrierSuccession {
  readonly tenantId: number;
  /** Under what its ids are kept. */
  readonly ledger: string;
  /** The names of all carriers that have the place, or had it before. */
  listNames(): string[];
}

const traits: Readonly<Record<CarrierKind, CarrierTraits>> = {
  smtp: { handsOver: true, tellsOnlyFailures: true },
  smpp: { handsOver: true, tellsOnlyFailures: false },
  freeswitch: { handsOver: true, tellsOnlyFailures: false },
};

export class InstalledCarriers implements Carriers {
  readonly #options: InstalledCarriersOptions;
  /** As the database had them last, those that were removed too. */
  #rows: ReadonlyMap<string, CarrierRow> = new Map();
  readonly #open = new Map<string, Provider>();
  /** The senders of the carriers of texts that are open, by carrier name. */
  readonly #senders = new Map<string, TextSender>();
  /** Of those in use, by tenant and channel. */
  #inUse: ReadonlyMap<string, InUse> = new Map();
  /** A tenant's mode never changes. */
  readonly #isLive = new Map<number, boolean>();
  readonly #stops = new Set<Promise<void>>();
  #listen: Listen | undefined;
  #lines: LineKeeper | undefined;
  #looksUntilSweep = 0;
  #cancelLook = () => {};
  #look: Promise<void> | undefined;
  #isLooking = false;

  constructor(options: InstalledCarriersOptions) {
    this.#options = options;
  }

  get all(): Iterable<Provider> {
    return [this.#options.simulator, ...this.#open.values()];
  }

  of(tx: Transaction, tenantId: number, channel: Channel): Provider | Promise<Provider> {
    const own = this.#inUse.get(placeOf(tenantId, channel));
    if (own !== undefined) return this.#choose(own);
    const common = this.#inUse.get(placeOf(EVERY_TENANT, channel));
    const { simulator } = this.#options;
    if (common === undefined) return simulator;
    const isLive = this.#isLive.get(tenantId);
    if (isLive !== undefined) return isLive ? this.#choose(common) : simulator;
    return this.#findWhetherLive(tx, tenantId).then((found) => (found ? this.#choose(common) : simulator));
  }

  partnerOf(name: string): string | undefined {
    for (const { first, second } of this.#inUse.values()) {
      if (second === undefined) continue;
      if (first.name === name) return second.name;
      if (second.name === name) return first.name;
    }
    return undefined;
  }

  named(name: string): Provider | undefined {
    return name === this.#options.simulator.name ? this.#options.simulator : this.#open.get(name);
  }

  traitsOf(name: string): CarrierTraits {
    const row = this.#rows.get(name);
    if (row === undefined) return { handsOver: false, tellsOnlyFailures: false };
    const sender = this.#senders.get(name);
    return sender === undefined ? traits[row.kind] : { ...traits[row.kind], sender };
  }

  ledgerOf(name: string): string {
    const row = this.#rows.get(name);
    if (row === undefined) return name;
    const place = placeOf(row.tenantId, row.channel);
    // two carriers may call messages by the same ids
    return row.isSecond === 1 ? `${place} second` : place;
  }

  async start(listen: Listen, lines: LineKeeper): Promise<void> {
    this.#listen = listen;
    this.#lines = lines;
    const { simulator } = this.#options;
    simulator.start((event) => listen(simulator.name, event));
    // without a first look all would be on the simulator
    await this.#lookOnce();
    this.#goOn();
  }

  isBusy(): boolean {
    return this.#isLooking || Array.from(this.all).some((provider) => provider.isBusy());
  }

  async stop(): Promise<void> {
    this.#listen = undefined;
    this.#cancelLook();
    await this.#look;
    await Promise.all([...this.#stops, ...Array.from(this.all, (provider) => provider.stop())]);
  }

  #goOn(): void {
    if (this.#listen === undefined) return;
    const { clock, looksEveryMs, logger } = this.#options;
    // of elapsed time: a clock that is moved ahead has none of these looks on its way
    this.#cancelLook = clock.after(looksEveryMs, () => {
      this.#isLooking = true;
      this.#look = this.#lookOnce()
        .catch((error: unknown) => {
          logger.error({ err: error }, "the carriers could not be looked at; it is tried again");
        })
        .then(() => {
          this.#isLooking = false;
          this.#goOn();
        });
    });
  }

  async #lookOnce(): Promise<void> {
    const rows = await this.#options.store.read(listCarriers);
    const before = this.#rows;
    this.#rows = new Map(rows.map((row) => [row.name, row]));
    const inUse = rows.filter(({ removedAt }) => removedAt === null);
    for (const row of inUse) if (!this.#open.has(row.name)) await this.#add(row);
    this.#inUse = this.#pair(inUse);
    // once another has its place: in between, its messages would be simulated
    for (const name of this.#open.keys()) {
      const row = this.#rows.get(name);
      if (row === undefined || row.removedAt !== null) this.#close(name);
    }
    if (this.#looksUntilSweep <= 0) {
      await this.#lines?.sweep();
      this.#looksUntilSweep = LOOKS_A_SWEEP;
    }
    this.#looksUntilSweep -= 1;
    const tested = inUse.filter(({ name, testedAt }) => testedAt !== (before.get(name)?.testedAt ?? null));
    if (tested.length === 0) return;
    this.#lines?.wake(tested.map(({ name }) => name));
    this.#options.notify();
  }

  /** Those in use by their place, each first one with its second. */
  #pair(inUse: readonly CarrierRow[]): Map<string, InUse> {
    const seconds = new Map(inUse.filter(isSecond).map((row) => [placeOf(row.tenantId, row.channel), row.name]));
    return new Map(
      inUse.flatMap((row) => {
        const place = placeOf(row.tenantId, row.channel);
        const first = isSecond(row) ? undefined : this.#open.get(row.name);
        if (first === undefined) return [];
        return [[place, { first, second: this.#open.get(seconds.get(place) ?? "") }] as const];
      }),
    );
  }

  #choose({ first, second }: InUse): Provider {
    if (second === undefined || this.#lines === undefined) return first;
    return this.#lines.isDown(first.name) && !this.#lines.isDown(second.name) ? second : first;
  }

  async #add(row: CarrierRow): Promise<void> {
    const { provider, settings } = await this.#openOrExcuse(row);
    const [listen, lines] = [this.#listen, this.#lines];
    if (listen === undefined || lines === undefined) return;
    if ("sender" in settings && settings.sender !== undefined) {
      const { sender, merchantNumbers = true } = settings;
      this.#senders.set(row.name, { sender, usesMerchantNumbers: merchantNumbers });
      // one that was set by an older msgd
      if (row.sender === null)
        await this.#options.store.write((tx) => saveSender(tx, row.name, { sender, merchantNumbers }));
    }
    this.#open.set(row.name, provider);
    if (provider.capacity !== undefined) lines.open(provider, settings);
    provider.start(
      (event) => listen(row.name, event),
      (unreached) => lines.noteReach(row.name, unreached),
      () => lines.wake([row.name]),
    );
  }

  /** One that cannot be opened puts off what it is given: nobody else may have that. */
  async #openOrExcuse(row: CarrierRow): Promise<{ provider: Provider; settings: Partial<CarrierSettings> }> {
    const { logger, open, openSecret } = this.#options;
    const { name, channel, kind, tenantId } = row;
    try {
      const settings = JSON.parse(openSecret(row.sealedSettings, bindCarrier(row)));
      const ledger = this.ledgerOf(name);
      const listNames = () => [...this.#rows.keys()].filter((other) => this.ledgerOf(other) === ledger);
      const provider = await open(name, settings, { tenantId, ledger, listNames });
      logger.info({ carrier: name, channel, kind, tenantId }, "a carrier is in use");
      return { provider, settings };
    } catch (error) {
      logger.error(
        { err: error, carrier: name, channel, kind, tenantId },
        "a carrier cannot be used; its messages wait",
      );
      const words = error instanceof Error ? error.message : String(error);
      return { provider: createUnusable(name, words), settings: {} };
    }
  }

  /** Its calls in flight end as they do; nothing more is given to it. */
  #close(name: string): void {
    const provider = this.#open.get(name);
    this.#open.delete(name);
    if (provider === undefined) return;
    // others, and what was being given to it, may have messages enter its line for a while
    this.#looksUntilSweep = 1;
    this.#options.logger.info({ carrier: name }, "a carrier is in use no more");
    const ended = Promise.all([this.#lines?.close(name), provider.stop()]);
    const stop = ended
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error, carrier: name }, "a carrier was not left in order"),
      )
      .then(() => void this.#stops.delete(stop));
    this.#stops.add(stop);
  }

  async #findWhetherLive(tx: Transaction, tenantId: number): Promise<boolean> {
    const isLive = (await findTenant(tx, tenantId))?.mode === "live";
    this.#isLive.set(tenantId, isLive);
    return isLive;
  }
}

function isSecond({ isSecond }: CarrierRow): boolean {
  return isSecond === 1;
}

function placeOf(tenantId: number, channel: string): string {
  return `${tenantId} ${channel}`;
}
