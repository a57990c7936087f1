import { createSource, type DatabaseSource } from "../../src/testing/postgres/databases.ts";
import { startPostgres } from "../../src/testing/postgres/server.ts";

export interface OwnPostgres {
  readonly source: DatabaseSource;
  stop(): Promise<void>;
}

/**
 * Starts a PostgreSQL server for the worlds of one process. Processes cannot share a server: a concurrent index build waits
 * for open transactions in all databases of its server.
 */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const server = await startPostgres({ autovacuum: "off" });
  return { source: await createSource(server.url), stop: () => server.stop() };
}
