// A database of either engine, to be read and nothing else, beside the store that serves it: for the threads of searches,
// which load no more than that.

import type { DatabaseLocation } from "../platform/database-url.ts";
import type { Reader } from "./store.ts";

/** Opens the database, which must exist and have its tables. Each read is as short as the caller makes it. */
export async function openReader(database: DatabaseLocation): Promise<Reader> {
  if ("url" in database) {
    const { openPostgresReader } = await import("./postgres/postgres-reader.ts");
    return openPostgresReader(database.url);
  }
  const { openSqliteReader } = await import("./sqlite/readers.ts");
  return openSqliteReader(database.file);
}
