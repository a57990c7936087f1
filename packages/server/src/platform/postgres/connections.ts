// A bounded pool of connections to the host that accepts writes, and the loading of the driver.

import type { Socket } from "node:net";
import type pg from "pg";
import type { ClientBase, ClientConfig, Pool, PoolClient } from "pg";
import { streamOf, valueTypes } from "./exchange.ts";
import { ConnectionsEnded, isLost } from "./failures.ts";
import { LONGEST_ANSWER_MS, WAIT_MS } from "./limits.ts";
import { openSession, PoolerBetween, type Session, type SessionPort } from "./sessions.ts";

/** How long an idle connection stays open. */
const IDLE_MS = 30_000;
/** How long to wait for the server to close its side of an ended connection. An unreachable server never does. */
const END_MS = 2_000;

export interface ConnectionOptions {
  readonly url: string;
  /** The most connections open at once. */
  readonly most: number;
  /** The application_name of the connections. @default "msgd" */
  readonly application?: string | undefined;
  /**
   * Time limit for an answer. When it expires, the connection is ended: a firewall may have dropped it silently.
   *
   * @default no limit
   */
  readonly answerMs?: number;
  /** Whether to refuse a pooler, because it hides the server's other clients. @default false */
  readonly mustBeDirect?: boolean;
  /** Whether to refuse a server that accepts no writes, even if the URL names only one server. @default false */
  readonly mustTakeWrites?: boolean;
  /** Whether to plan statements for large tables. For long-lived connections. @default false */
  readonly plansByIndex?: boolean;
}

/** The port for a pool, which a simulation replaces. */
export interface SessionPool {
  /** Lends a connection. Rejects if no connection becomes free or can be opened in time. */
  take(): Promise<SessionPort>;
  /** Takes a connection back. It is lent again unless `isBroken`. */
  release(session: SessionPort, isBroken: boolean): void;
  /** Ends every connection immediately and opens no more. All waiting requests reject. */
  breakOff?(): void;
  close(): Promise<void>;
}

export class Connections implements SessionPool {
  readonly #pool: Pool;
  readonly #sessions = new WeakMap<ClientBase, Session>();
  readonly #lent = new Map<SessionPort, PoolClient>();
  readonly #streams = new Set<Socket>();
  readonly #urls: readonly string[];
  #current = 0;
  #isBrokenOff = false;

  constructor(driver: typeof pg, options: ConnectionOptions) {
    const { url, most, application = "msgd" } = options;
    const { urls, database, mustTakeWrites } = readHosts(url);
    this.#urls = urls;
    const preparations = mustTakeWrites ? { ...options, mustTakeWrites } : options;
    this.#pool = new driver.Pool({
      Client: clientOf(driver, database),
      connectionString: urls[0],
      max: most,
      connectionTimeoutMillis: WAIT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      application_name: application,
      types: valueTypes,
      // not `verify`: if the caller gives up during that, pg-pool 3.14 neither lends the connection again nor ends it
      onConnect: (client) => this.#prepare(client, preparations),
    });
    // ignore the error of an idle connection that broke: the pool has already dropped the connection
    this.#pool.on("error", () => {});
  }

  async take(): Promise<Session> {
    if (this.#isBrokenOff) throw new ConnectionsEnded();
    const client = await this.#connect();
    const session = this.#sessions.get(client);
    if (session === undefined) throw new Error("the pool lent a connection that was not prepared");
    this.#lent.set(session, client);
    return session;
  }

  release(session: SessionPort, isBroken: boolean): void {
    this.#lent.get(session)?.release(isBroken);
    this.#lent.delete(session);
  }

  breakOff(): void {
    this.#isBrokenOff = true;
    for (const stream of this.#streams) stream.destroy();
  }

  async close(): Promise<void> {
    await this.#pool.end();
  }

  async #connect(): Promise<PoolClient> {
    for (let tried = 1; ; tried += 1) {
      const url = this.#urls[this.#current];
      try {
        return await this.#pool.connect();
      } catch (error) {
        if (tried >= this.#urls.length || !isLost(error)) throw error;
        this.#leave(url);
      }
    }
  }

  async #prepare(
    client: ClientBase,
    { answerMs = LONGEST_ANSWER_MS, plansByIndex = false, mustBeDirect, mustTakeWrites }: ConnectionOptions,
  ): Promise<void> {
    // if a connection breaks in use, the pending query rejects; the event itself must not end the process
    client.on("error", () => {});
    this.#follow(streamOf(client));
    if (this.#isBrokenOff) throw new ConnectionsEnded();
    const { session, takesWrites, isStandby } = await openSession(client, { answerMs, plansByIndex });
    if (mustTakeWrites && !takesWrites) throw isStandby ? new ReadOnlyServer() : new ReadOnlyByDefault();
    if (mustBeDirect && session.isPooled) throw new PoolerBetween();
    this.#sessions.set(client, session);
  }

  /** Destroys the connection `END_MS` after its end, because the driver would wait for the server without a limit. */
  #follow(stream: Socket): void {
    this.#streams.add(stream);
    let overdue: NodeJS.Timeout | undefined;
    stream.once("finish", () => {
      overdue = setTimeout(() => stream.destroy(), END_MS);
    });
    stream.once("close", () => {
      clearTimeout(overdue);
      this.#streams.delete(stream);
    });
  }

  /** Switches to the next host, unless another caller has done so already. */
  #leave(url: string | undefined): void {
    if (this.#urls[this.#current] !== url) return;
    this.#current = (this.#current + 1) % this.#urls.length;
    (this.#pool.options as { connectionString?: string | undefined }).connectionString = this.#urls[this.#current];
  }
}

/** Returns a client class with this database, because the driver does not fully decode the name in a URL. */
function clientOf(driver: typeof pg, database: string): typeof pg.Client {
  return class extends driver.Client {
    constructor(config?: ClientConfig) {
      super(config);
      Object.assign((this as unknown as { connectionParameters: object }).connectionParameters, { database });
    }
  };
}

/** Thrown if the server is a standby. */
class ReadOnlyServer extends Error {
  readonly code = "25006";

  constructor() {
    super("the server accepts no writes");
  }
}

/** Thrown if the server accepts writes, but the role's transactions are read-only by default. */
export class ReadOnlyByDefault extends ReadOnlyServer {
  override readonly name = "ReadOnlyByDefault";
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
/** Values of `target_session_attrs` that require a server that accepts writes. */
const TAKES_WRITES = new Set(["read-write", "primary"]);

/**
 * Splits a URL with one or more hosts, such as `postgres://user@one:5432,two:5432/msgd`, as libpq does. Decodes the name of
 * the database and reads `target_session_attrs`, which the driver does not support.
 */
function readHosts(url: string): { urls: readonly string[]; database: string; mustTakeWrites: boolean } {
  const [, before = "", authority = "", after = ""] = AUTHORITY.exec(url) ?? [];
  const [path = "", query = ""] = after.split("?", 2);
  const parameters = new URLSearchParams(query);
  const wanted = parameters.get("target_session_attrs") ?? "any";
  parameters.delete("target_session_attrs");
  const rest = parameters.size === 0 ? path : `${path}?${parameters}`;
  const urls = authority.split(",").map((host) => `${before}${host}${rest}`);
  return {
    urls,
    database: decodeURIComponent(path.slice(1)),
    mustTakeWrites: urls.length > 1 || TAKES_WRITES.has(wanted),
  };
}

/** The driver, a package that users of PostgreSQL install. package.json must have the same version. */
const DRIVER = "pg@8.23.1";

/** Thrown if `DATABASE_URL` is set but the driver is not installed. */
export class DriverMissing extends Error {
  override readonly name = "DriverMissing";

  constructor(options?: ErrorOptions) {
    super(`PostgreSQL needs its driver, which is not installed: npm install ${DRIVER}`, options);
  }
}

/** Loads the driver. Throws `DriverMissing` if it is not installed. */
export async function loadDriver(): Promise<typeof pg> {
  try {
    return (await import("pg")).default;
  } catch (error) {
    const isMissing = error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
    throw isMissing ? new DriverMissing({ cause: error }) : error;
  }
}
