// Inspects a database without serving it: one with a running server, or an archived copy.

import BetterSqlite3 from "better-sqlite3";
import type { Inspection } from "../databases.ts";
import { checkInvariants, type InvariantReport } from "../invariants.ts";
import { newestVersion } from "../migrations/migrate.ts";
import { findRestoration } from "../restorations.ts";
import { countSeals } from "../sealed-secrets.ts";
import { SqliteConnection } from "./connection.ts";

const BUSY_TIMEOUT_MS = 5_000;
const MOST_FAULTS = 20;

/** Checks the file itself and, if this build knows its tables, the invariants of the data, at one moment. */
export async function inspectDatabase(path: string, now: number): Promise<Inspection> {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec("BEGIN");
    const version = readVersion(database);
    const reports: InvariantReport[] = [
      { name: "the file is whole", faults: checkFile(database) },
      {
        name: "every reference leads somewhere",
        faults: database.pragma(`foreign_key_check`) as InvariantReport["faults"],
      },
    ];
    if (version !== newestVersion) return { age: ageOf(version), reports, restoration: undefined, seals: [] };
    const connection = new SqliteConnection(database);
    reports.push(...(await checkInvariants(connection)));
    const [restoration, seals] = [await findRestoration(connection), await countSeals(connection, now)];
    return { age: "current", reports, restoration, seals };
  } finally {
    database.close();
  }
}

function ageOf(version: number | undefined): Inspection["age"] {
  if (version === undefined) return undefined;
  if (version === newestVersion) return "current";
  return version < newestVersion ? "older" : "newer";
}

/** The version of the file's tables, or undefined if it is not a database of msgd's. Throws for a damaged file. */
function readVersion(database: BetterSqlite3.Database): number | undefined {
  const table = database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'").get();
  if (table === undefined) return undefined;
  const row = database.prepare("SELECT MAX(version) AS version FROM migrations").get() as { version: number | null };
  return row.version ?? undefined;
}

function checkFile(database: BetterSqlite3.Database): InvariantReport["faults"] {
  const rows = database.pragma(`integrity_check(${MOST_FAULTS})`) as { integrity_check: string }[];
  return rows.filter(({ integrity_check: text }) => text !== "ok").map(({ integrity_check: fault }) => ({ fault }));
}
