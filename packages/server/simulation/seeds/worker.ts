// A process that runs the ranges of seeds sent to it, on SQLite or in a database of the given PostgreSQL.

import type { DatabaseSource } from "../../src/testing/postgres/databases.ts";
import { SqliteDatabase } from "../world/sqlite/sqlite-database.ts";
import { type Range, runSeeds, SOURCE_VARIABLE } from "./run-seeds.ts";

// collect no stack traces: worlds throw thousands of errors, and nobody reads their stacks
Error.stackTraceLimit = 0;

const source: DatabaseSource | undefined = JSON.parse(process.env[SOURCE_VARIABLE] ?? "null") ?? undefined;
const database = source === undefined ? await SqliteDatabase.create() : await openOnPostgres(source);

process.on("message", async (range: Range) => {
  const tally = await runSeeds(range, database, source === undefined ? "sqlite" : "postgres");
  process.send?.({ range, tally });
});
process.on("disconnect", () => process.exit());
process.send?.("ready");

async function openOnPostgres(source: DatabaseSource) {
  const [{ PostgresDatabase }, { openDatabases }] = await Promise.all([
    import("../world/postgres/postgres-database.ts"),
    import("../../src/testing/postgres/databases.ts"),
  ]);
  const databases = await openDatabases(source);
  return PostgresDatabase.open((await databases.takeUnused()).url, true);
}
