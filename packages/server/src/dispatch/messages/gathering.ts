import { reached, sometimes } from "../../platform/probes.ts";
import type { Transaction, Work } from "../../store/store.ts";

/** The most of a group: a millisecond or two of work, with no turn of the event loop in between. */
const LARGEST_GROUP = 64;

export interface GatheringOptions<Item, Result> {
  /** Runs a unit of work. */
  readonly write: <T>(work: Work<T>) => Promise<T>;
  /** What no two of a group may have in common. */
  readonly keyOf: (item: Item) => string;
  /** Records the items of a group; the results in their order. */
  readonly recordAll: (tx: Transaction, items: readonly Item[]) => Promise<readonly Result[]>;
  /** Records one of a group that could not be recorded as a whole. */
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
 * Records in groups: what comes until the unit of work of a group has begun is part of it. Nothing waits for others to come.
 * One that cannot be recorded takes no other with it: then each of its group is recorded by itself.
 */
export class Gathering<Item, Result> {
  readonly #options: GatheringOptions<Item, Result>;
  /** The group whose unit of work has not begun. */
  #open: Group<Item, Result> | undefined;

  constructor(options: GatheringOptions<Item, Result>) {
    this.#options = options;
  }

  /** Settles once the item is recorded, or could not be. */
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
      reached("a group was not recorded as a whole");
      onSplit(error);
      for (const { item, resolve } of group.values()) resolve(recordOne(item));
    }
  }

  /** What comes from now on is not of the group. */
  #close(group: Group<Item, Result>): void {
    if (this.#open === group) this.#open = undefined;
  }
}
