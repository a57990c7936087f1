// Inspects a database without serving it: one with a running server, or an archived copy.

import BetterSqlite3 from "better-sqlite3";
import type { Inspection } from "../databases.ts";
import { checkInvariants, type InvariantReport } from "../invariants.ts";
import { findAge, migrations, type TablesAge } from "../migrate.ts";
import { findRestoration } from "../restorations.ts";
import { countSeals } from "../sealed-secrets.ts";
import type { Transaction } from "../store.ts";
import { SqliteConnection } from "./connection.ts";

const BUSY_TIMEOUT_MS = 5_000;
const MOST_FAULTS = 20;

/** Checks the file itself and, if this build knows its tables, the invariants of the data, at one moment. */
export async function inspectDatabase(path: string, now: number, steps = migrations): Promise<Inspection> {
  const database = new BetterSqlite3(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  try {
    database.exec("BEGIN");
    const connection = new SqliteConnection(database);
    const age = await findFileAge(connection, steps);
    const reports: InvariantReport[] = [
      { name: "the file is whole", faults: checkFile(database) },
      {
        name: "every reference leads somewhere",
        faults: database.pragma(`foreign_key_check`) as InvariantReport["faults"],
      },
    ];
    if (age !== "current") return { age, reports, restoration: undefined, seals: [] };
    reports.push(...(await checkInvariants(connection)));
    const [restoration, seals] = [await findRestoration(connection), await countSeals(connection, now)];
    return { age, reports, restoration, seals };
  } finally {
    database.close();
  }
}

/** The age of the file's tables; undefined if it is no database of msgd's. Throws for a damaged file and `UnreleasedTables`. */
export async function findFileAge(tx: Transaction, steps = migrations): Promise<TablesAge | undefined> {
  const table = await tx.get("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'migrations'");
  return table === undefined ? undefined : findAge(tx, steps);
}

function checkFile(database: BetterSqlite3.Database): InvariantReport["faults"] {
  const rows = database.pragma(`integrity_check(${MOST_FAULTS})`) as { integrity_check: string }[];
  return rows.filter(({ integrity_check: text }) => text !== "ok").map(({ integrity_check: fault }) => ({ fault }));
}
