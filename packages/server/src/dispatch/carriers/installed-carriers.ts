// The carriers that tenants were given, as the database has them: looked at again and again, so that what a command sets or
// removes beside a running server is taken within a second, and by no message that is accepted later. A test tenant is on the
// simulator; a live one that has none has its messages wait, but in development.

import type { Clock } from "../../platform/clock.ts";
import type { Logger } from "../../platform/logging.ts";
import { type CarrierSettings, SIMULATED, type SmppSettings } from "../../rules/carriers.ts";
import type { Channel } from "../../rules/consent.ts";
import { bindCarrier } from "../../rules/credentials.ts";
import { type CarrierRow, countCarrierChanges, EVERY_TENANT, listCarriers } from "../../store/carriers.ts";
import type { Store, Transaction } from "../../store/store.ts";
import { listDisabled } from "../../store/tenancy.ts";
import type { Provider } from "../providers/provider.ts";
import type {
  Accepted,
  Carriers,
  CarrierTraits,
  LineKeeper,
  Listen,
  SimulatedTenants,
  TextSender,
} from "./carriers.ts";

export interface InstalledCarriersOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger & { info(details: object, message: string): void };
  readonly simulator: Provider;
  /** Whom the simulator carries for where nobody else does. */
  readonly simulated: SimulatedTenants;
  readonly openSecret: (sealed: string, binding: string) => string;
  /** Opens a carrier, which begins to work when it is started. Throws if it cannot be used at all. */
  readonly open: (name: string, settings: CarrierSettings, place: CarrierSuccession) => Promise<Provider>;
  /** How often the database is looked at, in milliseconds. */
  readonly looksEveryMs: number;
  /** Called when a message may have been queued to try a carrier with. */
  readonly notify: () => void;
  /** Has calls that waited for speech go on. Called when the lines were swept; `isChanged` if carriers were set or removed. */
  readonly sweepCalls?: (isChanged: boolean) => Promise<void>;
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
  /** Under what its ids are kept: its account's, or its place's. */
  readonly ledger: string;
  /** The names of all carriers that have the place, or had it before. */
  listNames(): string[];
}

const traits: Readonly<Record<CarrierRow["kind"], CarrierTraits>> = {
  simulated: { handsOver: false, tellsOnlyFailures: false },
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
  /** Until when what was accepted is not to be sent: by tenant and channel. */
  #discards: ReadonlyMap<string, number> = new Map();
  /** Tenants whose messages wait until they are enabled. */
  #disabled: ReadonlySet<number> = new Set();
  /** How often carriers had been set or removed at the last look. */
  #changes = -1;
  /** Tenants' channels without a carrier, for which messages wait. */
  readonly #missing = new Set<string>();
  readonly #stops = new Set<Promise<void>>();
  #listen: Listen | undefined;
  #lines: LineKeeper | undefined;
  #looksUntilSweep = 0;
  #cancelLook = () => {};
  /** The look that is under way. */
  #look: Promise<void> | undefined;

  constructor(options: InstalledCarriersOptions) {
    this.#options = options;
  }

  get all(): Iterable<Provider> {
    return [this.#options.simulator, ...this.#open.values()];
  }

  of(tx: Transaction, tenantId: number, channel: Channel): Provider | undefined | Promise<Provider | undefined> {
    if (this.isDisabled(tenantId)) return undefined;
    const own = this.#inUse.get(placeOf(tenantId, channel));
    if (own !== undefined) return this.#choose(own);
    const common = this.#inUse.get(placeOf(EVERY_TENANT, channel));
    const { simulator, simulated } = this.#options;
    const isSimulated = common === undefined ? simulated.includes(tx, tenantId) : simulated.isTest(tx, tenantId);
    const choose = (found: boolean) => (found ? simulator : common && this.#choose(common));
    return typeof isSimulated === "boolean" ? choose(isSimulated) : isSimulated.then(choose);
  }

  async isCurrent(tx: Transaction): Promise<boolean> {
    return (await countCarrierChanges(tx)) === this.#changes;
  }

  discards({ tenantId, channel, createdAt }: Accepted): boolean {
    if (createdAt <= (this.#discards.get(placeOf(tenantId, channel)) ?? -1)) return true;
    const ofAll = this.#discards.get(placeOf(EVERY_TENANT, channel)) ?? -1;
    // whoever had a carrier of its own then had nothing wait for that of all
    const isOwn = (row: CarrierRow) => row.tenantId === tenantId && row.channel === channel && wasInUse(row, ofAll);
    return createdAt <= ofAll && ![...this.#rows.values()].some(isOwn);
  }

  isDisabled(tenantId: number): boolean {
    return this.#disabled.has(tenantId);
  }

  noteMissing(tenantId: number, channel: Channel): void {
    if (this.isDisabled(tenantId)) return;
    const place = placeOf(tenantId, channel);
    if (this.#missing.has(place)) return;
    this.#missing.add(place);
    const text = "a live tenant has no carrier for a channel: its messages wait for one, until they expire";
    this.#options.logger.warn({ tenantId, channel }, text);
  }

  carries(name: string, tenantId: number): boolean {
    const channel = this.#rows.get(name)?.channel ?? "";
    const own = this.#inUse.get(placeOf(tenantId, channel)) ?? this.#inUse.get(placeOf(EVERY_TENANT, channel));
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
    if (row === undefined) return traits.simulated;
    const sender = this.#senders.get(name);
    return sender === undefined ? traits[row.kind] : { ...traits[row.kind], sender };
  }

  ledgerOf(name: string): string {
    const row = this.#rows.get(name);
    if (row === undefined) return name;
    return row.account ?? placeLedgerOf(row);
  }

  async start(listen: Listen, lines: LineKeeper): Promise<void> {
    this.#listen = listen;
    this.#lines = lines;
    const { simulator } = this.#options;
    simulator.start((event) => listen(simulator.name, event));
    // without a first look nobody would have a carrier
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
    // of elapsed time: a clock that is moved ahead has none of these looks on its way
    this.#cancelLook = clock.after(looksEveryMs, () => {
      this.look()
        .catch((error: unknown) => {
          logger.error({ err: error }, "the carriers could not be looked at; it is tried again");
        })
        .then(() => this.#goOn());
    });
  }

  /** One that is under way may have begun before the change that is looked for. */
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
      // first: a change after it is seen as one
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
    // what waits in them may be of the tenant
    if (isEnabled) this.#lines?.wake(this.#open.keys());
    // once another has its place: in between, its messages would wait
    for (const name of this.#open.keys()) {
      const row = this.#rows.get(name);
      if (row === undefined || row.removedAt !== null) this.#close(name);
    }
    if (isChanged || this.#looksUntilSweep <= 0) {
      await this.#lines?.sweep();
      await this.#options.sweepCalls?.(isChanged);
      // what was being claimed as this looked may have entered lines by what was so before
      this.#looksUntilSweep = isChanged ? 1 : LOOKS_A_SWEEP;
    } else this.#looksUntilSweep -= 1;
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
        const first = isSecond(row) ? undefined : this.#providerOf(row);
        if (first === undefined) return [];
        return [[place, { first, second: this.#open.get(seconds.get(place) ?? "") }] as const];
      }),
    );
  }

  #providerOf({ kind, name }: CarrierRow): Provider | undefined {
    return kind === SIMULATED ? this.#options.simulator : this.#open.get(name);
  }

  #choose({ first, second }: InUse): Provider {
    if (second === undefined || this.#lines === undefined) return first;
    return this.#lines.isDown(first.name) && !this.#lines.isDown(second.name) ? second : first;
  }

  async #add(row: CarrierRow): Promise<void> {
    const { provider, settings } = await this.#openOrExcuse(row);
    const [listen, lines] = [this.#listen, this.#lines];
    if (listen === undefined || lines === undefined) return;
    if (isSmpp(settings)) {
      const { sender, merchantNumbers = true } = settings;
      this.#senders.set(row.name, { sender, usesMerchantNumbers: merchantNumbers });
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
    this.#options.logger.info({ carrier: name }, "a carrier is in use no more");
    const ended = Promise.all([this.#lines?.close(name), provider.stop()]);
    const stop = ended
      .catch((error: unknown) =>
        this.#options.logger.error({ err: error, carrier: name }, "a carrier was not left in order"),
      )
      .then(() => void this.#stops.delete(stop));
    this.#stops.add(stop);
  }
}

function isSmpp(settings: Partial<CarrierSettings>): settings is SmppSettings {
  return "systemId" in settings;
}

/** Under what the ids are kept of a carrier that has no account. */
function placeLedgerOf({ tenantId, channel, isSecond }: CarrierRow): string {
  const place = placeOf(tenantId, channel);
  return isSecond === 1 ? `${place} second` : place;
}

function isSecond({ isSecond }: CarrierRow): boolean {
  return isSecond === 1;
}

function wasInUse({ setAt, removedAt }: CarrierRow, at: number): boolean {
  return setAt <= at && (removedAt === null || removedAt > at);
}

function findDiscards(rows: readonly CarrierRow[]): Map<string, number> {
  const discards = new Map<string, number>();
  for (const { tenantId, channel, discardedAt } of rows) {
    const place = placeOf(tenantId, channel);
    if (discardedAt !== null) discards.set(place, Math.max(discardedAt, discards.get(place) ?? 0));
  }
  return discards;
}

function placeOf(tenantId: number, channel: string): string {
  return `${tenantId} ${channel}`;
}

/** Creates a provider that takes nothing, and says why: what is meant for it waits. */
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
