// The databases of tests, on the engine under test: vitest runs some suites once for each, and they ask here.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inject } from "vitest";
import type { DatabaseLocation } from "../platform/database-location.ts";
import type { Databases } from "./postgres/databases.ts";

export interface TestDatabase {
  readonly location: DatabaseLocation;
  /** Gives it back, once everything that used it is closed. */
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

let databases: Promise<Databases> | undefined;

async function takeFromPostgres(): Promise<TestDatabase | undefined> {
  const source = inject("postgres");
  if (source === undefined) return undefined;
  databases ??= import("./postgres/databases.ts").then(({ openDatabases }) => openDatabases(source));
  const { url, release } = await (await databases).take();
  return { location: { url }, release };
}
