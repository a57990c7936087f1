// Databases for tests on one PostgreSQL server: copies of a template. One process at a time uses a copy, which is then
// emptied and reused.

import { randomBytes } from "node:crypto";
import { Client, DatabaseError, escapeIdentifier, escapeLiteral } from "pg";
import { openLedgerDatabase } from "../../engines.ts";
import { migratePostgres } from "../../store/postgres/postgres-store.ts";

/** How long emptying a database waits for transactions that a test left open. */
const LOCK_TIMEOUT_MS = 20_000;
/** Suffix of the names of databases that are not reused. */
const ONCE = "_once";
const LOCK_NOT_AVAILABLE = "55P03";

/** Digest of the schema and its migrations, which reveals changes by a test. A copy has the same oids as its template. */
const FINGERPRINT = `(SELECT md5(string_agg(oid || '.' || relnatts, ',' ORDER BY oid)
    || (SELECT string_agg(m::text, ',' ORDER BY version) FROM migrations m))
  FROM pg_class WHERE relkind IN ('r', 'p', 'i') AND relpersistence <> 't')`;

/** Describes the databases of one test run, so that every test process can open them. */
export interface DatabaseSource {
  /** A database of the server, with a role that may create others. */
  readonly serverUrl: string;
  /** The template's name, which is also the prefix of the copies' names. */
  readonly template: string;
  /** The template's digest. */
  readonly fingerprint: string;
}

/** Creates the template of this run, with msgd's tables and those of the simulated carrier. */
export async function createSource(serverUrl: string): Promise<DatabaseSource> {
  const template = `msgctl_test_${randomBytes(4).toString("hex")}`;
  await connected(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${escapeIdentifier(template)} TEMPLATE template0 ENCODING 'UTF8'`),
  );
  try {
    const url = urlOf(serverUrl, template);
    await migratePostgres(url, Date.now());
    await (await openLedgerDatabase({ url })).close();
    const { rows } = await connected(url, (client) =>
      client.query<{ fingerprint: string }>(`SELECT ${FINGERPRINT} AS fingerprint`),
    );
    return { serverUrl, template, fingerprint: rows[0]?.fingerprint ?? "" };
  } catch (error) {
    await dropSource({ serverUrl, template });
    throw error;
  }
}

/** Drops the template and every copy, even if they are in use. */
export async function dropSource({ serverUrl, template }: Omit<DatabaseSource, "fingerprint">): Promise<void> {
  await connected(serverUrl, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE starts_with(datname, $1)",
      [template],
    );
    for (const { name } of rows) await drop(client, name);
  });
}

export interface TakenDatabase {
  readonly url: string;
  /** Returns the database for the next test. Call once, after everything that used it is closed. */
  release(): Promise<void>;
}

export interface Databases {
  /** Takes an empty database with msgd's tables. No other test uses it until it is released. */
  take(): Promise<TakenDatabase>;
  /** Takes a new database that is not reused afterwards. It has neither dead rows nor statistics of other tests. */
  takeUnused(): Promise<TakenDatabase>;
  /** Ends the connections. Other processes can then use the databases that were not released. */
  close(): Promise<void>;
}

/** A database that this process has locked. */
interface OwnDatabase {
  readonly name: string;
  readonly client: Client;
}

/** Opens the databases of a run for this process. */
export async function openDatabases({ serverUrl, template, fingerprint }: DatabaseSource): Promise<Databases> {
  // this session's advisory locks reserve databases for this process until it ends
  const server = await connect(serverUrl);
  const own = new Map<string, Client | undefined>();
  const free: OwnDatabase[] = [];

  async function add(): Promise<OwnDatabase> {
    for (;;) {
      const name = await lockOne();
      const client = await connect(urlOf(serverUrl, name));
      own.set(name, client);
      await defineRenewal(client, fingerprint);
      // empty it again: the previous process may have been killed before it emptied the database
      if (await renew({ name, client })) return { name, client };
      await discard({ name, client });
    }
  }

  /** Locks a copy that no process uses, and returns its name. Creates one if there is none. */
  async function lockOne(): Promise<string> {
    for (;;) {
      const { rows } = await server.query<{ name: string }>(
        `WITH copies AS MATERIALIZED (SELECT oid, datname FROM pg_database
           WHERE starts_with(datname, $1) AND datname <> $1 AND datname <> ALL ($2) AND datname NOT LIKE '%${ONCE}')
         SELECT datname AS name FROM copies WHERE pg_try_advisory_lock(oid::int8) LIMIT 1`,
        [template, [...own.keys()]],
      );
      const found = rows[0]?.name;
      if (found === undefined) {
        await create();
      } else if (!own.has(found)) {
        // Claim it in `own`, too: a session can take an advisory lock twice, so two calls here may find the same database.
        own.set(found, undefined);
        return found;
      }
    }
  }

  async function create(end = ""): Promise<string> {
    const name = `${template}_${randomBytes(4).toString("hex")}${end}`;
    await server.query(`CREATE DATABASE ${escapeIdentifier(name)} TEMPLATE ${escapeIdentifier(template)}`);
    return name;
  }

  async function discard({ name, client }: OwnDatabase): Promise<void> {
    await client.end();
    await drop(server, name);
    own.delete(name);
  }

  async function release(database: OwnDatabase): Promise<void> {
    if (await renew(database)) free.push(database);
    else await discard(database);
  }

  function taken(name: string, giveBack: () => Promise<void>): TakenDatabase {
    let released: Promise<void> | undefined;
    return {
      url: urlOf(serverUrl, name),
      release() {
        released ??= giveBack();
        return released;
      },
    };
  }

  return {
    async take() {
      const database = free.pop() ?? (await add());
      return taken(database.name, () => release(database));
    },
    async takeUnused() {
      const name = await create(ONCE);
      return taken(name, () => drop(server, name));
    },
    async close() {
      await Promise.all([server, ...own.values()].map((client) => client?.end()));
    },
  };
}

/** Defines the function that `renew` calls. It is planned only once: 45 tables take 1 ms, but 80 ms with TRUNCATE. */
async function defineRenewal(client: Client, fingerprint: string): Promise<void> {
  // in reverse order of creation, because a table refers only to earlier ones
  const { rows } = await client.query<{ statements: string }>(
    `SELECT string_agg('DELETE FROM ' || oid::regclass || ';', ' ' ORDER BY oid DESC) AS statements FROM pg_class
      WHERE relkind IN ('r', 'p') AND NOT relispartition AND relname <> 'migrations'
        AND relnamespace NOT IN (SELECT oid FROM pg_namespace WHERE nspname ~ '^pg_|^information_schema$')`,
  );
  await client.query(
    `CREATE FUNCTION pg_temp.renew() RETURNS boolean LANGUAGE plpgsql AS $function$ BEGIN
       IF ${FINGERPRINT} <> ${escapeLiteral(fingerprint)} THEN RETURN false; END IF;
       ${rows[0]?.statements ?? ""}
       PERFORM setval(seqrelid::regclass, seqstart, false) FROM pg_sequence;
       RETURN true;
     END $function$`,
  );
}

/**
 * Deletes every row except the record of migrations, and restarts all counters at 1. Returns false if the database can no
 * longer be used, because a test changed its tables or that record.
 */
async function renew({ name, client }: OwnDatabase): Promise<boolean> {
  try {
    const { rows } = await client.query<{ renew: boolean }>("SELECT pg_temp.renew()");
    return rows[0]?.renew ?? false;
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === LOCK_NOT_AVAILABLE)) throw error;
    throw new Error(`the database ${name} cannot be emptied: a test left a transaction open in it`, { cause: error });
  }
}

async function drop(client: Client, name: string): Promise<void> {
  await client.query(`DROP DATABASE ${escapeIdentifier(name)} WITH (FORCE)`);
}

async function connect(url: string): Promise<Client> {
  const client = new Client({ connectionString: url, lock_timeout: LOCK_TIMEOUT_MS });
  // ignored here, because the next query reports the error
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = await connect(url);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}
