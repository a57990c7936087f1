import { consentStatement } from "../consents.ts";
import { type SendingMerchantRow, sendingMerchantStatement } from "../merchants.ts";
import type { SqlValue } from "../store.ts";
import type { StoredConsent } from "../stored-consent.ts";
import { reserveAtOnceStatement, takeCreditsStatement } from "../usage.ts";
import { type SqliteConnection, sqliteDialect } from "./connection.ts";

export const findMerchantStatement = sendingMerchantStatement(sqliteDialect);

type Quota = { -readonly [Name in Exclude<keyof SendingMerchantRow, "consent">]: SendingMerchantRow[Name] };

/** A merchant's channel in a month, with what was taken of it since it was read. */
interface Draft {
  readonly key: readonly [tenantId: SqlValue, merchantId: SqlValue, channel: SqlValue];
  readonly period: SqlValue;
  /** As the next send is to find it. */
  readonly quota: Quota;
  /** To be reserved, how many of them the credits pay, and how many were taken from these. */
  units: number;
  creditUnits: number;
  creditsTaken: number;
}

/** Quotas that the sends of a group draw on: each is read once, and what they take of it is written at once. */
export class QuotaDrafts {
  readonly #connection: SqliteConnection;
  readonly #drafts = new Map<string, Draft>();

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
  }

  /** What `findMerchantStatement` finds, less what was taken so far. */
  findMerchant(values: readonly SqlValue[]): SendingMerchantRow | undefined {
    const [tenantId = null, merchantId = null, channel = null, period = null, contact = null] = values;
    const key = [tenantId, merchantId, channel] as const;
    const draft = this.#drafts.get(keyOf(key));
    if (draft !== undefined && draft.period === period) {
      const row = this.#connection.find<{ consent: StoredConsent | null }>(consentStatement, [...key, contact]);
      return withConsent(draft.quota, row?.consent ?? null);
    }
    // credits are not of a month
    if (draft !== undefined) this.writeOut();
    const found = this.#connection.find<SendingMerchantRow>(findMerchantStatement, values);
    if (found === undefined) return undefined;
    const { active, channel: name, limit, credits, used, reserved } = found;
    const quota = { active, channel: name, limit, credits, used, reserved };
    this.#drafts.set(keyOf(key), { key, period, quota, units: 0, creditUnits: 0, creditsTaken: 0 });
    return found;
  }

  /** Takes what a statement would; false for any other statement, and for a quota that was not read. */
  take(sql: string, values: readonly SqlValue[]): boolean {
    if (sql !== reserveAtOnceStatement && sql !== takeCreditsStatement) return false;
    const [tenantId = null, merchantId = null, channel = null] = values;
    const draft = this.#drafts.get(keyOf([tenantId, merchantId, channel]));
    if (draft === undefined) return false;
    if (sql === takeCreditsStatement) pay(draft, Number(values[3]));
    else if (draft.period === values[3]) reserve(draft, Number(values[4]), Number(values[5]));
    else return false;
    return true;
  }

  /** Writes what was taken, and forgets what was read. */
  writeOut(): void {
    for (const { key, period, units, creditUnits, creditsTaken } of this.#drafts.values()) {
      if (units > 0) this.#connection.change(reserveAtOnceStatement, [...key, period, units, creditUnits]);
      if (creditsTaken > 0) this.#connection.change(takeCreditsStatement, [...key, creditsTaken]);
    }
    this.#drafts.clear();
  }

  forget(): void {
    this.#drafts.clear();
  }
}

/** No spread, which would cost a send some microseconds. */
function withConsent(quota: Quota, consent: StoredConsent | null): SendingMerchantRow {
  const { active, channel, limit, credits, used, reserved } = quota;
  return { active, consent, channel, limit, credits, used, reserved };
}

function reserve(draft: Draft, units: number, creditUnits: number): void {
  draft.quota.reserved += units;
  draft.units += units;
  draft.creditUnits += creditUnits;
}

function pay(draft: Draft, credits: number): void {
  draft.quota.credits -= credits;
  draft.creditsTaken += credits;
}

function keyOf([tenantId, merchantId, channel]: Draft["key"]): string {
  return `${tenantId} ${channel} ${merchantId}`;
}
