// The time of the last backup on `/metrics` and the dashboard's health page, on each engine.

import { afterEach, beforeEach, expect, it } from "vitest";
import { databases } from "./engines.ts";
import { placeholderPages } from "./testing/dashboard-service.ts";
import { type TestDatabase, takeLastingDatabase } from "./testing/engine.ts";
import { openInMemoryService } from "./testing/in-memory-service.ts";

const NAME = "msgd_last_backup_timestamp_seconds";

let database: TestDatabase;
beforeEach(async () => {
  database = await takeLastingDatabase();
});
afterEach(() => database.release());

async function look(at: TestDatabase["location"]) {
  const service = await openInMemoryService({ database: at, isDevelopment: true, dashboardFiles: placeholderPages() });
  const headers = { host: "127.0.0.1:4800" };
  const { canBackUp, backedUpAt } = (await service.app.inject({ url: "/dashboard/api/health", headers })).json();
  const page = (await service.app.inject({ url: "/metrics", headers })).body;
  await service.close();
  const gauge = new RegExp(`^${NAME} (.*)$`, "m").exec(page)?.[1];
  return { canBackUp, backedUpAt, gauge };
}

const none = { canBackUp: false, backedUpAt: null, gauge: undefined };

it("the time of the last recorded backup is shown, even while a server runs; on PostgreSQL msgd records none", async () => {
  const { location } = database;
  if ("url" in location) {
    expect(await look(location)).toEqual(none);
    return;
  }
  expect(await look(location)).toEqual({ canBackUp: true, backedUpAt: null, gauge: "0" });
  await databases.noteBackup(location.file, 1_772_323_200_500);
  // a backup that was begun earlier
  await databases.noteBackup(location.file, 1_772_323_100_000);
  const noted = { canBackUp: true, backedUpAt: "2026-03-01T00:00:00.500Z", gauge: "1772323200.5" };
  expect(await look(location)).toEqual(noted);
  // a backup recorded while the clock was ahead
  await databases.noteBackup(location.file, 1_803_859_200_000);
  await databases.noteBackup(location.file, 1_772_323_200_500);
  expect(await look(location)).toEqual(noted);
});

it("no time of a backup is shown for a database in memory", async () => {
  expect(await look({ file: ":memory:" })).toEqual(none);
});
