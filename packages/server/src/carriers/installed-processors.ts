// The payment processors that operators have set. Each use reads the database, so that every instance follows `msgd
// processors` at once; payments are rare.

import { findProcessorByEvents, findProcessorOf, type ProcessorRow } from "../domain/billing/processor-rows.ts";
import type { EventsReceiver } from "../domain/carrier-events.ts";
import { bindProcessor } from "../domain/tenancy/credentials.ts";
import { EVERY_TENANT } from "../domain/tenancy/rows.ts";
import type { Store, Transaction } from "../store/store.ts";
import type { InstalledProcessor, PaymentEvent } from "./payment-processor.ts";
import type { OpenProcessor, ProcessorSettings, ProcessorSurroundings } from "./processor-kind.ts";
import { openProcessor, processorKinds } from "./processor-kinds.ts";

export interface InstalledProcessorsOptions extends Pick<ProcessorSurroundings, "clock" | "publicUrl"> {
  readonly store: Store;
  readonly openSecret: (sealed: string, binding: string) => string;
  readonly recordEvent: (source: Pick<InstalledProcessor, "name" | "tenantId">, event: PaymentEvent) => Promise<void>;
}

/** Ids of URLs that may exist. Others need no look into the database. */
const eventsIdPattern = /^[\w-]{22}$/;

export class InstalledProcessors {
  readonly #options: InstalledProcessorsOptions;
  /** By tenant. Settings of a name never change. */
  readonly #open = new Map<number, { readonly name: string; readonly opened: Promise<OpenProcessor> }>();

  constructor(options: InstalledProcessorsOptions) {
    this.#options = options;
  }

  /** Finds the processor in use for a tenant. If it cannot be used, its calls reject. */
  async of(tx: Transaction, tenantId: number): Promise<InstalledProcessor | undefined> {
    const row = await findProcessorOf(tx, tenantId);
    return row && this.#toInstalled(row);
  }

  /** Finds the processor in use whose URL for events has this id. */
  async findReceiver(eventsId: string): Promise<EventsReceiver | undefined> {
    if (!eventsIdPattern.test(eventsId)) return undefined;
    const row = await this.#options.store.read((tx) => findProcessorByEvents(tx, eventsId));
    if (row === undefined) return undefined;
    return { name: row.name, receive: async (request) => (await this.#use(row)).receive(request) };
  }

  async stop(): Promise<void> {
    const opened = Array.from(this.#open.values(), (one) => one.opened);
    this.#open.clear();
    for (const one of await Promise.allSettled(opened)) if (one.status === "fulfilled") one.value.stop();
  }

  #toInstalled(row: ProcessorRow): InstalledProcessor {
    const { name, tenantId, servesFrom, kind } = row;
    const repeatableMs = processorKinds.find((one) => one.name === kind)?.repeatableMs ?? 0;
    return {
      ...{ name, tenantId, servesFrom, repeatableMs },
      prepare: async (order, signal) => (await this.#use(row)).prepare(order, signal),
      submit: async (order, signal) => (await this.#use(row)).submit(order, signal),
      find: async (order, signal) => (await this.#use(row)).find(order, signal),
    };
  }

  #use(row: ProcessorRow): Promise<OpenProcessor> {
    const known = this.#open.get(row.tenantId);
    if (known?.name === row.name) return known.opened;
    // connections of a predecessor are closed when they have been idle
    const opened = this.#start(row);
    this.#open.set(row.tenantId, { name: row.name, opened });
    opened.catch(() => {
      // a library may be installed, and a key added, without a restart
      if (this.#open.get(row.tenantId)?.opened === opened) this.#open.delete(row.tenantId);
    });
    return opened;
  }

  async #start(row: ProcessorRow): Promise<OpenProcessor> {
    const { openSecret, clock, publicUrl, recordEvent } = this.#options;
    const { name, tenantId, sealedSettings } = row;
    const settings = JSON.parse(openSecret(sealedSettings, bindProcessor(row))) as ProcessorSettings;
    const record = (event: PaymentEvent) => recordEvent({ name, tenantId }, event);
    return openProcessor(settings, { isForAllTenants: tenantId === EVERY_TENANT, clock, publicUrl, record });
  }
}
