// Opens stores and other parts of a database by its engine. Only this file and store/reader.ts know both engines. The code
// for PostgreSQL and its driver are loaded when they are needed.

import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { LEDGER_SCHEMA, type LedgerDatabase, ledgerTables } from "./carriers/simulated/ledger.ts";
import { type Restored, restore } from "./dispatch/messages/restoration.ts";
import type { Clock } from "./platform/clock.ts";
import type { DatabaseLocation } from "./platform/database-url.ts";
import { defined } from "./platform/defined.ts";
import type { Databases } from "./store/databases.ts";
import { databaseTime } from "./store/installation.ts";
import { findLastBackup, noteBackup } from "./store/lineage.ts";
import { findAge } from "./store/migrate.ts";
import type { PostgresStoreOptions } from "./store/postgres/postgres-store.ts";
import { endSessionsAndLinks } from "./store/restorations.ts";
import {
  backUpDatabase,
  flush,
  inspectDatabase,
  openTransferSource,
  readDiskRoom,
} from "./store/sqlite/database-file.ts";
import {
  migrateDatabase,
  openAttachedStore,
  openSqliteStore,
  type SqliteStoreOptions,
  writeDatabase,
} from "./store/sqlite/sqlite-store.ts";
import type { Store, Work } from "./store/store.ts";
import { planCopies, standIns } from "./store/transfer/transfer.ts";

/** Returns a function that finds the space on the database's disk, if the database is a file. */
export function findDiskRoom(database: DatabaseLocation) {
  if ("url" in database || database.file === ":memory:") return {};
  return { findDiskRoom: () => readDiskRoom(database.file) };
}

/** Returns a function that finds the time of the last `msgd backup`, if the database is a file. */
export function findBackups(database: DatabaseLocation) {
  return "url" in database || database.file === ":memory:" ? {} : { findLastBackup };
}

/** Options of one engine. The other engine ignores them. */
type EngineOptions = {
  readonly [K in "checkpointThread" | "cursorThread" | "noteCommit" | "noteCheckpoint" | "isServing"]?:
    | (SqliteStoreOptions & PostgresStoreOptions)[K]
    | undefined;
};

interface StoreOptions extends EngineOptions {
  readonly database: DatabaseLocation;
  /** The most connections to a database on a server. @default `defaultMostConnections` */
  readonly databaseConnections?: number | undefined;
  readonly clock: Clock;
}

/** Opens the store of a service, or of a command that may run beside a service. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { database, databaseConnections, clock, isServing, noteCommit } = options;
  if ("url" in database) {
    const { openPostgresStore } = await import("./store/postgres/postgres-store.ts");
    return openPostgresStore({
      url: database.url,
      now: clock.now,
      ...defined({ mostConnections: databaseConnections, isServing, noteCommit }),
    });
  }
  const { checkpointThread, cursorThread, noteCheckpoint } = options;
  return openSqliteStore({
    path: database.file,
    now: clock.now,
    ...defined({ checkpointThread, cursorThread, noteCommit, noteCheckpoint }),
  });
}

/** Opens the database of the simulated carrier's ledger. It is separate from the server's transactions. */
export async function openLedgerDatabase(location: DatabaseLocation): Promise<LedgerDatabase> {
  if ("file" in location) {
    const store = await openAttachedStore(location.file, LEDGER_SCHEMA, ledgerTables);
    // no other process writes to the file, so no write can come too late
    return { ...store, time: "0", teller: "msgd", isShared: false };
  }
  const { openSchemaStore } = await import("./store/postgres/postgres-store.ts");
  const store = await openSchemaStore({
    url: location.url,
    schema: LEDGER_SCHEMA,
    tables: ledgerTables,
    application: "msgd simulated carrier",
    mostConnections: 4,
    // longer than a submission is valid, but shorter than the provider's caller waits
    answerMs: 9_000,
  });
  return { ...store, time: databaseTime, teller: randomUUID(), isShared: true };
}

/** Operations of commands on a database without an open store. */
export const databases: Databases<Restored> = {
  async exists(database) {
    if ("file" in database) return existsSync(database.file);
    const { hasTables } = await import("./store/postgres/database.ts");
    return hasTables(database.url);
  },
  async inspect(database, now) {
    if ("file" in database) return inspectDatabase(database.file, now);
    const { inspectPostgres } = await import("./store/postgres/database.ts");
    return inspectPostgres(database.url, now);
  },
  async migrate(database, now) {
    if ("file" in database) return migrateDatabase(database.file, now);
    const { migratePostgres } = await import("./store/postgres/postgres-store.ts");
    return migratePostgres(database.url, now);
  },
  async markRestored(database, now, note) {
    const mark: Work<Restored> = async (tx) => {
      await endSessionsAndLinks(tx);
      await note(tx);
      return restore(tx, now);
    };
    if ("file" in database) return writeDatabase(database.file, mark);
    const { writeUnserved } = await import("./store/postgres/postgres-store.ts");
    return writeUnserved(database.url, mark);
  },
  async openTransfer({ databaseFile, simulatorFile }, url) {
    const { openTransferTarget } = await import("./store/postgres/database.ts");
    const hasLedger = existsSync(simulatorFile);
    const source = await openTransferSource(databaseFile, hasLedger ? simulatorFile : undefined);
    try {
      if (hasLedger) await (await openLedgerDatabase({ url })).close();
      const target = await openTransferTarget(url);
      try {
        return { source, target, copies: await planCopies(source, target, standIns) };
      } catch (error) {
        await target.abandon();
        throw error;
      }
    } catch (error) {
      await source.abandon();
      throw error;
    }
  },
  async writeUnserved(url, work) {
    const { writeUnserved } = await import("./store/postgres/postgres-store.ts");
    return writeUnserved(url, work);
  },
  backUp: backUpDatabase,
  noteBackup: (path, at) =>
    writeDatabase(path, async (tx) => {
      if ((await findAge(tx)) !== "current") throw new Error("its tables belong to another version of msgd");
      await noteBackup(tx, at);
    }),
  flush,
};
