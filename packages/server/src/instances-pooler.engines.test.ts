// Instances behind PgBouncer in transaction mode, which shares a few server connections among more clients.

import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { Service } from "./service.ts";
import { writeUnserved } from "./store/postgres/postgres-store.ts";
import { type TestDatabase, takeDatabase } from "./testing/engine.ts";
import { type Instances, openInstances } from "./testing/instances.ts";
import { findPooler, NO_POOLER, type Pooler, startPooler } from "./testing/postgres/pooler.ts";

const to = "+12025550100";
const program = findPooler();
if (program === undefined) console.warn(`Skipped: instances behind a pooler. There is ${NO_POOLER}`);

describe.skipIf(program === undefined)("instances behind a pooler", () => {
  let pooler: Pooler;
  let taken: TestDatabase;
  let url: string;
  let instances: Instances;
  beforeAll(async () => {
    pooler = await startPooler(program ?? "", inject("postgres")?.serverUrl ?? "", { most: 3 });
  });
  beforeEach(async () => {
    taken = await takeDatabase();
    if (!("url" in taken.location)) throw new Error("these tests are of PostgreSQL");
    url = pooler.urlOf(taken.location.url);
    instances = await openInstances(2, { consentPolicy: "opt_out_only", database: { url } });
  });
  afterEach(async () => {
    await instances.close();
    await taken.release();
  });
  afterAll(() => pooler.stop());

  const read = <Row>(sql: string) => (instances.services[0] as Service).store.read((tx) => tx.all<Row>(sql));
  const post = async (instance: number, path: string, body: object, key?: string) =>
    instances.call(instance, "POST", `/api/v1${path}`, { body, ...(key === undefined ? {} : { key }) });

  it("accept, replay, dispatch and list as without a pooler, and leave no state in its sessions", async () => {
    const quota = { merchantId: "m1", displayName: "One", smsLimit: 60, voiceMinutesLimit: 1_000 };
    expect((await post(0, "/merchants", quota)).statusCode).toBe(200);
    for (const service of instances.services) await service.start();
    const body = { merchantId: "m1", to, message: "Hello", type: "OTP" };
    const replies = await Promise.all(
      // each key is used twice, at both instances at once
      Array.from({ length: 160 }, (_, index) => post(index % 2, "/messages/sms", body, `key-${index >> 1}`)),
    );
    const refused = replies.filter(({ statusCode }) => statusCode !== 200).map((reply) => reply.json().code);
    expect(new Set(refused)).toEqual(new Set(["quota_exceeded"]));
    const sent = new Set(replies.flatMap((reply) => reply.json().messageId ?? []));
    expect(sent.size).toBe(60);
    // a list longer than a page uses a cursor within one transaction
    const toNumbers = Array.from({ length: 120 }, (_, index) => `+1202555${1_000 + index}`);
    const call = { merchantId: "m1", toNumbers, messageText: "Hello", useCase: "OTP" };
    const { batchId } = (await post(1, "/voice/tts-calls", call)).json();
    await instances.clock.advanceBy(10_000);
    const listed = await instances.call(0, "GET", `/api/v1/voice/tts-calls/batches/${batchId}/numbers`);
    expect(listed.json()).toHaveLength(120);
    const [row] = await read<{ delivered: number }>(
      "SELECT COUNT(*) AS delivered FROM messages WHERE channel = 'SMS' AND status = 'DELIVERED'",
    );
    expect(row?.delivered).toBe(60);
    expect(await instances.findFaults()).toEqual([]);
    expect(await readSession()).toEqual([{ statements: "0", lock_timeout: "0", statement_timeout: "0" }]);
  });

  it("cannot be distinguished from disconnected clients, so commands that need to know are refused", async () => {
    await expect(writeUnserved(url, async () => {})).rejects.toThrow(
      "set DATABASE_URL to the address of PostgreSQL itself",
    );
  });

  /** Returns the state of the session that the pooler lends a client. */
  async function readSession(): Promise<unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query(
      `SELECT (SELECT COUNT(*) FROM pg_prepared_statements) AS statements,
              current_setting('lock_timeout') AS lock_timeout, current_setting('statement_timeout') AS statement_timeout`,
    );
    await client.end();
    return rows;
  }
});
