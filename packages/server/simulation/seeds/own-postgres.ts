import { createSource, type DatabaseSource } from "../../src/testing/postgres/databases.ts";
import { startPostgres } from "../../src/testing/postgres/server.ts";

export interface OwnPostgres {
  readonly source: DatabaseSource;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL for the worlds of one process only: an index build waits for snapshots, and those reach back to
 * transactions of any database of the server.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const server = await startPostgres({ autovacuum: "off" });
  return { source: await createSource(server.url), stop: () => server.stop() };
}
