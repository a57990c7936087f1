// The store of an instance: its own group commit over the world's database. Requests and answers each take a while; a
// commit may be refused, be in doubt, or fail on the disk.

import type { SqliteConnection } from "../../../src/store/sqlite/connection.ts";
import { GroupCommitWriter } from "../../../src/store/sqlite/group-commit.ts";
import { CommitInDoubt, readRows, type Store, StoreUnavailable, type Work } from "../../../src/store/store.ts";
import type { StoreOptions } from "../database.ts";
import { drawWay } from "../store-way.ts";

/**
 * Range by which the answer to a claim may be delayed, in microseconds. The lease lasts longer, so the message is still
 * submitted.
 */
const LATE_US = 3_000;
const CLAIM_LASTS_US = 10_000_000;

export function openSqliteStore(connection: SqliteConnection, options: StoreOptions): Store {
  const { engine, process, scheduler, chances, random, noteBroken, die, beginFlush, noteCommit } = options;
  const way = () => drawWay(random, chances.happens("store is slow"));
  const pass = (label: string) => new Promise<void>((resolve) => scheduler.in(way(), label, process, resolve));
  const writer = new GroupCommitWriter(connection, {
    async flush() {
      const endFlush = await beginFlush();
      await pass("flush");
      if (engine === "server" || !chances.happens("disk breaks", 0.05)) return endFlush();
      noteBroken();
      throw new Error("the disk broke");
    },
    noteCommit,
    nextTurn: (run) => scheduler.in(way(), "turn", process, run),
    runningTime: process.clock.elapsed,
  });

  async function cross<T>(label: "read" | "write", serve: () => Promise<T>, isClaim = false): Promise<T> {
    // a write instead waits for its group commit
    if (label === "read") await pass("read?");
    if (chances.happens("store refuses", 0.5)) throw new StoreUnavailable("the database did not take a write");
    const isInDoubt =
      engine === "server" && label === "write" && chances.happens("store leaves a commit in doubt", 0.5);
    if (isInDoubt && random.chance(0.5)) throw new CommitInDoubt("the connection was lost before the commit");
    const outcome = await serve().then(
      (value) => ({ value }),
      (error: unknown) => ({ error }),
    );
    if (label === "write" && chances.happens("process dies at a write", 0.1)) die();
    // delays the answer while the lease is alive and the submission has not begun
    if (isClaim && chances.happens("store is slow")) {
      await new Promise<void>((resolve) =>
        scheduler.in(random.between(LATE_US, CLAIM_LASTS_US), "claimed", process, resolve),
      );
    }
    await pass(`${label}.`);
    if (isInDoubt) throw new CommitInDoubt("the connection was lost after the commit");
    if ("error" in outcome) throw outcome.error;
    return outcome.value;
  }

  return {
    read: <T>(work: Work<T>) => cross("read", () => work(connection)),
    readPages: <Row>(query: Parameters<typeof readRows<Row>>[1]) =>
      (async function* () {
        yield await cross("read", () => readRows<Row>(connection, query));
      })(),
    openSnapshot: () => Promise.reject(new Error("a simulated store has no snapshots")),
    write: (work, priority) => cross("write", () => writer.write(work, priority), priority === "claim"),
    close: () => writer.close(),
  };
}
