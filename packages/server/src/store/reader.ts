// Opens a database of either engine read-only, beside the store that serves it. For search threads, which load only this
// part of the store.

import type { DatabaseLocation } from "../platform/database-url.ts";
import type { Reader } from "./store.ts";

/** Opens the database, which must exist and have its tables. A read has no time limit: keep each one short. */
export async function openReader(database: DatabaseLocation): Promise<Reader> {
  if ("url" in database) {
    const { openPostgresReader } = await import("./postgres/postgres-reader.ts");
    return openPostgresReader(database.url);
  }
  const { openSqliteReader } = await import("./sqlite/readers.ts");
  return openSqliteReader(database.file);
}
