import type { Duplex } from "node:stream";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isLost } from "../../platform/postgres/failures.ts";
import { openSession, type Session } from "../../platform/postgres/sessions.ts";
import { type TestDatabase, takeDatabase } from "../../testing/engine.ts";
import { openStoreAt } from "../../testing/test-store.ts";
import { CommitInDoubt, RunAgain, type Store, StoreUnavailable, type Work } from "../store.ts";
import { commit } from "./connection.ts";

let database: TestDatabase;
let store: Store;
beforeEach(async () => {
  database = await takeDatabase();
  store = await openStoreAt(database.location, { now: Date.now });
});
afterEach(async () => {
  await store.close();
  await database.release();
});

describe("a transaction that fails with", () => {
  let runs: number;
  /** Work that fails this many times and then succeeds. */
  const failing =
    (code: string, times: number): Work<number> =>
    async (tx) => {
      runs += 1;
      if (runs <= times) await tx.run(`DO $do$ BEGIN RAISE EXCEPTION 'in the way' USING ERRCODE = '${code}'; END $do$`);
      return runs;
    };
  beforeEach(() => {
    runs = 0;
  });

  it.each(["40001", "40P01", "23505"])(
    "%s is retried, and throws StoreUnavailable if it always fails",
    async (code) => {
      expect(await store.write(failing(code, 3))).toBe(4);
      runs = 0;
      const failed = store.write(failing(code, 100));
      await expect(failed).rejects.toThrow(StoreUnavailable);
      await expect(failed).rejects.toThrow(`the transaction conflicted too often: ${code}`);
      expect(runs).toBe(8);
    },
  );

  it("RunAgain is retried, and throws StoreUnavailable if it always fails", async () => {
    const failed = store.write(async () => {
      runs += 1;
      throw new RunAgain("somebody was sooner");
    });
    await expect(failed).rejects.toThrow(StoreUnavailable);
    await expect(failed).rejects.toThrow("the transaction had to be repeated too often: somebody was sooner");
    expect(runs).toBe(8);
  });

  it("57014, a statement timeout, throws StoreUnavailable without a retry", async () => {
    await expect(store.write(failing("57014", 1))).rejects.toThrow(StoreUnavailable);
    expect(runs).toBe(1);
  });

  it("any other code throws the original error", async () => {
    await expect(store.write(failing("22012", 1))).rejects.not.toThrow(StoreUnavailable);
    expect(runs).toBe(1);
  });
});

describe("a commit", () => {
  async function begin(): Promise<{ client: pg.Client; session: Session }> {
    const client = new pg.Client({ connectionString: "url" in database.location ? database.location.url : "" });
    client.on("error", () => {});
    await client.connect();
    const { session } = await openSession(client, { answerMs: 5_000, plansByIndex: false });
    await session.begin();
    return { client, session };
  }
  const cut = (client: pg.Client) =>
    (client as unknown as { connection: { stream: Duplex } }).connection.stream.destroy();

  it("is in doubt if it was sent and not answered", async () => {
    const { client, session } = await begin();
    const committed = commit(session);
    process.nextTick(() => cut(client));
    await expect(committed).rejects.toThrow(CommitInDoubt);
  });

  it("is not in doubt on a connection that was already lost, because it is not sent", async () => {
    const { client, session } = await begin();
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    cut(client);
    await ended;
    const failure = await commit(session).catch((error: unknown) => error);
    expect(failure).not.toBeInstanceOf(CommitInDoubt);
    expect(isLost(failure)).toBe(true);
  });
});
