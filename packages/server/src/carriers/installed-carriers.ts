// The tenants' carriers, reloaded from the database every second or so, so that a running server follows `msgd
// carriers`. A test tenant uses the simulator. Messages of a live tenant without a carrier wait, except in development.

import { type CarrierRow, countCarrierChanges, listCarriers } from "../domain/carriers/rows.ts";
import { isHeardAfterRemoval, SIMULATED } from "../domain/carriers/rules.ts";
import type { Channel } from "../domain/contacts.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT, listDisabled } from "../domain/tenancy/rows.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { Accepted, Carriers, CarrierTraits, Listen, QueueKeeper, SimulatedTenants } from "./carriers.ts";
import type { CarrierSettings, KindTraits } from "./kind.ts";
import { traitsOf } from "./kinds.ts";
import type { Provider } from "./provider.ts";

export interface InstalledCarriersOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger & { info(details: object, message: string): void };
  readonly simulator: Provider;
  /** Tenants served by the simulator if they have no other carrier. */
  readonly simulated: SimulatedTenants;
  readonly openSecret: (sealed: string, binding: string) => string;
  /** Opens a carrier without starting it. Throws if the carrier cannot be used. */
  readonly open: (settings: CarrierSettings, succession: CarrierSuccession) => Promise<Provider>;
  /** Interval between reloads from the database, in milliseconds. */
  readonly pollIntervalMs: number;
  /** Called when a test message may have been queued for a carrier. */
  readonly notify: () => void;
  /** Wakes calls that wait for speech. Called after each sweep of the queues; `isChanged` if carriers were set or removed. */
  readonly sweepCalls?: (isChanged: boolean) => Promise<void>;
}

/** Reloads between two sweeps of the queues. */
const LOOKS_A_SWEEP = 20;

/** The carriers of a tenant's channel. */
interface InUse {
  readonly first: Provider;
  /** Used while the first carrier is unreachable, but only for messages that were never submitted to the first. */
  readonly second: Provider | undefined;
}

/** A carrier and all its predecessors in the same slot. */
export interface CarrierSuccession {
  readonly name: string;
  readonly tenantId: number;
  /** Key under which message ids are stored: the carrier's account, or its slot. */
  readonly ledger: string;
  /** Secret part of the URL for events; null if the carrier has none. */
  readonly eventsId: string | null;
  /** Lists the names of all carriers that share the ledger. */
  listNames(): string[];
}

const simulatedTraits: KindTraits = { handsOver: false, tellsOnlyFailures: false, speaksText: false };

export class InstalledCarriers implements Carriers {
  readonly #options: InstalledCarriersOptions;
  /** Carriers at the last reload, including removed ones. */
  #rows: ReadonlyMap<string, CarrierRow> = new Map();
  readonly #open = new Map<string, Provider>();
  /** Removed carriers whose events are still recorded, by name. Nothing is submitted to them. */
  readonly #removed = new Map<string, Provider>();
  /** Carriers in use, by tenant and channel. */
  #inUse: ReadonlyMap<string, InUse> = new Map();
  /** By tenant and channel: messages accepted up to this time are discarded. */
  #discards: ReadonlyMap<string, number> = new Map();
  /** Disabled tenants. Their messages wait until they are enabled. */
  #disabled: ReadonlySet<number> = new Set();
  /** Count of carrier changes at the last reload. */
  #changes = -1;
  /** Slots (tenant and channel) without a carrier for which messages wait. */
  readonly #missing = new Set<string>();
  readonly #stops = new Set<Promise<void>>();
  #listen: Listen | undefined;
  #queues: QueueKeeper | undefined;
  #pollsUntilSweep = 0;
  #cancelPoll = () => {};
  /** The reload in progress. */
  #refresh: Promise<void> | undefined;

  constructor(options: InstalledCarriersOptions) {
    this.#options = options;
  }

  get all(): Iterable<Provider> {
    return [this.#options.simulator, ...this.#open.values(), ...this.#removed.values()];
  }

  of(tx: Transaction, tenantId: number, channel: Channel): Provider | undefined | Promise<Provider | undefined> {
    if (this.isDisabled(tenantId)) return undefined;
    const own = this.#inUse.get(slotOf(tenantId, channel));
    if (own !== undefined) return this.#choose(own);
    const common = this.#inUse.get(slotOf(EVERY_TENANT, channel));
    const { simulator, simulated } = this.#options;
    const isSimulated = common === undefined ? simulated.includes(tx, tenantId) : simulated.isTest(tx, tenantId);
    const choose = (found: boolean) => (found ? simulator : common && this.#choose(common));
    return typeof isSimulated === "boolean" ? choose(isSimulated) : isSimulated.then(choose);
  }

  async isCurrent(tx: Transaction): Promise<boolean> {
    return (await countCarrierChanges(tx)) === this.#changes;
  }

  discards({ tenantId, channel, createdAt }: Accepted): boolean {
    if (createdAt <= (this.#discards.get(slotOf(tenantId, channel)) ?? -1)) return true;
    const ofAll = this.#discards.get(slotOf(EVERY_TENANT, channel)) ?? -1;
    // if the tenant had its own carrier at that time, its messages did not wait for the carrier of all tenants
    const isOwn = (row: CarrierRow) => row.tenantId === tenantId && row.channel === channel && wasInUse(row, ofAll);
    return createdAt <= ofAll && ![...this.#rows.values()].some(isOwn);
  }

  isDisabled(tenantId: number): boolean {
    return this.#disabled.has(tenantId);
  }

  noteMissing(tenantId: number, channel: Channel): void {
    if (this.isDisabled(tenantId)) return;
    const slot = slotOf(tenantId, channel);
    if (this.#missing.has(slot)) return;
    this.#missing.add(slot);
    const text = "a live tenant has no carrier for a channel: its messages wait until one is set or they expire";
    this.#options.logger.warn({ tenantId, channel }, text);
  }

  carries(name: string, tenantId: number): boolean {
    const channel = this.#rows.get(name)?.channel ?? "";
    const own = this.#inUse.get(slotOf(tenantId, channel)) ?? this.#inUse.get(slotOf(EVERY_TENANT, channel));
    return own?.first.name === name || own?.second?.name === name || own?.first === this.#options.simulator;
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
    if (name === this.#options.simulator.name) return this.#options.simulator;
    return this.#open.get(name) ?? this.#removed.get(name);
  }

  isRemoved(name: string): boolean {
    return this.#removed.has(name);
  }

  traitsOf(name: string): CarrierTraits {
    const row = this.#rows.get(name);
    const traits = (row && traitsOf(row)) ?? simulatedTraits;
    if (row === undefined || row.sender === null) return traits;
    return { ...traits, sender: { sender: row.sender, usesMerchantNumbers: row.merchantNumbers === 1 } };
  }

  findReceiver(eventsId: string): Provider | undefined {
    const sharers = [...this.#rows.values()].filter((row) => row.eventsId === eventsId);
    const newestFirst = sharers.toSorted((one, other) => endOf(other) - endOf(one));
    for (const { name } of newestFirst) {
      const provider = this.named(name);
      if (provider !== undefined) return provider;
    }
    return undefined;
  }

  ledgerOf(name: string): string {
    const row = this.#rows.get(name);
    if (row === undefined) return name;
    const slot = slotOf(row.tenantId, row.channel);
    return row.account ?? (row.isSecond === 1 ? `${slot} second` : slot);
  }

  async start(listen: Listen, queues: QueueKeeper): Promise<void> {
    this.#listen = listen;
    this.#queues = queues;
    const { simulator } = this.#options;
    simulator.start((event) => listen(simulator.name, event));
    // before the first reload, no tenant has a carrier
    await this.refresh();
    this.#goOn();
  }

  isBusy(): boolean {
    return this.#refresh !== undefined || Array.from(this.all).some((provider) => provider.isBusy());
  }

  async stop(): Promise<void> {
    this.#listen = undefined;
    this.#cancelPoll();
    await this.#refresh?.catch(() => {});
    await Promise.all([...this.#stops, ...Array.from(this.all, (provider) => provider.stop())]);
  }

  #goOn(): void {
    if (this.#listen === undefined) return;
    const { clock, pollIntervalMs, logger } = this.#options;
    // elapsed time rather than wall-clock time, so that a jump of the clock does not trigger reloads
    this.#cancelPoll = clock.after(pollIntervalMs, () => {
      this.refresh()
        .catch((error: unknown) => {
          logger.error({ err: error }, "failed to read the carriers from the database; retrying");
        })
        .then(() => this.#goOn());
    });
  }

  /** Waits for any reload in progress, which may have started before the change that the caller needs. Then reloads. */
  async refresh(): Promise<void> {
    while (this.#refresh !== undefined) await this.#refresh.catch(() => {});
    const refresh = this.#pollOnce().finally(() => {
      this.#refresh = undefined;
    });
    this.#refresh = refresh;
    return refresh;
  }

  async #pollOnce(): Promise<void> {
    const { changes, rows, disabled } = await this.#options.store.read(async (tx) => {
      // count first, so that a change made after the count is noticed by the next reload
      const counted = await countCarrierChanges(tx);
      return { changes: counted, rows: await listCarriers(tx), disabled: await listDisabled(tx) };
    });
    const isEnabled = [...this.#disabled].some((tenantId) => !disabled.includes(tenantId));
    this.#disabled = new Set(disabled);
    const before = this.#rows;
    this.#rows = new Map(rows.map((row) => [row.name, row]));
    const inUse = rows.filter(({ removedAt }) => removedAt === null);
    for (const row of inUse) if (row.kind !== SIMULATED && !this.#open.has(row.name)) await this.#add(row);
    this.#inUse = this.#pair(inUse);
    this.#discards = findDiscards(rows);
    const isChanged = changes !== this.#changes;
    this.#changes = changes;
    if (isChanged) this.#missing.clear();
    // queued messages of the enabled tenants can now be submitted
    if (isEnabled) this.#queues?.wake(this.#open.keys());
    // close only after the successor is in use; otherwise messages would have no carrier for a moment
    for (const name of this.#open.keys()) {
      const row = this.#rows.get(name);
      if (row === undefined || row.removedAt !== null) this.#close(name);
    }
    await this.#hearRemoved();
    if (isChanged || this.#pollsUntilSweep <= 0) {
      await this.#queues?.sweep();
      await this.#options.sweepCalls?.(isChanged);
      // a claim during this reload may have queued messages for removed carriers
      this.#pollsUntilSweep = isChanged ? 1 : LOOKS_A_SWEEP;
    } else this.#pollsUntilSweep -= 1;
    const tested = inUse.filter(({ name, testedAt }) => testedAt !== (before.get(name)?.testedAt ?? null));
    if (tested.length === 0) return;
    this.#queues?.wake(tested.map(({ name }) => name));
    this.#options.notify();
  }

  /** Maps each slot to its first and second carrier in use. */
  #pair(inUse: readonly CarrierRow[]): Map<string, InUse> {
    const pairs = new Map<string, InUse>();
    const seconds = inUse.filter(({ isSecond }) => isSecond === 1);
    const names = new Map(seconds.map(({ tenantId, channel, name }) => [slotOf(tenantId, channel), name]));
    for (const { tenantId, channel, kind, name, isSecond } of inUse) {
      const slot = slotOf(tenantId, channel);
      const first = kind === SIMULATED ? this.#options.simulator : this.#open.get(name);
      if (isSecond === 1 || first === undefined) continue;
      pairs.set(slot, { first, second: this.#open.get(names.get(slot) ?? "") });
    }
    return pairs;
  }

  #choose({ first, second }: InUse): Provider {
    if (second === undefined || this.#queues === undefined) return first;
    return this.#queues.isDown(first.name) && !this.#queues.isDown(second.name) ? second : first;
  }

  /** Opens removed carriers while their events are recorded, and stops them afterwards. */
  async #hearRemoved(): Promise<void> {
    const { clock, logger } = this.#options;
    for (const row of this.#rows.values()) {
      if (this.#removed.has(row.name) || this.#listen === undefined) continue;
      if (!isHeardAfterRemoval(row, clock.now())) continue;
      const { provider } = await this.#openOrExcuse(row);
      const listen = this.#listen;
      if (listen === undefined) return;
      this.#removed.set(row.name, provider);
      provider.start((event) => listen(row.name, event));
    }
    for (const [name, provider] of this.#removed) {
      const row = this.#rows.get(name);
      if (row !== undefined && isHeardAfterRemoval(row, clock.now())) continue;
      this.#removed.delete(name);
      logger.info({ carrier: name }, "the events of a removed carrier are no longer recorded");
      this.#stop(name, provider.stop());
    }
  }

  async #add(row: CarrierRow): Promise<void> {
    const { provider, settings } = await this.#openOrExcuse(row);
    const [listen, queues] = [this.#listen, this.#queues];
    if (listen === undefined || queues === undefined) return;
    this.#open.set(row.name, provider);
    if (provider.capacity !== undefined) queues.open(provider, settings);
    provider.start(
      (event) => listen(row.name, event),
      (unreached) => queues.noteReach(row.name, unreached),
      () => queues.wake([row.name]),
    );
  }

  /** Opens a carrier. If that fails, its messages wait: they must not go to another carrier. Its provider's events wait too. */
  async #openOrExcuse(row: CarrierRow): Promise<{ provider: Provider; settings: Partial<CarrierSettings> }> {
    const { logger, open, openSecret } = this.#options;
    const { name, channel, kind, tenantId, removedAt } = row;
    const details = { carrier: name, channel, kind, tenantId };
    try {
      const settings = JSON.parse(openSecret(row.sealedSettings, bindCarrier(row)));
      const ledger = this.ledgerOf(name);
      const listNames = () => [...this.#rows.keys()].filter((other) => this.ledgerOf(other) === ledger);
      const provider = await open(settings, { name, tenantId, ledger, eventsId: row.eventsId, listNames });
      logger.info(details, removedAt === null ? "a carrier is in use" : "the events of a removed carrier are recorded");
      return { provider, settings };
    } catch (error) {
      const what =
        removedAt === null
          ? "a carrier cannot be used; its messages wait"
          : "the events of a removed carrier cannot be recorded";
      logger.error({ err: error, ...details }, what);
      const words = error instanceof Error ? error.message : String(error);
      return { provider: createUnusable(name, words), settings: {} };
    }
  }

  /**
   * Closes a carrier: it gets no new messages, and calls in flight may finish. It is stopped unless its events are still
   * recorded.
   */
  #close(name: string): void {
    const provider = this.#open.get(name);
    this.#open.delete(name);
    if (provider === undefined) return;
    const { clock, logger } = this.#options;
    logger.info({ carrier: name }, "a carrier is no longer in use");
    const row = this.#rows.get(name);
    const isHeard = row !== undefined && isHeardAfterRemoval(row, clock.now());
    if (isHeard) this.#removed.set(name, provider);
    this.#stop(name, Promise.all([this.#queues?.close(name), isHeard ? undefined : provider.stop()]));
  }

  /** Lets a stop wait for the end of a carrier. */
  #stop(name: string, ended: Promise<unknown>): void {
    const stop = ended
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error, carrier: name }, "failed to close a carrier cleanly"),
      )
      .then(() => void this.#stops.delete(stop));
    this.#stops.add(stop);
  }
}

/** Returns when the carrier was removed; infinite if it is in use. */
function endOf({ removedAt }: CarrierRow): number {
  return removedAt ?? Number.POSITIVE_INFINITY;
}

function wasInUse({ setAt, removedAt }: CarrierRow, at: number): boolean {
  return setAt <= at && (removedAt === null || removedAt > at);
}

function findDiscards(rows: readonly CarrierRow[]): Map<string, number> {
  const discards = new Map<string, number>();
  for (const { tenantId, channel, discardedAt } of rows) {
    const slot = slotOf(tenantId, channel);
    if (discardedAt !== null) discards.set(slot, Math.max(discardedAt, discards.get(slot) ?? 0));
  }
  return discards;
}

function slotOf(tenantId: number, channel: string): string {
  return `${tenantId} ${channel}`;
}

/** Creates a provider that accepts nothing and reports why. Its messages wait. */
function createUnusable(name: string, reason: string): Provider {
  const unreached = `it cannot be used: ${reason}`;
  return {
    name,
    submit: () => Promise.reject(new Error(unreached)),
    capacity: () => 0,
    isBusy: () => false,
    start(_sink, noteReach) {
      noteReach?.(unreached);
    },
    async stop() {},
  };
}
