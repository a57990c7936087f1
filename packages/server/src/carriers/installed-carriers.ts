// The carriers that tenants were given, as the database has them. Looks repeat, so that a running server follows a command
// within a second. A test tenant is on the simulator; messages of a live one without a carrier wait, except in development.

import { type CarrierRow, countCarrierChanges, EVERY_TENANT, listCarriers } from "../domain/carriers/rows.ts";
import { SIMULATED } from "../domain/carriers/rules.ts";
import type { Channel } from "../domain/contacts.ts";
import { bindCarrier } from "../domain/tenancy/credentials.ts";
import { listDisabled } from "../domain/tenancy/rows.ts";
import type { Clock } from "../platform/clock.ts";
import type { Logger } from "../platform/logging.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { Accepted, Carriers, CarrierTraits, Listen, QueueKeeper, SimulatedTenants } from "./carriers.ts";
import type { CarrierSettings, KindTraits } from "./kind.ts";
import { findKind } from "./kinds.ts";
import type { Provider } from "./provider.ts";

export interface InstalledCarriersOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger & { info(details: object, message: string): void };
  readonly simulator: Provider;
  /** Tenants that the simulator carries for if no other carrier does. */
  readonly simulated: SimulatedTenants;
  readonly openSecret: (sealed: string, binding: string) => string;
  /** Opens a carrier, which begins to work when it is started. Throws if it cannot be used. */
  readonly open: (settings: CarrierSettings, succession: CarrierSuccession) => Promise<Provider>;
  /** How often the database is looked at, in milliseconds. */
  readonly looksEveryMs: number;
  /** Called when a message may have been queued to try a carrier with. */
  readonly notify: () => void;
  /** Wakes calls that wait for speech, after each sweep of the queues. `isChanged` if carriers were set or removed. */
  readonly sweepCalls?: (isChanged: boolean) => Promise<void>;
}

/** Looks between two sweeps of the queues. */
const LOOKS_A_SWEEP = 20;

/** Carriers of a tenant's channel. */
interface InUse {
  readonly first: Provider;
  /** Used if the first is out of reach, for messages that the first was never given. */
  readonly second: Provider | undefined;
}

/** A carrier and its predecessors in the same slot, however often it was set. */
export interface CarrierSuccession {
  readonly name: string;
  readonly tenantId: number;
  /** Key of its ids: its account, or its slot. */
  readonly ledger: string;
  /** Lists the names of all carriers that share the ledger. */
  listNames(): string[];
}

const simulatedTraits: KindTraits = { handsOver: false, tellsOnlyFailures: false };

export class InstalledCarriers implements Carriers {
  readonly #options: InstalledCarriersOptions;
  /** Rows at the last look, also of removed carriers. */
  #rows: ReadonlyMap<string, CarrierRow> = new Map();
  readonly #open = new Map<string, Provider>();
  /** Carriers in use, by tenant and channel. */
  #inUse: ReadonlyMap<string, InUse> = new Map();
  /** Time up to which accepted messages are discarded, by tenant and channel. */
  #discards: ReadonlyMap<string, number> = new Map();
  /** Tenants whose messages wait until they are enabled. */
  #disabled: ReadonlySet<number> = new Set();
  /** Number of changes of carriers at the last look. */
  #changes = -1;
  /** Tenants' channels that messages wait for, and that have no carrier. */
  readonly #missing = new Set<string>();
  readonly #stops = new Set<Promise<void>>();
  #listen: Listen | undefined;
  #queues: QueueKeeper | undefined;
  #looksUntilSweep = 0;
  #cancelLook = () => {};
  /** The look in progress. */
  #look: Promise<void> | undefined;

  constructor(options: InstalledCarriersOptions) {
    this.#options = options;
  }

  get all(): Iterable<Provider> {
    return [this.#options.simulator, ...this.#open.values()];
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
    // messages of a tenant with a carrier of its own did not wait for that of all tenants
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
    const text = "a live tenant has no carrier for a channel: its messages wait for one, until they expire";
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
    return name === this.#options.simulator.name ? this.#options.simulator : this.#open.get(name);
  }

  traitsOf(name: string): CarrierTraits {
    const row = this.#rows.get(name);
    const traits = findKind(row?.kind ?? SIMULATED)?.traits ?? simulatedTraits;
    if (row === undefined || row.sender === null) return traits;
    return { ...traits, sender: { sender: row.sender, usesMerchantNumbers: row.merchantNumbers === 1 } };
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
    // before the first look no tenant has a carrier
    await this.look();
    this.#goOn();
  }

  isBusy(): boolean {
    return this.#look !== undefined || Array.from(this.all).some((provider) => provider.isBusy());
  }

  async stop(): Promise<void> {
    this.#listen = undefined;
    this.#cancelLook();
    await this.#look?.catch(() => {});
    await Promise.all([...this.#stops, ...Array.from(this.all, (provider) => provider.stop())]);
  }

  #goOn(): void {
    if (this.#listen === undefined) return;
    const { clock, looksEveryMs, logger } = this.#options;
    // by elapsed time: a clock that is moved ahead meets none of these looks
    this.#cancelLook = clock.after(looksEveryMs, () => {
      this.look()
        .catch((error: unknown) => {
          logger.error({ err: error }, "the carriers could not be looked at; it is tried again");
        })
        .then(() => this.#goOn());
    });
  }

  /** Waits for a look in progress, which may have begun before the change that is looked for. */
  async look(): Promise<void> {
    while (this.#look !== undefined) await this.#look.catch(() => {});
    const look = this.#lookOnce().finally(() => {
      this.#look = undefined;
    });
    this.#look = look;
    return look;
  }

  async #lookOnce(): Promise<void> {
    const { changes, rows, disabled } = await this.#options.store.read(async (tx) => {
      // first, so that a later change is noticed
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
    // their messages may be of the tenant
    if (isEnabled) this.#queues?.wake(this.#open.keys());
    // after the successor is in use: in between, messages would wait
    for (const name of this.#open.keys()) {
      const row = this.#rows.get(name);
      if (row === undefined || row.removedAt !== null) this.#close(name);
    }
    if (isChanged || this.#looksUntilSweep <= 0) {
      await this.#queues?.sweep();
      await this.#options.sweepCalls?.(isChanged);
      // a claim during this look may have put messages into queues of removed carriers
      this.#looksUntilSweep = isChanged ? 1 : LOOKS_A_SWEEP;
    } else this.#looksUntilSweep -= 1;
    const tested = inUse.filter(({ name, testedAt }) => testedAt !== (before.get(name)?.testedAt ?? null));
    if (tested.length === 0) return;
    this.#queues?.wake(tested.map(({ name }) => name));
    this.#options.notify();
  }

  /** Pairs the first and second carriers in use, by their slot. */
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

  /** Opens a carrier. If it cannot be opened, messages for it wait: no other carrier may have them. */
  async #openOrExcuse(row: CarrierRow): Promise<{ provider: Provider; settings: Partial<CarrierSettings> }> {
    const { logger, open, openSecret } = this.#options;
    const { name, channel, kind, tenantId } = row;
    try {
      const settings = JSON.parse(openSecret(row.sealedSettings, bindCarrier(row)));
      const ledger = this.ledgerOf(name);
      const listNames = () => [...this.#rows.keys()].filter((other) => this.ledgerOf(other) === ledger);
      const provider = await open(settings, { name, tenantId, ledger, listNames });
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

  /** Closes a carrier: it is given nothing more, and its calls in flight end by themselves. */
  #close(name: string): void {
    const provider = this.#open.get(name);
    this.#open.delete(name);
    if (provider === undefined) return;
    this.#options.logger.info({ carrier: name }, "a carrier is in use no more");
    const ended = Promise.all([this.#queues?.close(name), provider.stop()]);
    const stop = ended
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error, carrier: name }, "a carrier was not left in order"),
      )
      .then(() => void this.#stops.delete(stop));
    this.#stops.add(stop);
  }
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

/** Creates a provider that takes nothing, and says why: its messages wait. */
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
