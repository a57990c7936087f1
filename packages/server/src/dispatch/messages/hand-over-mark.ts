// The last message that left for a carrier, kept outside of the database: one that went back, by a copied file or a snapshot of
// its disk, does not know of it.

export interface HandOver {
  readonly messageId: string;
  /** The number of the attempt, from 1. */
  readonly attempt: number;
}

/** Keeps the last hand-over. */
export interface HandOverMark {
  /** Undefined before the first, and after `forget`. */
  readonly last: HandOver | undefined;
  /** Resolves once it is kept. Nothing leaves before. */
  note(handOver: HandOver): Promise<void>;
  /** Forgets it: what the database does not know of it was dealt with. */
  forget(): void;
  close(): void;
}

/** Keeps the last hand-over in memory: for instances that share a database, each of which knows what it gave away. */
export function createMemoryMark(): HandOverMark {
  let last: HandOver | undefined;
  return {
    get last() {
      return last;
    },
    async note(handOver) {
      last = handOver;
    },
    forget() {
      last = undefined;
    },
    close() {},
  };
}
