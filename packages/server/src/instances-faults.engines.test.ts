// Instances on a PostgreSQL server with real faults: every reply is true, and no acknowledged request is lost.

import type { LightMyRequestResponse } from "fastify";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import { type Instances, openInstances } from "./testing/instances.ts";
import { type PostgresServer, startPostgres } from "./testing/postgres/server.ts";

const COUNT = 2;
const body = { merchantId: "m1", to: "+12025550100", message: "Hello", type: "OTP" };

let server: PostgresServer;
let standbyUrl: string;
/** The database URL of the instances, which names both servers. */
let url: string;
let admin: pg.Client;
let instances: Instances;

beforeAll(async () => {
  server = await startPostgres({ synchronous_commit: "on", max_connections: "60" });
  standbyUrl = await server.addStandby();
  await connected(server.url, (client) => client.query("CREATE DATABASE msgd"));
  const [one, other] = [new URL(server.url), new URL(standbyUrl)];
  const { username, password } = one;
  url = `postgres://${username}:${password}@${one.host},${other.host}/msgd?target_session_attrs=read-write`;
});
afterAll(() => server.stop());

beforeEach(async () => {
  admin = await connect(server.url);
  await admin.query("DROP DATABASE msgd WITH (FORCE)");
  await admin.query("CREATE DATABASE msgd");
  instances = await openInstances(COUNT, { consentPolicy: "opt_out_only", database: { url } });
  const merchant = { merchantId: "m1", displayName: "One", smsLimit: 1_000_000 };
  expect((await instances.call(0, "POST", "/api/v1/merchants", { body: merchant })).statusCode).toBe(200);
});
afterEach(async () => {
  await instances.close();
  await admin.end().catch(() => {});
});

async function connect(to: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: to });
  client.on("error", () => {});
  await client.connect();
  return client;
}

async function connected<T>(to: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connect(to);
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The outcomes that a reply may have. Any other outcome is a fault of the server. */
type Answer = "done" | "nothing done" | "not known" | "in progress";

const answers: Readonly<Record<string, Answer>> = {
  unavailable: "nothing done",
  outcome_unknown: "not known",
  idempotency_in_progress: "in progress",
};

function readAnswer(reply: LightMyRequestResponse): Answer {
  if (reply.statusCode === 200) return "done";
  const answer = answers[reply.json().code];
  expect(answer, reply.body).toBeDefined();
  expect(Number(reply.headers["retry-after"]), reply.body).toBeGreaterThan(0);
  return answer as Answer;
}

const send = (instance: number, key: string) => instances.call(instance, "POST", "/api/v1/messages/sms", { body, key });
const ready = async (instance: number) =>
  (await instances.services[instance]?.app.inject("/readyz"))?.statusCode === 200;

/** Repeats each key until it succeeds. Acknowledged requests must then have the same ids, and no other messages may exist. */
async function expectConverged(acknowledged: ReadonlyMap<string, string>, keys: readonly string[]): Promise<void> {
  const ids = new Map<string, string>();
  const repeat = (key: string) =>
    expect
      .poll(async () => {
        const reply = await send(0, key);
        if (readAnswer(reply) === "done") ids.set(key, reply.json().messageId);
        return ids.has(key);
      })
      .toBe(true);
  await Promise.all(keys.map(repeat));
  for (const [key, id] of acknowledged) expect(ids.get(key)).toBe(id);
  const store = instances.services[1]?.store;
  const row = await store?.read((tx) => tx.get<{ messages: number }>("SELECT COUNT(*) AS messages FROM messages"));
  expect(row?.messages).toBe(keys.length);
  expect(await instances.findFaults()).toEqual([]);
}

/** Sends continuously from several callers, at each instance in turn, until stopped. */
function beginLoad() {
  const keys: string[] = [];
  const acknowledged = new Map<string, string>();
  const told: Answer[] = [];
  let isOver = false;
  const callers = Array.from({ length: 10 }, async (_, caller) => {
    for (let turn = 0; !isOver; turn += 1) {
      const key = `${caller}-${turn}`;
      keys.push(key);
      const reply = await send((caller + turn) % COUNT, key);
      const answer = readAnswer(reply);
      told.push(answer);
      if (answer === "done") acknowledged.set(key, reply.json().messageId);
    }
  });
  return {
    keys,
    acknowledged,
    told,
    async end() {
      isOver = true;
      await Promise.all(callers);
    },
  };
}

const atInstances = "datname = 'msgd' AND application_name = 'msgd serve'";

it("an instance gives only true answers while its connections are cut", async () => {
  const load = beginLoad();
  for (let cut = 0; cut < 8; cut += 1) {
    const before = load.acknowledged.size;
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${atInstances}`);
    await expect.poll(() => load.acknowledged.size).toBeGreaterThan(before + 10);
  }
  await load.end();
  await expectConverged(load.acknowledged, load.keys);
});

it("an instance is unavailable while others use all connections, and continues when one is free", async () => {
  const others: pg.Client[] = [];
  const takeAll = async () => {
    for (;;) {
      const client = await connect(server.url).catch(() => undefined);
      if (client === undefined) return;
      others.push(client);
    }
  };
  await instances.services[0]?.start();
  const isReadyWithoutThem = async () => {
    await admin.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${atInstances}`);
    await takeAll();
    return ready(0);
  };
  await takeAll();
  // tried repeatedly, because a worker of the instance may reconnect before all connections are taken
  await expect.poll(isReadyWithoutThem).toBe(false);
  expect(readAnswer(await send(0, "full"))).toBe("nothing done");
  for (const client of others) await client.end();
  await expect.poll(() => ready(0)).toBe(true);
  await expectConverged(new Map(), ["full"]);
});

it("an instance is unavailable if a statement takes too long, and changes nothing", async () => {
  const holder = await connect(url.replace(/,[^/]*/, "").replace(/\?.*/, ""));
  await holder.query("BEGIN; LOCK TABLE messages");
  const sent = send(0, "slow");
  const cancel = `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${atInstances} AND wait_event_type = 'Lock'`;
  let answer: Answer | undefined;
  sent.then((reply) => {
    answer = readAnswer(reply);
  });
  // the statement's time limit would have the same effect
  await expect
    .poll(async () => {
      await admin.query(cancel);
      return answer;
    })
    .toBe("nothing done");
  await holder.end();
  await expectConverged(new Map(), ["slow"]);
});

it("a commit that stopped waiting for its standby is in doubt", async () => {
  const setStandby = async (name: string) => {
    await admin.query(`ALTER SYSTEM SET synchronous_standby_names = '${name}'`);
    await admin.query("SELECT pg_reload_conf()");
  };
  await setStandby("nobody");
  const sent = send(0, "waits");
  let answer: Answer | undefined;
  sent.then((reply) => {
    answer = readAnswer(reply);
  });
  await expect
    .poll(async () => {
      await admin.query(
        `SELECT pg_cancel_backend(pid) FROM pg_stat_activity WHERE ${atInstances} AND wait_event = 'SyncRep'`,
      );
      return answer;
    })
    .toBe("not known");
  await setStandby("");
  await expectConverged(new Map(), ["waits"]);
});

it("an instance is unavailable while its tables are missing, and continues when they are back", async () => {
  for (const service of instances.services) await service.start();
  const before = await send(0, "before");
  expect(before.statusCode).toBe(200);
  const own = new URL(server.url);
  own.pathname = "/msgd";
  await connected(own.href, async (client) => {
    await client.query("ALTER SCHEMA public RENAME TO away");
    for (const instance of [0, 1]) {
      expect(readAnswer(await send(instance, `away-${instance}`))).toBe("nothing done");
      await expect.poll(() => ready(instance)).toBe(false);
    }
    await client.query("ALTER SCHEMA away RENAME TO public");
  });
  await expect.poll(() => Promise.all([ready(0), ready(1)])).toEqual([true, true]);
  await expectConverged(new Map([["before", before.json().messageId]]), ["before", "away-0", "away-1"]);
});

it("instances continue without help on a promoted standby, which has all acknowledged messages, and send each once", async () => {
  await admin.query("ALTER SYSTEM SET synchronous_standby_names = '*'");
  await admin.query("SELECT pg_reload_conf()");
  await expect
    .poll(async () => (await admin.query("SELECT sync_state FROM pg_stat_replication")).rows[0]?.sync_state)
    .toBe("sync");
  for (const service of instances.services) await service.start();
  const load = beginLoad();
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(50);
  await server.shutDown("killed");
  for (const instance of [0, 1]) await expect.poll(() => ready(instance)).toBe(false);
  const before = load.acknowledged.size;
  await server.promote();
  for (const instance of [0, 1]) await expect.poll(() => ready(instance)).toBe(true);
  await expect.poll(() => load.acknowledged.size).toBeGreaterThan(before + 50);
  await load.end();
  expect(load.told).toContain("nothing done");
  await expectConverged(load.acknowledged, load.keys);
  const count = async (sql: string) =>
    (await instances.services[0]?.store.read((tx) => tx.get<{ count: number }>(sql)))?.count;
  await expect
    .poll(async () => {
      await instances.clock.advanceBy(30_000);
      return count("SELECT COUNT(*) AS count FROM messages WHERE status <> 'DELIVERED'");
    })
    .toBe(0);
  // the carrier's own count of sends
  expect(await count("SELECT COUNT(*) AS count FROM simulated_carrier.submissions WHERE sends <> 1")).toBe(0);
});
