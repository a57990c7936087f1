import pg from "pg";

/**
 * Has a PostgreSQL tell a time so far ahead of this machine's, as servers whose clocks are set would stand still beside one that
 * tells another. To be called first before any server connects.
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
    // functions of the schema come before those of the same name that PostgreSQL has
    await client.query(
      `ALTER DATABASE ${client.escapeIdentifier(database ?? "")} SET search_path = public, pg_catalog`,
    );
  } finally {
    await client.end();
  }
}
