// Records carriers' answers and events in groups (docs/decisions/0050-groups-of-dispatch.md).

import { reached, sometimes } from "../platform/probes.ts";
import type { Transaction, Work } from "./store.ts";

/** Largest group. The whole group is recorded in one turn of the event loop. */
const LARGEST_GROUP = 64;

export interface GatheringOptions<Item, Result> {
  readonly write: <T>(work: Work<T>) => Promise<T>;
  /** Returns the item's key. Items with equal keys never share a group. */
  readonly keyOf: (item: Item) => string;
  /** Records the items of a group. Returns the results in their order. */
  readonly recordAll: (tx: Transaction, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Records one item of a group that could not be recorded as a whole. */
  readonly recordOne: (item: Item) => Promise<Result>;
  /** Called when a group could not be recorded as a whole. */
  readonly onSplit: (error: unknown) => void;
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | Promise<Result>) => void;
}

type Group<Item, Result> = Map<string, Waiting<Item, Result>>;

/**
 * Records items in groups. Items join a group until its transaction begins; no transaction is delayed to gather more.
 * If a group cannot be recorded, each of its items is recorded in a separate transaction.
 */
export class Batcher<Item, Result> {
  readonly #options: GatheringOptions<Item, Result>;
  /** The group whose transaction has not begun. */
  #open: Group<Item, Result> | undefined;

  constructor(options: GatheringOptions<Item, Result>) {
    this.#options = options;
  }

  /** Resolves with the result when the item is recorded. Rejects if it could not be recorded. */
  record(item: Item): Promise<Result> {
    const key = this.#options.keyOf(item);
    return new Promise((resolve) => {
      const group = this.#findRoom(key);
      group.set(key, { item, resolve });
    });
  }

  #findRoom(key: string): Group<Item, Result> {
    const open = this.#open;
    if (open !== undefined && open.size < (sometimes("a group is of one") ? 1 : LARGEST_GROUP) && !open.has(key))
      return open;
    const group: Group<Item, Result> = new Map();
    this.#open = group;
    this.#write(group);
    return group;
  }

  async #write(group: Group<Item, Result>): Promise<void> {
    const { write, recordAll, recordOne, onSplit } = this.#options;
    try {
      const results = await write((tx) => {
        this.#close(group);
        return recordAll(
          tx,
          Array.from(group.values(), ({ item }) => item),
        );
      });
      for (const [index, { resolve }] of [...group.values()].entries()) resolve(results[index] as Result);
    } catch (error) {
      this.#close(group);
      reached("a group was recorded item by item");
      onSplit(error);
      for (const { item, resolve } of group.values()) resolve(recordOne(item));
    }
  }

  /** Closes the group to further items. */
  #close(group: Group<Item, Result>): void {
    if (this.#open === group) this.#open = undefined;
  }
}
