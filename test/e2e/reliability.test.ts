// What a server must not lose or do twice, however it ends: killed under load again and again, then compared with the
// ledger of the simulated provider, which alone knows what was really sent.

import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import BetterSqlite3 from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Credential, MsgdFolder, type MsgdProcess } from "./msgd-process.ts";

const ROUNDS = 5;
const SENDERS = 24;
const limit = 200;
const credits = 1_000_000;
/** Delivered; answers lost on either side of the provider; failed; slowed down; receipts twice and out of order. */
const recipients = ["00", "00", "00", "03", "04", "20", "21", "60", "61"].map((digits) => `+120255501${digits}`);

/** The sends of one client: each has a key, and is tried until it is acknowledged. */
class Sends {
  readonly acknowledged = new Map<string, { messageId: string; units: number }>();
  readonly #open = new Map<string, object>();
  #count = 0;
  #isStopped = false;
  readonly #call: (key: string, body: object) => Promise<Response>;

  constructor(call: (key: string, body: object) => Promise<Response>) {
    this.#call = call;
  }

  /** Sends from many hands at once until the server is gone or `stop` is called. */
  async run(): Promise<void> {
    this.#isStopped = false;
    const left = [...this.#open.keys()];
    await Promise.all(Array.from({ length: SENDERS }, () => this.#send(left)));
  }

  stop(): void {
    this.#isStopped = true;
  }

  /** Tries what has no answer yet once more. */
  async finish(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((key) => this.#try(key)));
  }

  async #send(left: string[]): Promise<void> {
    while (!this.#isStopped) {
      const key = left.pop() ?? this.#add();
      // the server was killed: nobody knows what became of this one, so it stays open
      if (
        !(await this.#try(key).then(
          () => true,
          () => false,
        ))
      )
        return;
    }
  }

  #add(): string {
    this.#count += 1;
    const key = `send-${this.#count}`;
    const to = recipients[this.#count % recipients.length];
    const message = "x".repeat(this.#count % 4 === 0 ? 161 : 5);
    this.#open.set(key, { merchantId: "m1", to, message, type: "OTP" });
    return key;
  }

  async #try(key: string): Promise<void> {
    const body = this.#open.get(key);
    if (body === undefined) throw new Error(`${key} is not open`);
    const reply = await this.#call(key, body);
    const { messageId } = await reply.json();
    // a server that is going away may say so; then nothing was done
    if (reply.status === 503) throw new Error("unavailable");
    expect(reply.status).toBe(200);
    this.#open.delete(key);
    this.acknowledged.set(key, { messageId, units: "message" in body && String(body.message).length > 160 ? 2 : 1 });
  }
}

function postTo(server: MsgdProcess, credential: Credential, path: string, body: object, key?: string) {
  const { apiKey, apiSecret } = credential;
  const headers = { "content-type": "application/json", "x-api-key": apiKey, "x-api-secret": apiSecret };
  return fetch(`${server.baseUrl}/api/v1/${path}`, {
    method: "POST",
    headers: key === undefined ? headers : { ...headers, "idempotency-key": key },
    body: JSON.stringify(body),
  });
}

describe("a server that is killed under load", () => {
  const folder = new MsgdFolder();
  let credential: Credential;
  let server: MsgdProcess;
  const post = (path: string, body: object, key?: string) => postTo(server, credential, path, body, key);
  const sends = new Sends((key, body) => post("messages/sms", body, key));

  const query = <Row>(file: string, sql: string): Row[] => {
    const database = new BetterSqlite3(join(folder.path, file), { readonly: true });
    try {
      return database.prepare<[], Row>(sql).all();
    } finally {
      database.close();
    }
  };

  beforeAll(async () => {
    credential = folder.createTenant();
    server = await folder.serve();
    await post("merchants", { merchantId: "m1", displayName: "First", smsLimit: limit, smsCredits: credits });
    for (let round = 1; round <= ROUNDS; round += 1) {
      const running = sends.run();
      await sleep(150 + 120 * round);
      await server.end("SIGKILL");
      await running;
      server = await folder.serve();
    }
    // the last end is an orderly one, under load as well
    const running = sends.run();
    await sleep(300);
    const code = server.end("SIGTERM");
    await running;
    expect(await code).toBe(0);
    server = await folder.serve();
    await sends.finish();
    await vi.waitFor(
      () => {
        expect(
          query(
            "msgd.db",
            "SELECT message_id FROM messages WHERE status = 'QUEUED' UNION ALL SELECT message_id FROM dispatches",
          ),
        ).toEqual([]);
      },
      { timeout: 20_000, interval: 100 },
    );
    await server.end("SIGTERM");
  });
  afterAll(() => folder.remove());

  it("has every acknowledged message, and one for each key", () => {
    const stored = query<{ id: string }>("msgd.db", "SELECT message_id AS id FROM messages");
    const acknowledged = [...sends.acknowledged.values()].map(({ messageId }) => messageId);
    expect(acknowledged.length).toBeGreaterThan(100);
    expect(new Set(acknowledged).size).toBe(acknowledged.length);
    expect(stored.map(({ id }) => id).sort()).toEqual(acknowledged.sort());
  });

  it("sent each at most once, and each that it calls delivered exactly once", () => {
    const submissions = query<{ reference: string; sends: number }>(
      "simulator.db",
      "SELECT reference, sends FROM submissions",
    );
    const sentTimes = new Map(submissions.map(({ reference, sends }) => [reference, sends]));
    const messages = query<{ id: string; status: string }>("msgd.db", "SELECT message_id AS id, status FROM messages");
    const expected = { DELIVERED: 1, FAILED: 0 } as Record<string, number>;
    const wrong = messages.filter(({ id, status }) => sentTimes.get(id) !== expected[status]);
    expect(wrong).toEqual([]);
    expect(submissions.filter(({ sends }) => sends > 1)).toEqual([]);
  });

  it("charged exactly what was sent: no unit is reserved, lost or paid twice", () => {
    const failed = query<{ id: string }>("msgd.db", "SELECT message_id AS id FROM messages WHERE status = 'FAILED'");
    const unsent = new Set(failed.map(({ id }) => id));
    const charged = [...sends.acknowledged.values()].filter(({ messageId }) => !unsent.has(messageId));
    const used = charged.reduce((sum, { units }) => sum + units, 0);
    expect(query("msgd.db", "SELECT SUM(used) AS used, SUM(reserved) AS reserved FROM usage")).toEqual([
      { used, reserved: 0 },
    ]);
    expect(query("msgd.db", "SELECT credits FROM quotas WHERE merchant_id = 'm1' AND channel = 'SMS'")).toEqual([
      { credits: credits - Math.max(0, used - limit) },
    ]);
  });
});

const hasPrlimit = (() => {
  try {
    execFileSync("prlimit", ["--version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

// a bound on the size of files, moved while the server runs, stands in for a disk that fills up and is cleared
describe.skipIf(!hasPrlimit)("a server whose disk is full", () => {
  const folder = new MsgdFolder();
  afterAll(() => folder.remove());

  it("keeps what it acknowledged, refuses the rest as unavailable, and takes work again once there is space", async () => {
    const credential = folder.createTenant();
    const server = await folder.serve("--log-level", "fatal");
    const post = (path: string, body: object, key?: string) => postTo(server, credential, path, body, key);
    await post("merchants", { merchantId: "m1", displayName: "First", emailLimit: 1_000 });
    const limitFiles = (bytes: number | "unlimited") =>
      execFileSync("prlimit", ["--pid", String(server.pid), `--fsize=${bytes}:unlimited`]);
    const body = { merchantId: "m1", to: "ada@example.com", subject: "Hi", body: "x".repeat(20_000), type: "OTP" };
    const send = async (key: string) => {
      const reply = await post("messages/email", body, key);
      const { messageId, code } = await reply.json();
      return { key, status: reply.status, headers: reply.headers, messageId: String(messageId), code };
    };
    const sendAll = (keys: string[]) => Promise.all(keys.map(send));

    limitFiles(statSync(join(folder.path, "msgd.db-wal")).size + 1_000_000);
    const replies: Awaited<ReturnType<typeof send>>[] = [];
    for (let group = 0; group < 20; group += 1) {
      replies.push(...(await sendAll(Array.from({ length: 10 }, (_, index) => `email-${group}-${index}`))));
    }
    const accepted = replies.filter(({ status }) => status === 200);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(accepted.length).toBeGreaterThan(10);
    expect(refused.length).toBeGreaterThan(10);
    for (const { status, code, headers } of refused) {
      expect([status, code, headers.get("retry-after")]).toEqual([503, "unavailable", "5"]);
    }

    limitFiles("unlimited");
    const again = await sendAll(replies.map(({ key }) => key));
    expect(again.map(({ status }) => status)).toEqual(replies.map(() => 200));
    const messageIds = new Map(again.map(({ key, messageId }) => [key, messageId]));
    expect(new Set(messageIds.values()).size).toBe(replies.length);
    for (const { key, messageId } of accepted) expect(messageIds.get(key)).toBe(messageId);
    const replays = again.filter(({ headers }) => headers.get("idempotent-replayed") === "true");
    expect(replays.map(({ key }) => key)).toEqual(accepted.map(({ key }) => key));
  });
});
