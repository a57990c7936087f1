import { setImmediate } from "../../../platform/timers.ts";

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/**
 * Writes items in groups: what arrives in a turn of the event loop, or while a group is being written, is the next one.
 * No reference comes twice in a group; a second one waits for the next.
 */
export class ArrivalGroups<Item extends { readonly reference: string }, Result> {
  readonly #write: (group: readonly Item[]) => Promise<readonly Result[]>;
  readonly #limit: number;
  #waiting: Waiting<Item, Result>[] = [];
  #isUnderWay = false;

  /** `write` returns the results in the order of its items. */
  constructor(write: (group: readonly Item[]) => Promise<readonly Result[]>, limit: number) {
    this.#write = write;
    this.#limit = limit;
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isUnderWay) return;
      this.#isUnderWay = true;
      setImmediate(() => this.#writeAll());
    });
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const group = this.#takeGroup();
      try {
        const results = await this.#write(group.map(({ item }) => item));
        for (const [index, { resolve }] of group.entries()) resolve(results[index] as Result);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    this.#isUnderWay = false;
  }

  #takeGroup(): Waiting<Item, Result>[] {
    const group = new Map<string, Waiting<Item, Result>>();
    const others: Waiting<Item, Result>[] = [];
    for (const waiting of this.#waiting) {
      const { reference } = waiting.item;
      if (group.size < this.#limit && !group.has(reference)) group.set(reference, waiting);
      else others.push(waiting);
    }
    this.#waiting = others;
    return [...group.values()];
  }
}
