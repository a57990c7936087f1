// Owns the time of a world and the order of its events. One event runs at a time. The next event begins when all
// work of the current one has ended or waits for a port.

import type { Random } from "../random.ts";
import type { Trace } from "../trace.ts";
import { Turns } from "./turns.ts";

/** The process that an event belongs to. Its events are dropped when it dies, and wait while it is paused. */
export interface Owner {
  readonly name: string;
  readonly isDead: boolean;
  /** In microseconds of the world. */
  readonly pausedUntil: number;
}

interface Event {
  at: number;
  /** Orders events of the same time. */
  readonly order: number;
  readonly label: string;
  readonly owner: Owner | undefined;
  readonly run: () => void;
  isCanceled: boolean;
}

export interface Scheduled {
  /** In microseconds of the world. */
  readonly at: number;
  cancel(): void;
}

export class Scheduler {
  readonly #random: Random;
  readonly #trace: Trace;
  readonly #turns = new Turns();
  readonly #heap: Event[] = [];
  #now = 0;
  #steps = 0;
  #held: Promise<void>[] = [];

  constructor(random: Random, trace: Trace) {
    this.#random = random;
    this.#trace = trace;
  }

  /** Microseconds since the world began. */
  get now(): number {
    return this.#now;
  }

  get steps(): number {
    return this.#steps;
  }

  /** Schedules an event at a time in microseconds of the world, or at once if that time is past. */
  at(time: number, label: string, owner: Owner | undefined, run: () => void): Scheduled {
    const at = Math.max(time, this.#now);
    const event: Event = { at, order: this.#random.below(0x1_0000_0000), label, owner, run, isCanceled: false };
    this.#push(event);
    return {
      at,
      cancel() {
        event.isCanceled = true;
      },
    };
  }

  in(delay: number, label: string, owner: Owner | undefined, run: () => void): Scheduled {
    return this.at(this.#now + delay, label, owner, run);
  }

  /** Extends the current step until `work` has ended. `work` must not wait for events of the world. */
  hold(work: Promise<void>): void {
    this.#held.push(work);
  }

  /** Time of the next event, in microseconds of the world; undefined if there is none. */
  get next(): number | undefined {
    this.#dropDead();
    return this.#heap[0]?.at;
  }

  /** Runs the next event with all work that it starts. Returns false if there is no event. */
  async step(): Promise<boolean> {
    this.#dropDead();
    const event = this.#pop();
    if (event === undefined) return false;
    const { owner } = event;
    if (owner !== undefined && owner.pausedUntil > event.at) {
      event.at = owner.pausedUntil;
      this.#push(event);
      return true;
    }
    this.#now = event.at;
    this.#steps += 1;
    this.#trace.note(`${event.at} ${owner?.name ?? "world"} ${event.label}`);
    event.run();
    await this.#turns.next();
    while (this.#held.length > 0) {
      const held = this.#held;
      this.#held = [];
      await Promise.all(held);
      await this.#turns.next();
    }
    return true;
  }

  #dropDead(): void {
    for (let first = this.#heap[0]; first !== undefined; first = this.#heap[0]) {
      if (!first.isCanceled && first.owner?.isDead !== true) return;
      this.#pop();
    }
  }

  #push(event: Event): void {
    const heap = this.#heap;
    let index = heap.length;
    heap.push(event);
    while (index > 0) {
      const parent = (index - 1) >> 1;
      if (!isBefore(event, heap[parent] as Event)) break;
      heap[index] = heap[parent] as Event;
      index = parent;
    }
    heap[index] = event;
  }

  #pop(): Event | undefined {
    const heap = this.#heap;
    const first = heap[0];
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1] as Event, heap[child] as Event)) child += 1;
      if (!isBefore(heap[child] as Event, last)) break;
      heap[index] = heap[child] as Event;
      index = child;
    }
    heap[index] = last;
    return first;
  }
}

function isBefore(one: Event, other: Event): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}
