// The databases of tests, on the engine under test: vitest runs some suites once for each, and they ask here.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { DatabaseLocation } from "../platform/database-url.ts";
import type { Databases } from "./postgres/databases.ts";

/**
 * The most connections of one service to a PostgreSQL: a test has few requests at a time, and each connection takes as long to
 * make as a hundred statements.
 */
export const TEST_CONNECTIONS = 4;

export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** Releases it, once everything that used it is closed. */
  release(): Promise<void>;
}

/** Takes an empty database for one store or service: on SQLite it ends with that one. */
export async function takeDatabase(): Promise<TestDatabase> {
  return (await takeFromPostgres()) ?? { location: { file: ":memory:" }, release: async () => {} };
}

/** Takes an empty database that can be closed and opened again: a file on SQLite. */
export async function takeLastingDatabase(): Promise<TestDatabase> {
  const taken = await takeFromPostgres();
  if (taken !== undefined) return taken;
  const folder = mkdtempSync(join(tmpdir(), "msgd-database-"));
  const release = async () => rmSync(folder, { recursive: true, force: true });
  return { location: { file: join(folder, "msgd.db") }, release };
}

/** Takes a database of PostgreSQL that was never used, for tests that depend on dead rows and statistics. */
export async function takeUnusedDatabase(): Promise<TestDatabase> {
  const databases = await openOnPostgres();
  if (databases === undefined) throw new Error("this suite is of PostgreSQL");
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
