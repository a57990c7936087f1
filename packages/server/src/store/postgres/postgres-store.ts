import { Connections } from "../../platform/postgres/connections.ts";
import { loadDriver } from "../../platform/postgres/driver.ts";
import { STATEMENT_MS } from "../../platform/postgres/sessions.ts";
import type { NoteCommit } from "../occurrences.ts";
import type { Store, Transaction, Work } from "../store.ts";
import { Groups } from "./groups.ts";
import { openSnapshot, readMoment, readPages } from "./long-reads.ts";
import { migratePostgres, waitUntilAlone } from "./migrations.ts";
import { Units } from "./units.ts";

export const defaultMostConnections = 16;
/** The share of the connections that long reads have, and background work at most. */
const LONG_READS_SHARE = 4;
const BACKGROUND_SHARE = 3;
/** Longer than a statement may take, so that the server's own word comes first. */
const ANSWER_MS = STATEMENT_MS + 5_000;

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`; several hosts are separated by commas. */
  readonly url: string;
  /** Epoch milliseconds, for the record of migrations. */
  readonly now: () => number;
  /** The most connections open at once. @default `defaultMostConnections` */
  readonly mostConnections?: number;
  /** Whether requests are served from it: its connections say so, and `writeUnserved` refuses beside them. */
  readonly isServing?: boolean;
  readonly noteCommit?: NoteCommit;
}

/** Connects to the database, migrates its tables or waits for whoever does, and returns it as a `Store`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, now, mostConnections = defaultMostConnections, isServing = false, noteCommit } = options;
  const driver = await loadDriver();
  await migratePostgres(url, now());
  const forLongReads = Math.max(1, Math.floor(mostConnections / LONG_READS_SHARE));
  const application = isServing ? SERVING : undefined;
  const serving = { url, application, answerMs: ANSWER_MS, plansByIndex: true };
  const connections = new Connections(driver, { ...serving, most: mostConnections - forLongReads });
  const longReads = new Connections(driver, { ...serving, most: forLongReads });
  const units = new Units(connections, noteCommit);
  const groups = new Groups(connections, units, noteCommit);
  // of their own: they take longer than those of requests
  const backgroundGroups = new Groups(connections, units, noteCommit);
  const background = new Places(Math.max(1, Math.floor(mostConnections / BACKGROUND_SHARE)));
  try {
    // from here on commands find the connections of an instance that serves
    await units.runUnbounded(waitUntilAlone);
  } catch (error) {
    await connections.close();
    throw error;
  }
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
    async close() {
      while (open.size > 0) await Promise.allSettled(open);
      await connections.close();
      await longReads.close();
    },
  };
}

/** The name of the connections of an instance that serves. */
const SERVING = "msgd serve";

/** Instances serve a database that only a command may change. */
export class DatabaseServed extends Error {
  override readonly name = "DatabaseServed";
}

/**
 * Runs `work` in a transaction of the database at `url`, then disconnects. Throws `DatabaseServed` while an instance
 * serves it; one that starts meanwhile waits.
 */
export async function writeUnserved<T>(url: string, work: Work<T>): Promise<T> {
  const connections = new Connections(await loadDriver(), { url, most: 1, mustBeDirect: true });
  try {
    return await new Units(connections, undefined).run(async (tx) => {
      await waitUntilUnserved(tx);
      return work(tx);
    });
  } finally {
    await connections.close();
  }
}

/**
 * Waits until no other instance migrates or begins, and keeps them waiting until the transaction ends. Throws
 * `DatabaseServed` while an instance serves the database.
 */
export async function waitUntilUnserved(tx: Transaction): Promise<void> {
  await waitUntilAlone(tx);
  const sql = `SELECT COUNT(*) AS connections FROM pg_stat_activity
                WHERE datname = current_database() AND application_name = $1`;
  const found = await tx.get<{ connections: number }>(sql, SERVING);
  if (found === undefined || found.connections > 0) {
    throw new DatabaseServed(
      `instances serve the database, with ${found?.connections} connections: stop them all first`,
    );
  }
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
