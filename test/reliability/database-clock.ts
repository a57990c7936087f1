import pg from "pg";

/**
 * Sets the database's clock ahead of this machine's clock by `offsetMs`. A server with a shifted clock does nothing
 * unless the database's clock is shifted, too. Make the first call before any server connects.
 */
export async function setDatabaseClock(url: string, offsetMs: number): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(
      `CREATE OR REPLACE FUNCTION public.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS
         $$ SELECT pg_catalog.clock_timestamp() + interval '${offsetMs} milliseconds' $$`,
    );
    const { database } = client;
    // functions in this schema take precedence over PostgreSQL's functions of the same name
    await client.query(
      `ALTER DATABASE ${client.escapeIdentifier(database ?? "")} SET search_path = public, pg_catalog`,
    );
  } finally {
    await client.end();
  }
}
