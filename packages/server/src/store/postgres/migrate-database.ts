import { Connections } from "../../platform/postgres/connections.ts";
import { loadDriver } from "../../platform/postgres/driver.ts";
import type { Migration } from "../dialect.ts";
import { migrations } from "../migrate.ts";
import { migrateThrough } from "./migrations.ts";

/** Migrates the tables of the database at `url` as {@link migrateThrough} does, then disconnects. Returns the steps taken. */
export async function migratePostgres(
  url: string,
  now: number,
  steps: readonly Migration[] = migrations,
): Promise<Migration[]> {
  const connections = new Connections(await loadDriver(), { url, most: 2, mustTakeWrites: true });
  try {
    return await migrateThrough(connections, now, steps);
  } finally {
    await connections.close();
  }
}
