import type { DatabaseLocation } from "../platform/database-url.ts";
import { openSqliteStore } from "../store/sqlite/sqlite-store.ts";
import type { NoteCommit, Store } from "../store/store.ts";
import { TEST_CONNECTIONS, takeDatabase } from "./engine.ts";

export interface TestStoreOptions {
  readonly now: () => number;
  readonly noteCommit?: NoteCommit;
}

/** Opens a store on an empty database of the engine under test. Closing the store releases the database. */
export async function openTestStore(options: TestStoreOptions): Promise<Store> {
  const { location, release } = await takeDatabase();
  const store = await openStoreAt(location, options);
  return {
    ...store,
    async close() {
      await store.close();
      await release();
    },
  };
}

/** Opens a store on a database that the test has taken. */
export async function openStoreAt(location: DatabaseLocation, options: TestStoreOptions): Promise<Store> {
  if ("file" in location) return openSqliteStore({ path: location.file, ...options });
  const { openPostgresStore } = await import("../store/postgres/postgres-store.ts");
  return openPostgresStore({ url: location.url, mostConnections: TEST_CONNECTIONS, ...options });
}
