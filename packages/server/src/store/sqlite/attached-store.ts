import { closeSync, openSync } from "node:fs";
import BetterSqlite3 from "better-sqlite3";
import type { Dialect } from "../dialect.ts";
import { type Store, StoreUnavailable } from "../store.ts";
import { SqliteConnection, sqliteDialect } from "./connection.ts";
import { GroupCommitWriter } from "./group-commit.ts";

const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens a file, made with mode 0600 when missing, or `:memory:`, whose tables are named with `schema` as on a server.
 * Its log is not flushed: a killed process loses no commit, a power cut may.
 */
export async function openAttachedStore(
  path: string,
  schema: string,
  tables: (dialect: Dialect) => readonly string[],
): Promise<Pick<Store, "write" | "close">> {
  if (path !== ":memory:") closeSync(openSync(path, "a", 0o600));
  const database = new BetterSqlite3(":memory:", { timeout: BUSY_TIMEOUT_MS });
  const writer = new GroupCommitWriter(new SqliteConnection(database), { flush: async () => {} });
  const close = async () => {
    await writer.close();
    database.close();
  };
  try {
    database.prepare(`ATTACH ? AS ${schema}`).run(path);
    database.pragma(`${schema}.journal_mode = WAL`);
    database.pragma(`${schema}.synchronous = NORMAL`);
    await writer.write(async (tx) => {
      if ((await tx.get(`SELECT 1 FROM ${schema}.sqlite_schema LIMIT 1`)) !== undefined) return;
      for (const table of tables(sqliteDialect)) await tx.run(table);
    });
  } catch (error) {
    await close();
    throw error instanceof StoreUnavailable && error.cause ? error.cause : error;
  }
  return { write: (work) => writer.write(work), close };
}
