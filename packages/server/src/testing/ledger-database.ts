import { randomBytes } from "node:crypto";
import pg from "pg";

/** Makes a database of its own, for a ledger that instances share. */
export async function makeLedgerDatabase(): Promise<{ location: { url: string }; remove: () => Promise<void> }> {
  const server = process.env.TEST_DATABASE_URL;
  if (server === undefined) throw new Error("TEST_DATABASE_URL is not set: it names a PostgreSQL server to test with.");
  const name = `ledger_${randomBytes(8).toString("hex")}`;
  const url = new URL(server);
  url.pathname = `/${name}`;
  await runOn(server, `CREATE DATABASE ${name}`);
  return { location: { url: url.href }, remove: () => runOn(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function runOn(url: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
