// Provides tests with databases on the engine under test. Vitest runs some suites once per engine.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { DatabaseLocation } from "../platform/database-url.ts";
import type { Databases } from "./postgres/databases.ts";

/**
 * The most connections of one service to PostgreSQL. Few suffice, because a test has few concurrent requests, and opening a
 * connection takes as long as a hundred statements.
 */
export const TEST_CONNECTIONS = 4;

export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** Releases the database. Call after everything that used it is closed. */
  release(): Promise<void>;
}

/** Takes an empty database for one store or service. On SQLite it is lost when that is closed. */
export async function takeDatabase(): Promise<TestDatabase> {
  return (await takeFromPostgres()) ?? { location: { file: ":memory:" }, release: async () => {} };
}

/** Takes an empty database that can be closed and opened again; on SQLite a file. */
export async function takeLastingDatabase(): Promise<TestDatabase> {
  const taken = await takeFromPostgres();
  if (taken !== undefined) return taken;
  const folder = mkdtempSync(join(tmpdir(), "msgd-database-"));
  const release = async () => rmSync(folder, { recursive: true, force: true });
  return { location: { file: join(folder, "msgd.db") }, release };
}

/** Takes a PostgreSQL database that was never used, for tests that depend on dead rows or statistics. */
export async function takeUnusedDatabase(): Promise<TestDatabase> {
  const databases = await openOnPostgres();
  if (databases === undefined) throw new Error("this suite runs only on PostgreSQL");
  const { url, release } = await databases.takeUnused();
  return { location: { url }, release };
}

let opened: Promise<Databases> | undefined;

function openOnPostgres(): Promise<Databases> | undefined {
  const source = inject("postgres");
  if (source === undefined) return undefined;
  opened ??= import("./postgres/databases.ts").then(({ openDatabases }) => openDatabases(source));
  return opened;
}

async function takeFromPostgres(): Promise<TestDatabase | undefined> {
  const databases = await openOnPostgres();
  if (databases === undefined) return undefined;
  const { url, release } = await databases.take();
  return { location: { url }, release };
}
