import pg from "pg";

/**
 * Shifts a PostgreSQL's time ahead of this machine's: servers with shifted clocks would stand still beside a database with
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
    // functions of the schema take precedence over PostgreSQL's own of the same name
    await client.query(
      `ALTER DATABASE ${client.escapeIdentifier(database ?? "")} SET search_path = public, pg_catalog`,
    );
  } finally {
    await client.end();
  }
}
