// Counts messages by hour and outcome. Each update of the index also updates the counts. Each tenant has its own totals, so
// that reading them need not add up the counts of many merchants.

import type { Database, Statement } from "better-sqlite3";
import type { Outcome } from "../domain/messages/rules.ts";
import type { SearchScope } from "./search-terms.ts";

/** The count to which a message belongs. */
export interface Tally {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: string;
  /** When the message was accepted, in hours since 1970. */
  readonly hour: number;
  readonly outcome: Outcome;
}

/** The number of messages accepted in an hour with one outcome. */
export interface TalliedMessages {
  readonly hour: number;
  readonly outcome: Outcome;
  readonly messages: number;
}

export interface AskedTallies {
  readonly scope: SearchScope;
  readonly channel?: string | undefined;
  /** The first hour to list. */
  readonly from: number;
}

/** Merchant id of a tenant's totals: no real merchant id is empty. */
const ALL = "";
/** Most tallies whose ids are cached. */
const MOST_KNOWN = 5_000;

export class Tallies {
  readonly #find: Statement;
  readonly #insert: Statement;
  readonly #count: Statement;
  readonly #forget: Statement;
  readonly #known = new Map<string, number>();
  /** Changes that are not written yet, added up by tally: a batch changes the same tally many times. */
  readonly #changes = new Map<number, number>();

  /** @param database must have the tables of `makeTallies` */
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

  /** Moves a message from the tally with the id `before` to the tally `now`. Returns the new tally's id. */
  move(before: number | null, now: Tally | undefined): number | null {
    const after = now === undefined ? null : this.#idOf(now);
    if (before === after) return after;
    if (before !== null) this.#change(before, -1);
    if (after !== null) this.#change(after, 1);
    return after;
  }

  /** Writes the collected changes. */
  count(): void {
    for (const [id, by] of this.#changes) if (by !== 0) this.#count.run({ id, by });
    this.#changes.clear();
  }

  #change(id: number, by: number): void {
    this.#changes.set(id, (this.#changes.get(id) ?? 0) + by);
  }

  /** Removes the tallies of hours before `hour`. */
  removeBefore(hour: number): void {
    this.#forget.run(hour);
    this.#known.clear();
  }

  /** Drops cached ids. Call after a rollback or after clearing the tables. */
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
    -- ids are never reused: a message may still have the id of a removed tally
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

/** Lists counts in order of hour. */
export function listTallies(database: Database, { scope, channel, from }: AskedTallies): TalliedMessages[] {
  return database
    .prepare(
      `SELECT hour, outcome, SUM(messages) AS messages FROM tallies
        WHERE tenant_id = ? AND merchant_id = ? AND hour >= ? AND (? IS NULL OR channel = ?)
        GROUP BY hour, outcome HAVING SUM(messages) > 0 ORDER BY hour, outcome`,
    )
    .all(scope.tenantId, scope.merchantId ?? ALL, from, channel ?? null, channel ?? null) as TalliedMessages[];
}
