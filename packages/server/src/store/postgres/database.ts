// Work of commands on a PostgreSQL database without a store: inspecting it, and transferring a folder's database into it.

import { Connections, loadDriver } from "../../platform/postgres/connections.ts";
import { writeArray } from "../../platform/postgres/exchange.ts";
import type { Session } from "../../platform/postgres/sessions.ts";
import type { Inspection } from "../databases.ts";
import { checkInvariants, type InvariantReport } from "../invariants.ts";
import { findAge, listTables, migrations } from "../migrate.ts";
import { findRestoration } from "../restorations.ts";
import { countSeals } from "../sealed-secrets.ts";
import { listValues, type Transaction, type Work } from "../store.ts";
import type { Column, CounterValues, TableShape, TransferTarget } from "../transfer/transfer.ts";
import { commit, PostgresConnection, postgresDialect } from "./connection.ts";
import { openSnapshot } from "./pooled-store.ts";
import { waitUntilUnserved } from "./postgres-store.ts";

const MOST_FAULTS = 20;

/** Returns whether the database has msgd's tables. Throws `UnreleasedTables` if no release made them. */
export function hasTables(url: string): Promise<boolean> {
  return readMoment(url, async (tx) => (await hasRecord(tx)) && (await findAge(tx)) !== undefined);
}

/** Checks, in one snapshot, the indexes and references and, if this build knows the tables, the invariants of the data. */
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
      // the checks read whole tables, which may take long
      await tx.run("SET LOCAL statement_timeout = 0");
      return await work(tx);
    } finally {
      end();
    }
  } finally {
    await connections.close();
  }
}

/**
 * Returns whether the database has msgd's table `migrations`. Other programs also have a table of this name.
 */
async function hasRecord(tx: Transaction): Promise<boolean> {
  const sql = "SELECT 1 FROM pg_attribute WHERE attrelid = to_regclass('migrations') AND attname = 'applied_at'";
  return (await tx.get(sql)) !== undefined;
}

/** Finds indexes whose build was interrupted. PostgreSQL maintains such an index but uses it for no query. */
function findInvalidIndexes(tx: Transaction): Promise<InvariantReport["faults"]> {
  return tx.all(
    `SELECT indexrelid::regclass::text AS "index" FROM pg_index JOIN pg_class ON pg_class.oid = indrelid
      WHERE relnamespace = current_schema()::regnamespace AND NOT (indisvalid AND indisready) LIMIT ${MOST_FAULTS}`,
  );
}

interface Reference {
  readonly child: string;
  readonly parent: string;
  /** SQL that is true if the row `c` of `child` refers to the row `p` of `parent`; `isSet`: if `c` refers to any row. */
  readonly isMet: string;
  readonly isSet: string;
}

/** Finds broken references. The server enforces references, except while a dump is restored with triggers disabled. */
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

/** The schema of the simulated carrier's ledger. */
const LEDGER = "simulated_carrier";

/**
 * Opens a database as the target of a transfer. Its tables must be those of this build. Throws `DatabaseServed` while
 * instances serve it.
 */
export async function openTransferTarget(url: string): Promise<TransferTarget> {
  const connections = new Connections(await loadDriver(), { url, most: 1, mustBeDirect: true });
  const session = await connections.take().catch(async (error: unknown) => {
    await connections.close();
    throw error;
  });
  return begin(connections, session);
}

async function begin(connections: Connections, session: Session): Promise<TransferTarget> {
  const tx = new PostgresConnection(session, { opening: "BEGIN" });
  let isOver = false;
  const end = async (finish: () => Promise<void>) => {
    if (isOver) return;
    isOver = true;
    try {
      await finish();
    } finally {
      connections.release(session, true);
      await connections.close();
    }
  };
  // the server rolls back a transaction whose connection is closed
  const abandon = () => end(async () => {});
  try {
    await waitUntilUnserved(tx);
    // reading the source may take long
    await tx.run("SET LOCAL idle_in_transaction_session_timeout = 0");
    const ledgerTables = await listLedgerTables(tx);
    const tables = listTables(postgresDialect);
    // other commands may read but not write, because the transfer would not see their writes
    await tx.run(`LOCK TABLE ${[...tables, ...ledgerTables].join(", ")} IN SHARE ROW EXCLUSIVE MODE`);
    return {
      tx,
      tables,
      ledgerTables,
      describe: (table) => describe(tx, table),
      async insert(table, columns, rows) {
        const names = columns.map(({ name }) => `"${name}"`).join(", ");
        const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`).join(", ");
        const values = columns.map((_, index) => writeArray(rows.map((row) => row[index] ?? null)));
        await tx.run(`INSERT INTO ${table} (${names}) SELECT * FROM unnest(${arrays})`, ...values);
      },
      // gives the planner the real row counts
      settle: async (table) => void (await tx.run(`ANALYZE ${table}`)),
      raiseCounters: (counters) => raiseCounters(tx, counters),
      commit: () =>
        end(async () => {
          if (tx.failure !== undefined) throw tx.failure;
          await commit(session);
        }),
      abandon,
    };
  } catch (error) {
    await abandon();
    throw error;
  }
}

async function listLedgerTables(tx: Transaction): Promise<string[]> {
  const sql = "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY tablename";
  return (await listValues<string>(tx, sql, LEDGER)).map((name) => `${LEDGER}.${name}`);
}

async function describe(tx: Transaction, table: string): Promise<TableShape> {
  const columns = await tx.all<Column & { ordinal: number | null }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, array_position(indkey::smallint[], attnum) AS ordinal
       FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    table,
  );
  const key = columns.filter(({ ordinal }) => ordinal !== null);
  key.sort((one, other) => (one.ordinal ?? 0) - (other.ordinal ?? 0));
  return { columns: columns.map(({ name, type }) => ({ name, type })), key: key.map(({ name }) => name) };
}

async function raiseCounters(tx: Transaction, counters: CounterValues): Promise<void> {
  const counted = await tx.all<Readonly<Record<"table" | "column" | "sequence", string>>>(
    `SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS "column",
            pg_get_serial_sequence(attrelid::regclass::text, attname) AS sequence
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace IN (current_schema()::regnamespace, to_regnamespace('${LEDGER}')) AND attidentity <> ''
      ORDER BY 1`,
  );
  for (const { table, column, sequence } of counted) {
    await tx.get(
      `SELECT setval($1::text::regclass, highest) FROM (SELECT GREATEST(MAX(${column}), $2::bigint) AS highest FROM ${table}) AS ids
        WHERE highest > 0`,
      sequence,
      counters.get(table) ?? 0,
    );
  }
}
