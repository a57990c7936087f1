import type { SessionPool } from "../../platform/postgres/connections.ts";
import type { NoteCommit } from "../occurrences.ts";
import type { Store } from "../store.ts";
import { Groups } from "./groups.ts";
import { openSnapshot, readMoment, readPages } from "./long-reads.ts";
import { type StorePorts, systemPorts } from "./ports.ts";
import { Units } from "./units.ts";

/** The share of the connections that background work has at most. */
const BACKGROUND_SHARE = 3;

export interface PooledStoreOptions {
  readonly connections: SessionPool;
  /** Of reads that last for several turns: they keep none from requests and dispatch. */
  readonly longReads: SessionPool;
  /** The most connections of both at once. */
  readonly mostConnections: number;
  readonly noteCommit?: NoteCommit | undefined;
  /** @default the machine's own */
  readonly ports?: StorePorts;
}

/** A `Store` over connections to PostgreSQL, whoever lends them. Closing it closes them. */
export function createPooledStore(options: PooledStoreOptions): Store {
  const { connections, longReads, mostConnections, noteCommit, ports = systemPorts } = options;
  const units = new Units(connections, noteCommit, ports);
  const groups = new Groups(connections, units, noteCommit, ports);
  // of their own: they take longer than those of requests
  const backgroundGroups = new Groups(connections, units, noteCommit, ports);
  const background = new Places(Math.max(1, Math.floor(mostConnections / BACKGROUND_SHARE)));
  const open = new Set<Promise<unknown>>();
  /** Resolves or rejects as `work` does; until then the store does not close. */
  const follow = <T>(work: Promise<T>): Promise<T> => {
    open.add(work);
    const forget = () => open.delete(work);
    work.then(forget, forget);
    return work;
  };
  return {
    read: (work) => follow(readMoment(connections, work)),
    readPages: (query) => readPages(longReads, query),
    openSnapshot: () => openSnapshot(longReads),
    write(work, place) {
      if (place === "together") return follow(groups.run(work));
      if (place === "background together") return follow(backgroundGroups.run(work));
      if (place === "claim") return follow(backgroundGroups.runAlone(work));
      return follow(place === "background" ? background.take(() => units.run(work)) : units.run(work));
    },
    saturatedMs: () => groups.fullMs,
    breakOff() {
      connections.breakOff?.();
      longReads.breakOff?.();
    },
    async close() {
      while (open.size > 0) await Promise.allSettled(open);
      await connections.close();
      await longReads.close();
    },
  };
}

/** Runs so many pieces of work at a time; the others wait in the order in which they came. */
class Places {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(most: number) {
    this.#free = most;
  }

  async take<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
