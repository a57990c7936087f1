// The recorded installations of released versions, for tests that open them with this build.

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { inject } from "vitest";
import { LEDGER_SCHEMA } from "../carriers/simulated/ledger.ts";
import type { DatabaseLocation } from "../platform/database-url.ts";
import { takeUnusedDatabase } from "./engine.ts";
import type { RecordedWorld } from "./recorded-world.ts";

const folder = new URL("recorded/", import.meta.url);

/** The versions, the oldest first. */
export const recordedVersions: readonly string[] = readdirSync(folder).sort((one, other) =>
  one.localeCompare(other, "en", { numeric: true }),
);

export interface PlacedData {
  readonly database: DatabaseLocation;
  readonly simulator: DatabaseLocation;
  /** Facts about the recorded installation. */
  readonly world: RecordedWorld;
  remove(): Promise<void>;
}

/** Copies the recorded installation of a version, as a database of the engine under test. */
export async function placeRecorded(version: string): Promise<PlacedData> {
  const read = (name: string) => readFileSync(new URL(`${version}/${name}`, folder));
  const unpack = (name: string) => gunzipSync(read(`${name}.gz`));
  if (inject("postgres") !== undefined) {
    const { location, release } = await takeUnusedDatabase();
    await runSql(
      location,
      `DROP SCHEMA public CASCADE; CREATE SCHEMA public; DROP SCHEMA IF EXISTS ${LEDGER_SCHEMA} CASCADE`,
    );
    await runSql(location, unpack("postgres.sql").toString());
    return {
      database: location,
      simulator: location,
      world: JSON.parse(read("postgres.json").toString()),
      remove: release,
    };
  }
  const path = mkdtempSync(join(tmpdir(), "msgd-recorded-"));
  const place = (name: string) => {
    writeFileSync(join(path, name), unpack(name));
    return { file: join(path, name) };
  };
  return {
    database: place("msgd.db"),
    simulator: place("simulator.db"),
    world: JSON.parse(read("sqlite.json").toString()),
    remove: async () => rmSync(path, { recursive: true, force: true }),
  };
}

async function runSql(location: DatabaseLocation, sql: string): Promise<void> {
  await withPostgres(location, (client) => client.query(sql));
}

type Client = import("pg").Client;

export async function withPostgres<T>(location: DatabaseLocation, work: (client: Client) => Promise<T>): Promise<T> {
  const { default: pg } = await import("pg");
  const client = new pg.Client("url" in location ? location.url : "");
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
