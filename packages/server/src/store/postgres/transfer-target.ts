// A database that instances share as the target of a transfer, which has it to itself.

import { writeArray } from "../../platform/postgres/arrays.ts";
import { Connections } from "../../platform/postgres/connections.ts";
import { loadDriver } from "../../platform/postgres/driver.ts";
import type { Session } from "../../platform/postgres/sessions.ts";
import { listTables } from "../migrate.ts";
import type { Transaction } from "../store.ts";
import type { Column, Counters, TableShape, TransferTarget } from "../transfer/transfer-ends.ts";
import { PostgresConnection, postgresDialect } from "./connection.ts";
import { waitUntilUnserved } from "./postgres-store.ts";
import { commit } from "./units.ts";

const LEDGER = "simulated_carrier";

/** Opens a database whose tables are this build's. Throws `DatabaseServed` while instances serve it. */
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
  // broken off, the server rolls it back
  const abandon = () => end(async () => {});
  try {
    await waitUntilUnserved(tx);
    // the other end may take its time
    await tx.run("SET LOCAL idle_in_transaction_session_timeout = 0");
    const ledgerTables = await listLedgerTables(tx);
    const tables = listTables(postgresDialect);
    // a command beside it may read; what it wrote from now on would be lost
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
      // what follows, and whoever comes first, reads it by plans for so many rows
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
  const rows = await tx.all<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = $1 ORDER BY tablename",
    LEDGER,
  );
  return rows.map(({ name }) => `${LEDGER}.${name}`);
}

async function describe(tx: Transaction, table: string): Promise<TableShape> {
  const columns = await tx.all<Column & { place: number | null }>(
    `SELECT attname AS name, format_type(atttypid, atttypmod) AS type, array_position(indkey::smallint[], attnum) AS place
       FROM pg_attribute LEFT JOIN pg_index ON indrelid = attrelid AND indisprimary
      WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped ORDER BY attnum`,
    table,
  );
  const key = columns.filter(({ place }) => place !== null);
  key.sort((one, other) => (one.place ?? 0) - (other.place ?? 0));
  return { columns: columns.map(({ name, type }) => ({ name, type })), key: key.map(({ name }) => name) };
}

interface CountedColumn {
  readonly table: string;
  readonly column: string;
  readonly sequence: string;
}

function listCounted(tx: Transaction): Promise<CountedColumn[]> {
  return tx.all<CountedColumn>(
    `SELECT attrelid::regclass::text AS "table", quote_ident(attname) AS "column",
            pg_get_serial_sequence(attrelid::regclass::text, attname) AS sequence
       FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
      WHERE relnamespace IN (current_schema()::regnamespace, to_regnamespace('${LEDGER}')) AND attidentity <> ''
      ORDER BY 1`,
  );
}

async function raiseCounters(tx: Transaction, counters: Counters): Promise<void> {
  for (const { table, column, sequence } of await listCounted(tx)) {
    await tx.get(
      `SELECT setval($1::text::regclass, highest) FROM (SELECT GREATEST(MAX(${column}), $2::bigint) AS highest FROM ${table}) AS ids
        WHERE highest > 0`,
      sequence,
      counters.get(table) ?? 0,
    );
  }
}
