// Attempts in flight in this process, and which tenant may begin another: one that holds fewer slots than are free. A
// single tenant gets half of the slots, two get a third each, and some are left for the next. The last free slot goes
// to a tenant that has none. The same applies to the slots at one receiver.

import type { DueLine, LineKey } from "../../store/callback-lines.ts";

export interface SlotCounts {
  readonly total: number;
  /** At one receiver, for all tenants together. */
  readonly perReceiver: number;
}

/** What a line must wait for: one of its own attempts to end, or any at its receiver; undefined for nothing. */
export type Obstacle = "itself" | "receiver" | undefined;

export class Slots {
  readonly #counts: SlotCounts;
  #taken = 0;
  #byTenant = new Map<number, number>();
  #byReceiver = new Map<string, number>();
  #byLine = new Map<string, number>();

  constructor(counts: SlotCounts) {
    this.#counts = counts;
  }

  get taken(): number {
    return this.#taken;
  }

  get free(): number {
    return this.#counts.total - this.#taken;
  }

  /** Copies the counts, for a claim to try out. */
  copy(): Slots {
    const copy = new Slots(this.#counts);
    copy.#taken = this.#taken;
    copy.#byTenant = new Map(this.#byTenant);
    copy.#byReceiver = new Map(this.#byReceiver);
    copy.#byLine = new Map(this.#byLine);
    return copy;
  }

  take({ tenantId, receiver }: LineKey): void {
    this.#taken += 1;
    add(this.#byTenant, tenantId, 1);
    add(this.#byReceiver, receiver, 1);
    add(this.#byLine, nameLine(tenantId, receiver), 1);
  }

  leave({ tenantId, receiver }: LineKey): void {
    this.#taken -= 1;
    add(this.#byTenant, tenantId, -1);
    add(this.#byReceiver, receiver, -1);
    add(this.#byLine, nameLine(tenantId, receiver), -1);
  }

  /** The first tenant with the fewest slots of those that may take another; undefined if none may. */
  chooseTenant(tenantIds: Iterable<number>): number | undefined {
    let chosen: number | undefined;
    let fewest = this.free;
    for (const tenantId of tenantIds) {
      const held = this.#byTenant.get(tenantId) ?? 0;
      if (held >= fewest) continue;
      chosen = tenantId;
      fewest = held;
    }
    return chosen;
  }

  freeAt(receiver: string): number {
    return this.#counts.perReceiver - (this.#byReceiver.get(receiver) ?? 0);
  }

  /** What the line must wait for. Until it answers, a receiver that rested gets one attempt at a time. */
  findObstacle({ tenantId, receiver, rests }: DueLine): Obstacle {
    const held = this.#byLine.get(nameLine(tenantId, receiver)) ?? 0;
    const most = rests > 0 ? Math.min(1, this.freeAt(receiver)) : this.freeAt(receiver);
    if (held < most) return undefined;
    return held > 0 ? "itself" : "receiver";
  }
}

function nameLine(tenantId: number, receiver: string): string {
  return `${tenantId} ${receiver}`;
}

function add<Key>(counts: Map<Key, number>, key: Key, change: number): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}
