// What the sends of a group ask and write, as few statements. Of 25 sends of one merchant, most of 100 statements are alike:
// the quota is read and written 25 times, and rows are added one by one. So units run on a transaction that puts such writes
// off until something else is asked, which sees them all.

import type { Randomness } from "../../platform/randomness.ts";
import { consentStatement } from "../consents.ts";
import { findIdempotencyStatement, insertIdempotencyStatement } from "../idempotency.ts";
import type { Occurrence } from "../occurrences.ts";
import type { SqlValue, Transaction } from "../store.ts";
import { textBlocksStatement } from "../text-lines.ts";
import { type SqliteConnection, sqliteDialect } from "./connection.ts";
import { DeferredRows } from "./deferred-rows.ts";
import { findMerchantStatement, QuotaDrafts } from "./quota-drafts.ts";

/** The values that a key is stored and found by, which come first in both statements: tenant, merchant, operation and key. */
const PLACE_OF_KEY = 4;

/**
 * The transaction of units that run one after the other. What is put off is answered as written; if it then cannot be, all that
 * is asked from then on fails, `writeOut` too, and the transaction is to be rolled back.
 */
export class DeferringTransaction implements Transaction {
  readonly dialect = sqliteDialect;
  readonly isShared = false;
  readonly #connection: SqliteConnection;
  readonly #rows: DeferredRows;
  readonly #quotas: QuotaDrafts;
  #deferred = 0;
  #writtenOut = 0;
  #fault: unknown;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#rows = new DeferredRows(connection);
    this.#quotas = new QuotaDrafts(connection);
  }

  get randomness(): Randomness {
    return this.#connection.randomness;
  }

  /** Counts statements that may have written, or will: when they are asked for, so that a unit has only its own between two looks. */
  get writes(): number {
    return this.#connection.writes - this.#writtenOut + this.#deferred;
  }

  async get<Row>(sql: string, ...values: SqlValue[]): Promise<Row | undefined> {
    if (sql === findMerchantStatement && this.#fault === undefined) {
      return this.#quotas.findMerchant(values) as Row | undefined;
    }
    if (!this.#isSettled(sql, values)) this.writeOut();
    return this.#connection.find<Row>(sql, values);
  }

  async all<Row>(sql: string, ...values: SqlValue[]): Promise<Row[]> {
    this.writeOut();
    return this.#connection.all<Row>(sql, ...values);
  }

  async run(sql: string, ...values: SqlValue[]): Promise<number> {
    if (this.#fault === undefined && (this.#rows.put(sql, values) || this.#quotas.take(sql, values))) {
      this.#deferred += 1;
      if (this.#rows.areMany) this.writeOut();
      return 1;
    }
    this.writeOut();
    return this.#connection.change(sql, values);
  }

  hold(): void {}

  async tryHold(): Promise<boolean> {
    return true;
  }

  waitBriefly(): void {}

  note(occurrence: Occurrence): void {
    this.#connection.note(occurrence);
  }

  /** Whether nothing that is put off can be what this asks for. */
  #isSettled(sql: string, values: SqlValue[]): boolean {
    if (this.#fault !== undefined) return false;
    if (sql === consentStatement || sql === textBlocksStatement) return true;
    return sql === findIdempotencyStatement && !this.#rows.has(insertIdempotencyStatement, values, PLACE_OF_KEY);
  }

  /** Writes what was put off. Throws if it cannot be written as it was answered. */
  writeOut(): void {
    if (this.#fault !== undefined) throw this.#fault;
    const before = this.#connection.writes;
    try {
      this.#rows.writeOut();
      this.#quotas.writeOut();
    } catch (error) {
      this.#fault = error;
      throw error;
    } finally {
      this.#writtenOut += this.#connection.writes - before;
    }
  }

  /** Begins anew: the transaction was rolled back. */
  forget(): void {
    this.#fault = undefined;
    this.#rows.forget();
    this.#quotas.forget();
  }
}
