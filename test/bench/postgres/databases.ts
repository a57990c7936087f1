// Starts the measured PostgreSQL, and creates databases on it.

import pg from "pg";
import { type PostgresServer, startPostgres } from "../../../packages/server/src/testing/postgres/server.ts";

/** Starts a server with durable settings, as in production: each commit is on disk. */
export function startDurable(): Promise<PostgresServer> {
  return startPostgres({
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    shared_buffers: "256MB",
    max_wal_size: "4GB",
    checkpoint_timeout: "15min",
  });
}

/** Creates a database as a copy of another. Returns its URL. */
export async function createDatabase(server: PostgresServer, name: string, template = "template0"): Promise<string> {
  await ask(server.url, `CREATE DATABASE ${name} TEMPLATE ${template}`);
  const url = new URL(server.url);
  url.pathname = `/${name}`;
  return url.href;
}

/** Runs a statement on a new connection. */
export async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
