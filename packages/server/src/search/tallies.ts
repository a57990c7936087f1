// How many messages of each hour have ended how: counted where the index of searches is kept up, as it comes past each message and
// each of its changes. A tenant's hours have a sum of their own, so that many merchants are not added up for each look.

import type { Database, Statement } from "better-sqlite3";
import type { Outcome } from "../rules/messages.ts";
import type { SearchScope } from "./search-terms.ts";

/** What a message counts as. */
export interface Tally {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: string;
  /** When it was accepted, in hours since 1970. */
  readonly hour: number;
  readonly outcome: Outcome;
}

/** Messages of an hour that have ended alike. */
export interface TalliedMessages {
  readonly hour: number;
  readonly outcome: Outcome;
  readonly messages: number;
}

export interface AskedTallies {
  readonly scope: SearchScope;
  readonly channel?: string | undefined;
  /** The first hour. */
  readonly from: number;
}

/** Stands for all merchants of a tenant: no merchant's id is empty. */
const ALL = "";
/** Tallies whose ids are remembered. */
const MOST_KNOWN = 5_000;

export class Tallies {
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #count: Statement;
  readonly #forget: Statement;
  readonly #known = new Map<string, number>();
  /** What is to be added to each: a bite has many of one. */
  readonly #changes = new Map<number, number>();

  /** Of a database with the tables of `makeTallies`, to be written. */
  constructor(database: Database) {
    const key = "tenant_id = ? AND merchant_id = ? AND hour = ? AND channel = ? AND outcome = ?";
    this.#find = database.prepare(`SELECT tally_id AS id FROM tallies WHERE ${key}`);
    this.#insert = database.prepare(
      `INSERT INTO tallies (tenant_id, merchant_id, hour, channel, outcome, whole, messages) VALUES (?, ?, ?, ?, ?, ?, 0)`,
    );
    this.#count = database.prepare(
      `UPDATE tallies SET messages = messages + $by
        WHERE tally_id IN ($id, (SELECT whole FROM tallies WHERE tally_id = $id))`,
    );
    this.#forget = database.prepare("DELETE FROM tallies WHERE hour < ?");
  }

  /** Notes that a message counts as `now`, and no longer as the tally with the id. Returns the id of the new one. */
  move(before: number | null, now: Tally | undefined): number | null {
    const after = now === undefined ? null : this.#idOf(now);
    if (before === after) return after;
    if (before !== null) this.#change(before, -1);
    if (after !== null) this.#change(after, 1);
    return after;
  }

  /** Counts what was noted. */
  count(): void {
    for (const [id, by] of this.#changes) if (by !== 0) this.#count.run({ id, by });
    this.#changes.clear();
  }

  #change(id: number, by: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
  }

  /** Removes those of hours before one. */
  removeBefore(hour: number): void {
    this.#forget.run(hour);
    this.#known.clear();
  }

  /** After a transaction that was undone, or tables that were emptied. */
  forgetIds(): void {
    this.#known.clear();
    this.#changes.clear();
  }

  #idOf({ tenantId, merchantId, hour, channel, outcome }: Tally): number {
    const key = [tenantId, merchantId, hour, channel, outcome] as const;
    const name = key.join(" ");
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    const found = this.#find.get(...key) as { id: number } | undefined;
    const id = found?.id ?? this.#add(key);
    if (this.#known.size >= MOST_KNOWN) this.#known.clear();
    this.#known.set(name, id);
    return id;
  }

  #add([tenantId, merchantId, hour, channel, outcome]: readonly [number, string, number, string, Outcome]): number {
    const whole = merchantId === ALL ? null : this.#idOf({ tenantId, merchantId: ALL, hour, channel, outcome });
    return Number(this.#insert.run(tenantId, merchantId, hour, channel, outcome, whole).lastInsertRowid);
  }
}

export const makeTallies = `
  CREATE TABLE tallies (
    -- never given again: a message keeps the id of one that was removed
    tally_id INTEGER PRIMARY KEY AUTOINCREMENT,
    tenant_id INTEGER NOT NULL,
    merchant_id TEXT NOT NULL,
    hour INTEGER NOT NULL,
    channel TEXT NOT NULL,
    outcome TEXT NOT NULL,
    whole INTEGER,
    messages INTEGER NOT NULL,
    UNIQUE (tenant_id, merchant_id, hour, channel, outcome)
  );
  CREATE INDEX tallies_by_hour ON tallies (hour);`;

/** In order of hours. */
export function listTallies(database: Database, { scope, channel, from }: AskedTallies): TalliedMessages[] {
  return database
    .prepare(
      `SELECT hour, outcome, SUM(messages) AS messages FROM tallies
        WHERE tenant_id = ? AND merchant_id = ? AND hour >= ? AND (? IS NULL OR channel = ?)
        GROUP BY hour, outcome HAVING SUM(messages) > 0 ORDER BY hour, outcome`,
    )
    .all(scope.tenantId, scope.merchantId ?? ALL, from, channel ?? null, channel ?? null) as TalliedMessages[];
}
