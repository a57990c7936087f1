// Runs units of work, each in a transaction of its own, and again where that is safe.

import type { SessionPool } from "../../platform/postgres/connections.ts";
import type { Answer } from "../../platform/postgres/exchange.ts";
import { isConflict, isLost, isUndone } from "../../platform/postgres/failures.ts";
import { LONGEST_ANSWER_MS } from "../../platform/postgres/limits.ts";
import type { SessionPort } from "../../platform/postgres/sessions.ts";
import type { NoteCommit } from "../occurrences.ts";
import { CommitInDoubt, RunAgain, type Work } from "../store.ts";
import { PostgresConnection } from "./connection.ts";
import { causeOf, explainFailure } from "./failures.ts";
import { type StorePorts, systemPorts } from "./ports.ts";

/** How often a unit is run that meets others, or whose connection is lost before its commit. */
const MOST_RUNS = 8;
/** The pause before the second run; each further one is twice as long. Together: 1.3 s, as a server takes to restart. */
const FIRST_PAUSE_MS = 10;
/** How long after its first run a unit is begun again: each may wait for a connection, and for answers. */
const LATEST_RUN_MS = 10_000;

export class Units {
  readonly #connections: SessionPool;
  readonly #noteCommit: NoteCommit | undefined;
  readonly #ports: StorePorts;

  constructor(connections: SessionPool, noteCommit: NoteCommit | undefined, ports = systemPorts) {
    this.#connections = connections;
    this.#noteCommit = noteCommit;
    this.#ports = ports;
  }

  /** Settles once the unit's commit is durable. Rejects with nothing written, or with a `CommitInDoubt`. */
  run<T>(work: Work<T>): Promise<T> {
    return this.#run(work);
  }

  /** The same for one that takes whatever time its statements need, or waits for others. */
  runUnbounded<T>(work: Work<T>): Promise<T> {
    return this.#run(work, LONGEST_ANSWER_MS);
  }

  async #run<T>(work: Work<T>, answerMs?: number): Promise<T> {
    const { clock } = this.#ports;
    const latest = clock.elapsed() + LATEST_RUN_MS;
    for (let runs = 1; ; runs += 1) {
      try {
        return await this.#once(work, answerMs);
      } catch (error) {
        if (runs >= MOST_RUNS || clock.elapsed() > latest || !canRunAgain(error)) throw explainFailure(error);
        // at once for a unit that found out that it began wrongly
        if (!(error instanceof RunAgain)) await this.#pause(runs);
      }
    }
  }

  async #once<T>(work: Work<T>, answerMs: number | undefined): Promise<T> {
    const session = await this.#connections.take();
    const { clock, randomness } = this.#ports;
    const startedAt = clock.elapsed();
    const tx = new PostgresConnection(session, { opening: "BEGIN", answerMs, randomness });
    let isBroken = false;
    try {
      const value = await work(tx);
      if (tx.failure !== undefined) throw tx.failure;
      if (tx.isOpen) await commit(session);
      this.#noteCommit?.(1, clock.elapsed() - startedAt, tx.occurrences);
      return value;
    } catch (error) {
      isBroken = !(await rollBack(session, tx, error));
      throw error;
    } finally {
      this.#connections.release(session, isBroken);
    }
  }

  /** With jitter, so that those that met do not meet again. */
  #pause(runs: number): Promise<void> {
    const { clock, randomness } = this.#ports;
    const longest = FIRST_PAUSE_MS * 2 ** (runs - 1);
    return new Promise((resolve) => clock.after(longest * (0.5 + randomness.fraction() / 2), resolve));
  }
}

/** How PostgreSQL warns of a commit that is not where it should be: its wait for a standby was cut short. */
const WARNING = "01000";

/** Throws `CommitInDoubt` if the answer was lost, or the commit may be lost with its server. */
export async function commit(session: SessionPort): Promise<void> {
  let answer: Answer;
  try {
    answer = await session.ask("COMMIT");
  } catch (error) {
    if (isLost(error) && !isUndone(error))
      throw new CommitInDoubt("the connection was lost under a commit", { cause: error });
    throw error;
  }
  if (answer.warning === WARNING) throw new CommitInDoubt("a commit did not wait for its standby");
  if (answer.command !== "COMMIT") throw new Error("the database rolled back a transaction that had not failed");
}

/** Returns whether the connection can be used again. */
async function rollBack(session: SessionPort, tx: PostgresConnection, error: unknown): Promise<boolean> {
  if (!tx.isOpen) return !isLost(causeOf(error));
  try {
    await session.ask("ROLLBACK");
    return tx.failure === undefined || !isLost(tx.failure);
  } catch {
    return false;
  }
}

function canRunAgain(error: unknown): boolean {
  if (error instanceof CommitInDoubt) return false;
  const cause = causeOf(error);
  return error instanceof RunAgain || isConflict(cause) || isLost(cause);
}
