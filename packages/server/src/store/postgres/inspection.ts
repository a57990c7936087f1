// Inspects a database without serving it, beside instances that do.

import { Connections } from "../../platform/postgres/connections.ts";
import { loadDriver } from "../../platform/postgres/driver.ts";
import type { Inspection } from "../databases.ts";
import { checkInvariants, type InvariantReport } from "../invariants.ts";
import { findAge, migrations } from "../migrate.ts";
import { findRestoration } from "../restorations.ts";
import { countSeals } from "../sealed-secrets.ts";
import type { Transaction, Work } from "../store.ts";
import { openSnapshot } from "./long-reads.ts";

const MOST_FAULTS = 20;

/** Whether the database has tables of msgd's. Throws for `UnreleasedTables`. */
export function hasTables(url: string): Promise<boolean> {
  return readMoment(url, async (tx) => (await hasRecord(tx)) && (await findAge(tx)) !== undefined);
}

/** Checks the indexes and references and, if this build knows the tables, the invariants of the data, at one moment. */
export function inspectPostgres(url: string, now: number, steps = migrations): Promise<Inspection> {
  return readMoment(url, async (tx) => {
    const age = (await hasRecord(tx)) ? await findAge(tx, steps) : undefined;
    if (age === undefined) return { age, reports: [], restoration: undefined, seals: [] };
    const reports: InvariantReport[] = [
      { name: "every index is valid", faults: await findInvalidIndexes(tx) },
      { name: "every reference leads somewhere", faults: await findLostReferences(tx) },
    ];
    if (age !== "current") return { age, reports, restoration: undefined, seals: [] };
    reports.push(...(await checkInvariants(tx)));
    const [restoration, seals] = [await findRestoration(tx), await countSeals(tx, now)];
    return { age, reports, restoration, seals };
  });
}

async function readMoment<T>(url: string, work: Work<T>): Promise<T> {
  const connections = new Connections(await loadDriver(), { url, most: 1 });
  try {
    const { tx, end } = await openSnapshot(connections);
    try {
      // whole tables are read
      await tx.run("SET LOCAL statement_timeout = 0");
      return await work(tx);
    } finally {
      end();
    }
  } finally {
    await connections.close();
  }
}

/** Whether there is a record of migrations, and it is msgd's: other programs, too, have a table of this name. */
async function hasRecord(tx: Transaction): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('migrations') AND attname = 'applied_at'";
  return (await tx.get(sql)) !== undefined;
}

/** Indexes whose making was cut short: they are kept up, and answer no query. */
function findInvalidIndexes(tx: Transaction): Promise<InvariantReport["faults"]> {
  return tx.all(
    `SELECT indexrelid::regclass::text AS "index" FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = current_schema()::regnamespace AND NOT (indisvalid AND indisready) LIMIT ${MOST_FAULTS}`,
  );
}

interface Reference {
  readonly child: string;
  readonly parent: string;
  /** The condition that a row of `child` has its row of `parent`, and the one that it refers to any. */
  readonly isMet: string;
  readonly isSet: string;
}

/** The server enforces references, but not while a dump is put back with its triggers off. */
async function findLostReferences(tx: Transaction): Promise<InvariantReport["faults"]> {
  const references = await tx.all<Reference>(
    `SELECT conrelid::regclass::text AS child, confrelid::regclass::text AS parent,
            string_agg(format('p.%I = c.%I', p.attname, c.attname), ' AND ') AS "isMet",
            string_agg(format('c.%I IS NOT NULL', c.attname), ' AND ') AS "isSet"
       FROM pg_constraint
       CROSS JOIN LATERAL unnest(conkey, confkey) AS k (child_key, parent_key)
       JOIN pg_attribute c ON c.attrelid = conrelid AND c.attnum = k.child_key
       JOIN pg_attribute p ON p.attrelid = confrelid AND p.attnum = k.parent_key
      WHERE contype = 'f' AND connamespace = current_schema()::regnamespace
      GROUP BY pg_constraint.oid, conrelid, confrelid ORDER BY conrelid::regclass::text`,
  );
  const faults: InvariantReport["faults"][] = [];
  for (const { child, parent, isMet, isSet } of references) {
    faults.push(
      await tx.all(
        `SELECT '${child}' AS "table", '${parent}' AS parent, c.ctid::text AS "row" FROM ${child} c
          WHERE ${isSet} AND NOT EXISTS (SELECT 1 FROM ${parent} p WHERE ${isMet}) LIMIT ${MOST_FAULTS}`,
      ),
    );
  }
  return faults.flat().slice(0, MOST_FAULTS);
}
