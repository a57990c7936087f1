import BetterSqlite3 from "better-sqlite3";
import { beforeEach, describe, expect, it } from "vitest";
import { findIdempotency, insertIdempotency } from "../idempotency.ts";
import { findSendingMerchant } from "../merchants.ts";
import { insertMessage } from "../messages.ts";
import { migrate } from "../migrate.ts";
import type { Transaction } from "../store.ts";
import { reserveUsage } from "../usage.ts";
import { SqliteConnection } from "./connection.ts";
import { DeferringTransaction } from "./deferring-transaction.ts";

const tenantId = 1;
const channel = "SMS";
const july = "2026-07-01";

let connection: SqliteConnection;
let tx: DeferringTransaction;

beforeEach(async () => {
  connection = new SqliteConnection(new BetterSqlite3(":memory:"));
  await migrate(connection, 0);
  await connection.run("INSERT INTO tenants (tenant_id, name, timezone, created_at) VALUES (1, 't', 'UTC', 0)");
  for (const merchantId of ["m", "n"]) {
    await connection.run(
      `INSERT INTO merchants (tenant_id, merchant_id, display_name, active, created_at, updated_at)
       VALUES (1, $1, $1, 1, 0, 0)`,
      merchantId,
    );
    await connection.run(
      "INSERT INTO quotas (tenant_id, merchant_id, channel, monthly_limit, credits) VALUES (1, $1, 'SMS', 100, 7)",
      merchantId,
    );
  }
  tx = new DeferringTransaction(connection);
});

const find = (merchantId = "m", period = july, recipient = "+12025550100") =>
  findSendingMerchant(tx, { tenantId, merchantId, channel, period, contact: recipient });

const reserve = (units: number, creditUnits = 0, merchantId = "m", period = july) =>
  reserveUsage(tx, { tenantId, merchantId, channel, period }, { units, creditUnits });

const add = (messageId: string) =>
  insertMessage(tx, {
    ...{ messageId, tenantId, merchantId: "m", channel, type: "OTP", purpose: "SEND", recipient: "+12025550100" },
    ...{ subject: null, content: messageId, units: 1, creditUnits: 0, period: july, now: 5 },
  });

const placeOf = (key: string) => ({ tenantId, merchantId: null, operation: "sendSms", key });

const keep = (key: string, now = 5) =>
  insertIdempotency(tx, placeOf(key), { fingerprint: key, reference: "{}", expiresAt: now + 100, now });

/** As the tables have it, whatever is put off. */
const stored = <Row>(sql: string) => connection.all<Row>(sql);
const storedUsage = () => stored("SELECT merchant_id, period, reserved, credit_units FROM usage ORDER BY 1, 2");
const count = async (of: Transaction, table: string) =>
  (await of.get<{ n: number }>(`SELECT COUNT(*) AS n FROM ${table}`))?.n;

describe("what sends of a group write", () => {
  it("is few statements, and each row is as it would be by itself", async () => {
    const before = connection.writes;
    for (let index = 0; index < 70; index += 1) {
      await find();
      await reserve(2);
      await add(`msg_${index}`);
      await keep(`key ${index}`);
    }
    tx.writeOut();
    // 32, 32, 4 and 2 rows of two tables, and the quota behind the first and second 32, and at the end
    expect(connection.writes - before).toBe(11);
    expect(await storedUsage()).toEqual([{ merchant_id: "m", period: july, reserved: 140, credit_units: 0 }]);
    expect(await stored("SELECT message_id, content, created_at, updated_at, units FROM messages")).toHaveLength(70);
    expect(await stored("SELECT * FROM messages WHERE message_id <> content OR updated_at <> 5")).toEqual([]);
    expect(await stored("SELECT * FROM idempotency_keys WHERE fingerprint <> idempotency_key")).toEqual([]);
  });

  it("counts as written before it is", async () => {
    const before = tx.writes;
    await add("msg_1");
    expect(tx.writes).toBe(before + 1);
    expect(await count(connection, "messages")).toBe(0);
  });

  it("is seen by all else that is asked", async () => {
    await add("msg_1");
    expect(await count(tx, "messages")).toBe(1);
    await add("msg_2");
    expect(await tx.all("SELECT message_id FROM messages")).toHaveLength(2);
    await add("msg_3");
    expect(await tx.run("UPDATE messages SET units = 9")).toBe(3);
  });

  it("is refused as a whole where a row cannot be added, whoever asks next", async () => {
    await keep("used");
    tx.writeOut();
    await keep("fresh");
    expect(await keep("used")).toBe(true);
    await expect(count(tx, "messages")).rejects.toThrow("1 of 2 rows were not added");
    await expect(keep("later")).rejects.toThrow("1 of 2 rows were not added");
    expect(() => tx.writeOut()).toThrow("1 of 2 rows were not added");
    tx.forget();
    await keep("later");
    expect(() => tx.writeOut()).not.toThrow();
  });

  it("is written out to whoever looks for one of its keys, and not to who looks for another", async () => {
    const look = (key: string) => findIdempotency(tx, placeOf(key), 6);
    await keep("one");
    tx.writeOut();
    await keep("two");
    expect([await look("one"), await look("three")]).toEqual([{ fingerprint: "one", reference: "{}" }, undefined]);
    expect(await count(connection, "idempotency_keys")).toBe(1);
    expect(await look("two")).toEqual({ fingerprint: "two", reference: "{}" });
    expect(await count(connection, "idempotency_keys")).toBe(2);
  });

  it("takes the place of a key that has expired", async () => {
    await keep("one");
    tx.writeOut();
    await Promise.all([keep("one", 105), keep("two", 105)]);
    tx.writeOut();
    expect(await stored("SELECT idempotency_key AS key, expires_at AS until FROM idempotency_keys ORDER BY 1")).toEqual(
      [
        { key: "one", until: 205 },
        { key: "two", until: 205 },
      ],
    );
  });
});

describe("a quota that sends of a group draw on", () => {
  it("is read once, and found as those before have left it", async () => {
    expect(await find()).toMatchObject({ limit: 100, credits: 7, used: 0, reserved: 0 });
    await reserve(3, 2);
    expect(await find()).toEqual({
      ...{ active: 1, consent: null, channel, limit: 100, credits: 5, used: 0, reserved: 3 },
    });
    expect(await storedUsage()).toEqual([]);
    tx.writeOut();
    expect(await find()).toMatchObject({ credits: 5, reserved: 3 });
    expect(await storedUsage()).toEqual([{ merchant_id: "m", period: july, reserved: 3, credit_units: 2 }]);
  });

  it("is each merchant's own", async () => {
    for (const merchantId of ["m", "n", "m"]) {
      await find(merchantId);
      await reserve(1, 0, merchantId);
    }
    expect(await find("n")).toMatchObject({ reserved: 1 });
    expect(await find("nobody")).toBeUndefined();
    tx.writeOut();
    expect(await storedUsage()).toMatchObject([
      { merchant_id: "m", reserved: 2 },
      { merchant_id: "n", reserved: 1 },
    ]);
  });

  it("is each month's own, and its credits are not", async () => {
    await find();
    await reserve(4, 4);
    expect(await find("m", "2026-08-01")).toMatchObject({ credits: 3, reserved: 0 });
    await reserve(1, 0, "m", "2026-08-01");
    tx.writeOut();
    expect(await storedUsage()).toMatchObject([
      { period: july, reserved: 4 },
      { period: "2026-08-01", reserved: 1 },
    ]);
  });

  it("is read again after anything else was written", async () => {
    await find();
    await reserve(1);
    await tx.run("UPDATE quotas SET credits = 50, monthly_limit = 9");
    expect(await find()).toMatchObject({ limit: 9, credits: 50, reserved: 1 });
  });

  it("is written at once by whoever has not read it", async () => {
    await reserve(1);
    expect(await storedUsage()).toMatchObject([{ reserved: 1 }]);
  });

  it("never has fewer credits than none", async () => {
    await find();
    await reserve(9, 9);
    expect(() => tx.writeOut()).toThrow("CHECK");
  });

  it("comes with what each recipient has decided", async () => {
    const decided = (contact: string, status: string) =>
      connection.run(
        "INSERT INTO consents (tenant_id, merchant_id, channel, contact, status, updated_at) VALUES (1, 'm', 'SMS', $1, $2, 0)",
        contact,
        status,
      );
    await decided("+1", "OPT_IN");
    await decided("+2", "OPT_OUT");
    const read = async () => {
      const found = [];
      for (const contact of ["+1", "+2", "+3"]) found.push((await find("m", july, contact))?.consent);
      return found;
    };
    expect(await read()).toEqual(["OPT_IN", "OPT_OUT", null]);
    await tx.run(
      `INSERT INTO erased_opt_outs (tenant_id, merchant_id, channel, digest, opted_out_at) VALUES (1, 'm', 'SMS', 'd', 0)`,
    );
    expect(await read()).toEqual(["OPT_IN", "OPT_OUT", "SEE_ERASED"]);
  });
});
