// Holds a snapshot in a transaction for a long time, as a report does.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";

/** The program that read all tables, and how long it took. */
export interface Dump {
  readonly program: string;
  readonly seconds: number;
}

export class OldSnapshot {
  readonly #holder: pg.Client;
  readonly #url: string;

  private constructor(holder: pg.Client, url: string) {
    this.#holder = holder;
    this.#url = url;
  }

  static async hold(url: string): Promise<OldSnapshot> {
    const holder = new pg.Client(url);
    await holder.connect();
    await holder.query("BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY; SELECT 1");
    return new OldSnapshot(holder, url);
  }

  /** Reads all tables within the snapshot: with `pg_dump` if it is installed, else with statements of this transaction. */
  async dump(): Promise<Dump> {
    const { rows } = await this.#holder.query<{ name: string }>("SELECT pg_export_snapshot() AS name");
    const start = performance.now();
    const program = findDump();
    if (program === undefined) {
      const tables = await this.#holder.query<{ name: string }>(
        "SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = current_schema()",
      );
      for (const { name } of tables.rows) await this.#holder.query(`COPY ${name} TO '/dev/null'`);
      return { program: "COPY", seconds: (performance.now() - start) / 1_000 };
    }
    const args = ["--snapshot", rows[0]?.name ?? "", "--file", "/dev/null", "--dbname", this.#url];
    const [code] = await once(spawn(program, args, { stdio: ["ignore", "ignore", "inherit"] }), "exit");
    if (code !== 0) throw new Error(`${program} ended with ${code}`);
    return { program: "pg_dump", seconds: (performance.now() - start) / 1_000 };
  }

  end(): Promise<void> {
    return this.#holder.end();
  }
}

/** Finds an installed `pg_dump`, since the npm package of PostgreSQL has none. It must not be older than the server. */
function findDump(): string | undefined {
  const folders = [
    ...[18, 17, 16, 15, 14].map((version) => `/usr/lib/postgresql/${version}/bin`),
    ...(process.env.PATH ?? "").split(":"),
  ];
  return folders.map((folder) => join(folder, "pg_dump")).find((path) => existsSync(path));
}
