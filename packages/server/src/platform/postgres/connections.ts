// A bounded pool of connections to whichever of the hosts takes writes.

import type { Socket } from "node:net";
import type pg from "pg";
import type { ClientBase, ClientConfig, Pool, PoolClient } from "pg";
import { streamOf, valueTypes } from "./exchange.ts";
import { ConnectionsEnded, isLost } from "./failures.ts";
import { LONGEST_ANSWER_MS, WAIT_MS } from "./limits.ts";
import { openSession, PoolerBetween, type Session, type SessionPort } from "./sessions.ts";

/** How long a connection stays open without work. */
const IDLE_MS = 30_000;
/** How long a connection that was ended waits for the server to end it too; one that is gone without a word never does. */
const END_MS = 2_000;

export interface ConnectionOptions {
  readonly url: string;
  /** The most open at once. */
  readonly most: number;
  /** What the server knows them by. @default "msgd" */
  readonly application?: string | undefined;
  /**
   * How long an answer is waited for. One that does not come ends the connection, which may be dead without a word, as
   * where a firewall has forgotten it. @default as long as it takes
   */
  readonly answerMs?: number;
  /** Whether no pooler may be between, which hides whose the server's connections are. @default false */
  readonly mustBeDirect?: boolean;
  /** Whether a server that takes no writes is refused, also one that is alone. @default false */
  readonly mustTakeWrites?: boolean;
  /** Whether statements are planned for large tables, however small they are now: for those who stay connected. @default false */
  readonly plansByIndex?: boolean;
}

interface Preparations extends Pick<ConnectionOptions, "answerMs" | "plansByIndex" | "mustBeDirect"> {
  readonly mustTakeWrites: boolean;
}

/** Lends connections; a simulation has one of its own. */
export interface SessionPool {
  /** Lends a connection. Rejects if none is free, or none can be made, in time. */
  take(): Promise<SessionPort>;
  /** Takes a connection back, to be lent again unless it `isBroken`. */
  release(session: SessionPort, isBroken: boolean): void;
  /** Ends every connection at once, and makes no more: whatever waits for the database rejects. */
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
    const preparations = { ...options, mustTakeWrites: mustTakeWrites || options.mustTakeWrites === true };
    this.#pool = new driver.Pool({
      Client: clientOf(driver, database),
      connectionString: urls[0],
      max: most,
      connectionTimeoutMillis: WAIT_MS,
      idleTimeoutMillis: IDLE_MS,
      keepAlive: true,
      application_name: application,
      types: valueTypes,
      // not `verify`: if the caller gives up while that runs, pg-pool 3.14 never lends the connection again, nor ends it
      onConnect: (client) => this.#prepare(client, preparations),
    });
    // one that breaks while nobody uses it: the pool has dropped it
    this.#pool.on("error", () => {});
  }

  async take(): Promise<Session> {
    if (this.#isBrokenOff) throw new ConnectionsEnded();
    const client = await this.#connect();
    const session = this.#sessions.get(client);
    if (session === undefined) throw new Error("the pool lent a connection that it did not verify");
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
    { answerMs = LONGEST_ANSWER_MS, plansByIndex = false, mustBeDirect = false, mustTakeWrites }: Preparations,
  ): Promise<void> {
    // a connection that breaks in use, even as soon as it is made: whoever uses it hears of it, and it must not end the process
    client.on("error", () => {});
    this.#follow(streamOf(client));
    if (this.#isBrokenOff) throw new ConnectionsEnded();
    const { session, takesWrites, isStandby } = await openSession(client, { answerMs, plansByIndex });
    if (mustTakeWrites && !takesWrites) throw isStandby ? new ReadOnlyServer() : new ReadOnlyByDefault();
    if (mustBeDirect && session.isPooled) throw new PoolerBetween();
    this.#sessions.set(client, session);
  }

  /** Destroys the connection `END_MS` after it was ended: the driver waits until the server has ended it too. */
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

  /** Goes to the next host, unless another caller has left this one already. */
  #leave(url: string | undefined): void {
    if (this.#urls[this.#current] !== url) return;
    this.#current = (this.#current + 1) % this.#urls.length;
    (this.#pool.options as { connectionString?: string | undefined }).connectionString = this.#urls[this.#current];
  }
}

/** Returns a client of the database of that name, which the driver does not decode whole from a URL. */
function clientOf(driver: typeof pg, database: string): typeof pg.Client {
  return class extends driver.Client {
    constructor(config?: ClientConfig) {
      super(config);
      Object.assign((this as unknown as { connectionParameters: object }).connectionParameters, { database });
    }
  };
}

/** The server is a standby. */
class ReadOnlyServer extends Error {
  readonly code = "25006";

  constructor() {
    super("the server takes no writes");
  }
}

/** The server takes writes, and the role's transactions do not write unless they say so. */
export class ReadOnlyByDefault extends ReadOnlyServer {
  override readonly name = "ReadOnlyByDefault";
}

// A URL may name several hosts, of which one is the primary: `postgres://user@one:5432,two:5432/msgd`.

/** The URLs of the single hosts, in order, and whether only a server that takes writes will do. */
interface Hosts {
  readonly urls: readonly string[];
  /** Its name, decoded: the driver leaves `%23` and some others as they are. */
  readonly database: string;
  readonly mustTakeWrites: boolean;
}

const AUTHORITY = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/s;
/** Values of `target_session_attrs` that ask for a server that takes writes. */
const TAKES_WRITES = new Set(["read-write", "primary"]);

/** Splits a URL as libpq reads it. `target_session_attrs` is msgd's to heed: the driver does not know it. */
function readHosts(url: string): Hosts {
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

// The driver is a package of its own, installed by those who use PostgreSQL, and loaded with the first connection.

/** The version that the refusal names; package.json has the same. */
const DRIVER = "pg@8.23.1";

/** `DATABASE_URL` is set, and the driver is not installed. */
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
