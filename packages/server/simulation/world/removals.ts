// Removes carriers temporarily, as operators do with commands, and records when each channel had no carrier.

import { discardWaiting, insertCarrier, removeCarrier } from "../../src/domain/carriers/rows.ts";
import { EVERY_TENANT } from "../../src/domain/tenancy/rows.ts";
import type { Transaction } from "../../src/store/store.ts";
import type { Channel } from "../plan/plan.ts";
import type { Scheduler } from "./scheduler.ts";

/** Period without a carrier for a channel, in microseconds of the world. It begins when the command returns. */
export interface Absence {
  readonly channel: Channel;
  readonly from: number;
  to: number;
}

export class Removals {
  readonly absences: Absence[] = [];
  /** Times at which each message was submitted, by message id, in microseconds of the world. */
  readonly given = new Map<string, number[]>();
  /** Whether all carriers are back. */
  isCalm = false;
  readonly #scheduler: Scheduler;
  #settings = 0;

  constructor(scheduler: Scheduler) {
    this.#scheduler = scheduler;
  }

  /** Sets a carrier for a channel, in place of the previous one. */
  async set(tx: Transaction, channel: Channel, now: number): Promise<void> {
    this.#settings += 1;
    const slot = { tenantId: EVERY_TENANT, channel, isSecond: 0 } as const;
    await removeCarrier(tx, { ...slot, now });
    const name = `${channel}-${this.#settings}`;
    await insertCarrier(tx, { ...slot, name, kind: "smpp", sealedSettings: "", setAt: now });
  }

  async remove(
    tx: Transaction,
    channel: Channel,
    { now, discards }: { now: number; discards: boolean },
  ): Promise<void> {
    const slot = { tenantId: EVERY_TENANT, channel, isSecond: 0 } as const;
    await removeCarrier(tx, { ...slot, now });
    if (discards) await discardWaiting(tx, { ...slot, name: "none", now });
  }

  /** Called when the command that removes a carrier has returned. */
  noteRemoved(channel: Channel): void {
    this.absences.push({ channel, from: this.#scheduler.now, to: Number.POSITIVE_INFINITY });
  }

  /** Called before a carrier is set. Without a channel, called before a backup is restored, which may contain carriers. */
  noteReturn(channel?: Channel): void {
    for (const absence of this.absences)
      if (channel === undefined || absence.channel === channel) absence.to = Math.min(absence.to, this.#scheduler.now);
  }

  noteGiven(reference: string): void {
    this.given.set(reference, [...(this.given.get(reference) ?? []), this.#scheduler.now]);
  }
}
