// Checks the query plan of every statement that the store can issue: none may read the whole of a growing table. Statements
// are collected by calling every exported function of the store with a transaction that only records them. The test also
// fails if a line of the sources that calls a transaction was never reached.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemRandomness } from "../../platform/randomness.ts";
import { listTables, migrate } from "../migrate.ts";
import { textOf } from "../statement.ts";
import type { Ask, Query, SqlValue, Transaction } from "../store.ts";
import { hideLimits, SqliteConnection, sqliteDialect } from "./connection.ts";

const folder = fileURLToPath(new URL("../..", import.meta.url));
/** Not tested: migrate.ts, which reads only the short record of migrations, and store.ts, which issues no statement itself. */
const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
  (file) =>
    /^(?:store\/(?:(?:queue|counters)\/)?[\w-]+|domain\/\w+\/(?:[\w-]+-)?rows)\.ts$/.test(file) &&
    !["store/migrate.ts", "store/store.ts"].includes(file),
);

/** Tables that stay small: a row per tenant, user, setting or instance, or per batch being accepted. */
const small = [
  "migrations",
  "tenants",
  "users",
  "carriers",
  "processors",
  "suspicions",
  "call_acceptances",
  "write_checks",
];

/** Files whose statements may read a whole table, and the reasons. */
const allowed: Readonly<Record<string, string>> = {
  "store/invariants.ts": "msgd verify reads all data, with or without a running server",
  "domain/messages/list-rows.ts":
    "the control API of a development server looks through all messages, newest first, up to a limit",
  "store/restorations.ts": "a restore, and msgd verify after one, read all open work",
  "store/sealed-secrets.ts": "secrets to reseal are rows for each phone and receiver, of all tenants",
  "store/reset.ts": "the control API of a development server empties every table",
};

/** Files that SQLite never runs, because they serve several instances. */
const ofOthers = ["store/installation.ts", "store/queue/postgres.ts"];

interface Collected {
  readonly file: string;
  readonly sql: string;
  /** Whether the result is read page by page. */
  readonly isList: boolean;
}

/** Creates an object for any argument or row: it has every member, and converts to a number or a text where needed. */
function makeAnything(member: (name: string | symbol) => unknown): unknown {
  return new Proxy(() => undefined, {
    get(_target, name) {
      if (name === Symbol.toPrimitive) return (hint: string) => (hint === "string" ? "https://example.com/" : 1);
      if (name === "then") return undefined;
      if (name === Symbol.iterator) return [][Symbol.iterator].bind([1]);
      return member(name);
    },
    has: () => true,
  });
}

const filled: unknown = makeAnything((name) => (name === "length" ? 1 : filled));
const empty: unknown = makeAnything(() => undefined);
const nulls: unknown = makeAnything(() => null);
const lists: unknown = makeAnything(() => [filled]);
const longMessage: unknown = { content: "x".repeat(10_000) };
const lost: unknown = { from: "SENT", to: "UNKNOWN" };
const found: unknown = { from: "UNKNOWN", to: "DELIVERED" };
const filters: unknown = { to: "+12025550100", limit: 1 };
const refusedCalls: unknown = Array.from({ length: 250 }, () => ({ status: "REJECTED" }));
const several: unknown = [filled, filled];
const ofAllCarriers: unknown = [{ carrier: null }];
const usedRates: unknown = [{ rate: { subject: "carrier", perSecond: 1 }, count: 1 }];
/** Arguments that make a function of the store reach its branches. */
const variants: readonly unknown[] = [
  filled,
  empty,
  nulls,
  lists,
  longMessage,
  lost,
  found,
  filters,
  refusedCalls,
  ofAllCarriers,
  usedRates,
  several,
  "https://example.com/",
  1,
  undefined,
];

/** Makes functions issue PostgreSQL's statements. Their plans are not checked, but their lines count as reached. */
const elsewhere = { ...sqliteDialect, engine: "postgres" } as const;

/** Returns a transaction that only records a function's statements, and answers them with `row`. */
function listen(row: unknown, heard: (sql: string) => void, dialect: Transaction["dialect"]): Transaction {
  return {
    dialect,
    requireAlone() {},
    randomness: systemRandomness,
    note() {},
    lock(ask: Ask, ..._values: SqlValue[]) {
      heard(textOf(ask, "sqlite"));
    },
    async tryLock(ask: Ask, ..._values: SqlValue[]) {
      heard(textOf(ask, "sqlite"));
      return true;
    },
    lockAlone(ask: Ask, ..._values: SqlValue[]) {
      heard(textOf(ask, "sqlite"));
    },
    claim: async () => true,
    async get<Row>(ask: Ask, ..._values: SqlValue[]) {
      heard(textOf(ask, "sqlite"));
      return row as Row | undefined;
    },
    async all<Row>(ask: Ask, ..._values: SqlValue[]) {
      heard(textOf(ask, "sqlite"));
      return (row === undefined ? [] : [row]) as Row[];
    },
    async run(ask: Ask, ..._values: SqlValue[]) {
      heard(textOf(ask, "sqlite"));
      return row === undefined ? 0 : 1;
    },
  };
}

/** A function that issues more statements than this counts as endless. */
const MOST_ASKED = 10_000;

/** All recorded statements, the lines that issued them, and the functions that never ended. */
async function collect(): Promise<{ statements: Collected[]; lines: Set<string>; endless: Set<string> }> {
  const statements = new Map<string, Collected>();
  const lines = new Set<string>();
  const endless = new Set<string>();
  for (const file of files) {
    const exported: Record<string, unknown> = await import(join(folder, file));
    for (const call of Object.values(exported).flatMap(callablesOf)) {
      if (typeof call !== "function" || isClass(call)) continue;
      for (const row of [filled, empty, undefined]) {
        for (const variant of variants) {
          let asked = 0;
          const heardBy = (isOurs: boolean) => (sql: string) => {
            asked += 1;
            if (asked > MOST_ASKED) endless.add(`${file}: ${call.name}`);
            // stop a function that loops forever because it always gets the same answer
            if (asked > MOST_ASKED) throw new Error("too much was asked");
            // if a function runs a query that is its argument, `sql` is not a string
            if (isOurs && typeof sql === "string") statements.set(sql, { file, sql, isList: false });
            for (const [, where] of (new Error().stack ?? "").matchAll(/\/src\/((?:store|domain)\/[\w/-]+\.ts:\d+):/g))
              lines.add(where ?? "");
          };
          // errors about invalid arguments do not matter
          for (const first of [variant, filled]) {
            const values = [first, ...Array.from({ length: 5 }, () => variant)];
            const ask = async (isOurs: boolean, dialect: Transaction["dialect"]) =>
              call.call(ownerOf(exported, call), listen(row, heardBy(isOurs), dialect), ...values);
            const answer = await ask(!ofOthers.includes(file), sqliteDialect).catch(() => {});
            if (isQuery(answer)) {
              const sql = textOf(answer.sql, "sqlite");
              statements.set(sql, { file, sql, isList: true });
            }
            await ask(false, elsewhere).catch(() => {});
          }
        }
      }
    }
  }
  return { statements: [...statements.values()], lines, endless };
}

function isQuery(answer: unknown): answer is Query<unknown> {
  return typeof answer === "object" && answer !== null && "sql" in answer && "values" in answer;
}

/** Lists a function, or the methods of a port or of each port in an array. */
function callablesOf(exported: unknown): unknown[] {
  if (Array.isArray(exported)) return exported.flatMap(callablesOf);
  return typeof exported === "object" && exported !== null ? Object.values(exported) : [exported];
}

/** The port to which the method belongs. */
function ownerOf(exported: Record<string, unknown>, call: unknown): unknown {
  return Object.values(exported).find((value) => value !== call && callablesOf(value).includes(call));
}

function isClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith("class");
}

/** Finds calls of a transaction's methods in the sources. */
function listCallSites(): string[] {
  return files.flatMap((file) =>
    readFileSync(join(folder, file), "utf8")
      .split("\n")
      .flatMap((line, index) =>
        /\btx\.(?:get|all|run)\b|\b(?:findCount\(tx|findCount\($|findValue<|listValues<)/.test(line)
          ? [`${file}:${index + 1}`]
          : [],
      ),
  );
}

let database: BetterSqlite3.Database;
let statements: Collected[];
let lines: Set<string>;
let endless: Set<string>;

beforeAll(async () => {
  database = new BetterSqlite3(":memory:");
  await migrate(new SqliteConnection(database), 0);
  ({ statements, lines, endless } = await collect());
});
afterAll(() => database.close());

/** Returns the nodes of the statement's plan, as SQLite describes them. */
function explain(sql: string): string[] {
  const text = hideLimits(sql).replaceAll(
    / FOR (?:NO KEY UPDATE|UPDATE|KEY SHARE|SHARE)( OF \w+)?( SKIP LOCKED)?/g,
    "",
  );
  const count = text.match(/\$\d+/g)?.length ?? 0;
  const plan = database.prepare<unknown[], { detail: string }>(`EXPLAIN QUERY PLAN ${text.replaceAll(/\$\d+/g, "?")}`);
  return plan.all(...Array.from({ length: count }, () => 1)).map(({ detail }) => detail);
}

/** Matches an unbounded search, which walks along a key until it finds a row that the condition accepts. */
function isWalk(node: string, sql: string, partial: ReadonlySet<string>): boolean {
  const [, name, index = ""] = /^SEARCH (\w+) USING (?:(?:COVERING )?INDEX (\w+)|[^(]*)$/.exec(node) ?? [];
  return name !== undefined && !partial.has(index) && new RegExp(`\\bFROM (?:\\w+ )?${name}\\s+WHERE\\b`).test(sql);
}

/** Returns the columns of batches that the statement compares, but that the index in its plan lacks. */
function missingFromIndex(sql: string): string[] {
  const index = explain(sql)
    .flatMap((node) => /^SEARCH b USING INDEX (\w+)/.exec(node)?.[1] ?? [])
    .join();
  const known = database.pragma(`index_info(${index})`) as { name: string }[];
  const asked = [...sql.matchAll(/b\.(\w+) = \$/g)].map(([, column]) => column ?? "");
  return asked.filter((column) => !known.some(({ name }) => name === column));
}

/** Returns the growing tables that the plan reads completely. A partial index has only open rows. */
function findFullScans(sql: string): string[] {
  const growing = listTables(sqliteDialect).filter((table) => !small.includes(table));
  const partial = new Set(
    database
      .prepare<[], { name: string }>("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql LIKE '% WHERE %'")
      .all()
      .map(({ name }) => name),
  );
  const nodes = explain(sql);
  // not a full scan: it reads rows in the order of a key, and stops at the limit
  if (/^\s*SELECT\b(?!.*\bWHERE\b).*\bLIMIT\b/s.test(sql) && nodes.every((node) => !node.includes("TEMP B-TREE")))
    return [];
  return nodes.filter((node) => {
    if (isWalk(node, sql, partial)) return true;
    const [, name, index] = /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(node) ?? [];
    // Ignore tables that the statement does not name: SQLite checks foreign keys there, but reads them only if the same
    // transaction has an unresolved reference.
    if (name === undefined || !new RegExp(`\\b${name}\\b`).test(sql)) return false;
    if (index !== undefined && partial.has(index)) return false;
    const aliased = [...sql.matchAll(new RegExp(`\\b(\\w+) (?:AS )?${name}\\b`, "gi"))];
    return growing.includes(name) || aliased.some(([, table]) => growing.includes(table ?? ""));
  });
}

describe("the store's statements", () => {
  it("are all recorded", () => {
    expect(statements.length).toBeGreaterThan(50);
    expect(listCallSites().filter((site) => !lines.has(site))).toEqual([]);
  });

  it("are limited in number per function, whatever the answers", () => {
    expect([...endless]).toEqual([]);
  });

  it("never read the whole of a growing table", () => {
    const scans = statements
      .filter(({ file }) => !Object.hasOwn(allowed, file))
      .flatMap(({ file, sql }) =>
        findFullScans(sql).map((node) => `${file}: ${node} in ${sql.replaceAll(/\s+/g, " ")}`),
      );
    expect(scans).toEqual([]);
  });

  it("return the first rows of a list before they read the remaining rows", () => {
    const lists = statements.filter(({ isList }) => isList);
    expect(lists.length).toBeGreaterThan(8);
    expect(lists.filter(({ sql }) => !/ LIMIT \$\d+$/.test(sql))).toEqual([]);
    const sorted = lists.filter(({ sql }) => explain(sql).some((node) => node.includes("TEMP B-TREE")));
    expect(sorted).toEqual([]);
  });

  it("find calls by several filters without reading every batch", () => {
    const lists = statements.filter(({ isList, sql }) => isList && sql.includes("FROM tts_batches b CROSS JOIN"));
    expect(lists.length).toBeGreaterThan(1);
    expect(lists.flatMap(({ sql }) => missingFromIndex(sql))).toEqual([]);
  });

  it("read the statuses of campaigns without their rows, which are kilobytes long", () => {
    const states = statements.filter(({ sql }) => /^SELECT campaign_id AS "id", brand_id [^,]+, status /.test(sql));
    expect(states.map(({ sql }) => explain(sql))).toEqual([
      ["SEARCH campaigns USING COVERING INDEX campaigns_merchant (tenant_id=? AND merchant_id=?)"],
    ]);
  });

  it("find an Idempotency-Key by its whole text, for any operation and merchant", () => {
    const lookups = statements.filter(({ sql }) => sql.includes("AS owners"));
    expect(lookups).toHaveLength(2);
    for (const { sql } of lookups) {
      const whole = "(tenant_id=? AND merchant_id=? AND operation=? AND idempotency_key=?)";
      expect(explain(sql)).toContain(`SEARCH k USING PRIMARY KEY ${whole}`);
    }
  });

  it("are reported if one reads a whole table", () => {
    expect(findFullScans("SELECT content FROM messages WHERE recipient = $1")).toEqual(["SCAN messages"]);
    expect(findFullScans("SELECT m.content FROM messages m WHERE m.recipient = $1")).toEqual(["SCAN m"]);
    expect(findFullScans("SELECT COUNT(*) FROM dispatches d WHERE d.asks = $1")).toEqual(["SCAN d"]);
    expect(findFullScans("SELECT MIN(message_id) FROM messages WHERE recipient = $1")).toEqual([
      "SEARCH messages USING PRIMARY KEY",
    ]);
    expect(findFullScans("SELECT content FROM messages WHERE message_id = $1 FOR UPDATE")).toEqual([]);
    expect(findFullScans("SELECT MIN(due_at) FROM dispatches")).toEqual([]);
    expect(findFullScans("SELECT content FROM messages ORDER BY message_id DESC LIMIT $1")).toEqual([]);
  });

  it("have an exception only in files that need one", () => {
    const needed = new Set(statements.filter(({ sql }) => findFullScans(sql).length > 0).map(({ file }) => file));
    expect(Object.keys(allowed).filter((file) => !needed.has(file))).toEqual([]);
  });
});
