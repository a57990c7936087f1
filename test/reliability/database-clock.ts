import pg from "pg";

/**
 * Shifts a PostgreSQL's time ahead of this machine's, because servers with shifted clocks would do nothing on a database with
 * another time. Call it before any server connects.
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
