// Carriers that an operator takes away for a time, as the operator and the world know of it.

import { discardWaiting, EVERY_TENANT, insertCarrier, removeCarrier } from "../../src/domain/carriers/rows.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { Channel } from "../plan/plan.ts";
import type { Scheduler } from "./scheduler.ts";

/** A time in which nobody carried a channel, in microseconds of the world: from when the operator was told so. */
export interface Absence {
  readonly channel: Channel;
  readonly from: number;
  to: number;
}

export class Removals {
  readonly absences: Absence[] = [];
  /** When messages were given to carriers, by their ids: each time, in microseconds of the world. */
  readonly given = new Map<string, number[]>();
  /** Whether all carriers are back. */
  isCalm = false;
  readonly #scheduler: Scheduler;
  #settings = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Sets a carrier for a channel, in place of the one before. */
  async set(tx: Transaction, channel: Channel, now: number): Promise<void> {
    this.#settings += 1;
    const place = { tenantId: EVERY_TENANT, channel, isSecond: 0 } as const;
    await removeCarrier(tx, { ...place, now });
    const name = `${channel}-${this.#settings}`;
    await insertCarrier(tx, { ...place, name, kind: "smpp", sealedSettings: "", setAt: now });
  }

  async remove(
    tx: Transaction,
    channel: Channel,
    { now, discards }: { now: number; discards: boolean },
  ): Promise<void> {
    const place = { tenantId: EVERY_TENANT, channel, isSecond: 0 } as const;
    await removeCarrier(tx, { ...place, now });
    if (discards) await discardWaiting(tx, { ...place, name: "none", now });
  }

  /** The command that removed a carrier has returned. */
  noteRemoved(channel: Channel): void {
    this.absences.push({ channel, from: this.#scheduler.now, to: Number.POSITIVE_INFINITY });
  }

  /** A carrier is about to be set; without a channel, the database may have any again. */
  noteReturn(channel?: Channel): void {
    for (const absence of this.absences)
      if (channel === undefined || absence.channel === channel) absence.to = Math.min(absence.to, this.#scheduler.now);
  }

  noteGiven(reference: string): void {
    this.given.set(reference, [...(this.given.get(reference) ?? []), this.#scheduler.now]);
  }
}
