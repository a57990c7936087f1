// `npm run record:data`: records a data folder and a PostgreSQL database, each with the rows of recorded-world.ts, as those of
// the version in package.json. Tests open them with later builds.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import pg from "pg";
import { LEDGER_SCHEMA, ledgerTables } from "../carriers/simulated/ledger.ts";
import { migrate, migrations } from "../store/migrate.ts";
import { postgresDialect } from "../store/postgres/connection.ts";
import type { Transaction } from "../store/store.ts";
import { startPostgres } from "./postgres/server.ts";
import { recordWorld } from "./recorded-world.ts";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const folder = fileURLToPath(new URL(`recorded/${version}/`, import.meta.url));

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
await recordFolder();
await recordPostgres();
process.stdout.write(`Recorded ${version} in ${folder}\n`);
// the server of a clock that stands still leaves nothing that would end the process
process.exit();

async function recordFolder(): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "msgd-record-"));
  try {
    const [database, simulator] = ["msgd.db", "simulator.db"].map((name) => ({ file: join(data, name) }));
    if (database === undefined || simulator === undefined) return;
    const world = await recordWorld({ database, simulator });
    for (const name of ["msgd.db", "simulator.db"])
      write(`${name}.gz`, gzipSync(readFileSync(join(data, name)), { level: 9 }));
    write("sqlite.json", toJson(world));
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
}

async function recordPostgres(): Promise<void> {
  const server = await startPostgres();
  try {
    await query(server.url, "CREATE DATABASE recorded ENCODING 'UTF8' TEMPLATE template0");
    const url = Object.assign(new URL(server.url), { pathname: "/recorded" }).href;
    const world = await recordWorld({ database: { url }, simulator: { url } });
    write("postgres.sql.gz", gzipSync(await dump(url), { level: 9 }));
    write("postgres.json", toJson(world));
  } finally {
    await server.stop();
  }
}

function write(name: string, content: string | Buffer): void {
  writeFileSync(join(folder, name), content);
}

function toJson(value: unknown): string {
  return `${JSON.stringify(value, null, 1)}\n`;
}

async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Writes a database as SQL: its tables with their indexes, a statement with the rows of each, and its sequences. */
async function dump(url: string): Promise<string> {
  const ledger = [`CREATE SCHEMA ${LEDGER_SCHEMA}`, ...ledgerTables(postgresDialect)];
  const tables = await query<{ name: string }>(
    url,
    `SELECT oid::regclass::text AS name FROM pg_class
      WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, '${LEDGER_SCHEMA}'::regnamespace) ORDER BY oid`,
  );
  const inserts: string[] = [];
  for (const { name } of tables) {
    const [found] = await query<{ rows: string | null }>(url, `SELECT json_agg(t)::text AS rows FROM ${name} t`);
    if (!found?.rows) continue;
    const rows = pg.escapeLiteral(found.rows.replaceAll(", \n ", ",\n"));
    // the columns of the recorded table, by which its rows are written
    inserts.push(
      `INSERT INTO ${name} OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_recordset(NULL::${name}, ${rows})`,
    );
  }
  const sequences = await query<{ sql: string }>(
    url,
    `SELECT format('SELECT setval(%L, %s)', schemaname || '.' || sequencename, last_value) AS sql FROM pg_sequences
      WHERE last_value IS NOT NULL ORDER BY 1`,
  );
  return [...(await listDefinitions()), ...ledger, ...inserts, ...sequences.map(({ sql }) => sql)]
    .map((statement) => `${statement};\n`)
    .join("");
}

/** Lists the statements that make the tables of an empty database. */
async function listDefinitions(): Promise<string[]> {
  const statements: string[] = [];
  const columns = ["version", "name", "applied_at"].map((name) => ({ name }));
  const listing = {
    dialect: postgresDialect,
    run: async (sql: string) => {
      if (!sql.startsWith("INSERT")) statements.push(sql);
      return 0;
    },
    all: async (sql: string) => (sql.includes("pg_attribute") ? columns : []),
  };
  await migrate(listing as unknown as Transaction, 0);
  const indexes = migrations.flatMap((migration) => migration.indexes ?? []);
  return [...statements, ...indexes.map(({ name, on }) => `CREATE INDEX ${name} ON ${on}`)];
}
