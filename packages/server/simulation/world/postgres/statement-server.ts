// The real PostgreSQL server of a world. It runs one statement at a time: the next one begins when every earlier statement
// is answered or waits for a lock. Waiting backends are stopped, because backends released by one commit would race.

import { setTimeout as sleep } from "node:timers/promises";
import type { Answer } from "../../../src/platform/postgres/exchange.ts";
import type { SessionPort } from "../../../src/platform/postgres/sessions.ts";

/** A connection to the server, and the process that serves it there. */
export interface Backend {
  readonly session: SessionPort;
  readonly pid: number;
}

export type Outcome = { readonly answer: Answer } | { readonly error: unknown };

type Values = Parameters<SessionPort["ask"]>[1];

interface UnderWay {
  readonly backend: Backend;
  readonly text: string;
  readonly tell: (outcome: Outcome) => void;
  readonly ended: Promise<void>;
  outcome: Outcome | undefined;
}

/** Interval of checks whether a statement waits. Most are answered sooner. */
const LOOK_MS = 2;

export class StatementServer {
  readonly #monitor: SessionPort;
  readonly #signal: (pid: number, signal: "SIGSTOP" | "SIGCONT") => void;
  /** Statements that wait for a lock, in the order in which they began to wait. */
  readonly #waiting = new Set<UnderWay>();
  /** The last statement or cancelation. The next begins after it. */
  #last: Promise<void> = Promise.resolve();

  /** `monitor` is a separate connection. `isOurs` says that the server's processes are on this machine. */
  constructor(monitor: SessionPort, isOurs: boolean) {
    this.#monitor = monitor;
    this.#signal = isOurs ? (pid, signal) => process.kill(pid, signal) : () => {};
  }

  /** Runs a statement. `tell` is called with its outcome: at once, or after another transaction releases the lock. */
  run(backend: Backend, text: string, values: Values, tell: (outcome: Outcome) => void): Promise<void> {
    return this.#inOrder(async () => {
      const note = (outcome: Outcome) => {
        statement.outcome = outcome;
      };
      const ended = backend.session.ask(text, values).then(
        (answer) => note({ answer }),
        (error: unknown) => note({ error }),
      );
      const statement: UnderWay = { backend, text, tell, ended, outcome: undefined };
      await this.#follow(statement);
      await this.#letOthersGoOn();
    });
  }

  /** Whether the backend's statement waits for a lock. */
  isWaiting(backend: Backend): boolean {
    return this.#find(backend) !== undefined;
  }

  /** Cancels a waiting statement, as a time limit does. */
  cancel(backend: Backend): Promise<void> {
    return this.#inOrder(async () => {
      const statement = this.#find(backend);
      if (statement === undefined) return;
      await this.#monitor.ask("SELECT pg_cancel_backend($1::int)", [backend.pid]);
      this.#goOn(statement);
      await statement.ended;
      await this.#follow(statement);
      await this.#letOthersGoOn();
    });
  }

  /**
   * Finds a deadlock that includes the backend. Returns its statements, the backend's own first; undefined if there is
   * none.
   */
  async findCircle({ pid }: Backend): Promise<readonly string[] | undefined> {
    const waiting = new Map<number, { text: string; blockers: readonly number[] }>();
    for (const { backend, text } of this.#waiting) {
      waiting.set(backend.pid, { text, blockers: await this.#findBlockers(backend.pid) });
    }
    const seen = new Set<number>();
    const wayBack = (from: number): readonly string[] | undefined => {
      const { text, blockers } = waiting.get(from) ?? { text: "", blockers: [] };
      if (blockers.includes(pid)) return [text];
      for (const other of blockers) {
        if (seen.has(other)) continue;
        seen.add(other);
        const rest = wayBack(other);
        if (rest !== undefined) return [text, ...rest];
      }
      return undefined;
    };
    return wayBack(pid);
  }

  #inOrder(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  #find(backend: Backend): UnderWay | undefined {
    return [...this.#waiting].find((statement) => statement.backend === backend);
  }

  /** Waits until the statement has ended, or is blocked by a lock. */
  async #follow(statement: UnderWay): Promise<void> {
    const { ended, backend, tell } = statement;
    for (;;) {
      await Promise.race([ended, sleep(LOOK_MS)]);
      if (statement.outcome !== undefined) {
        // the server reports an error before it releases locks: once it answers another statement, it has released them
        if ("error" in statement.outcome) await backend.session.ask("SELECT").catch(() => {});
        tell(statement.outcome);
        return;
      }
      if ((await this.#findBlockers(backend.pid)).length > 0) break;
    }
    this.#signal(backend.pid, "SIGSTOP");
    this.#waiting.add(statement);
  }

  /** Resumes unblocked statements one after the other: each may take a lock for which the next one then has to wait again. */
  async #letOthersGoOn(): Promise<void> {
    for (;;) {
      const free = await this.#findFree();
      if (free === undefined) return;
      this.#goOn(free);
      await this.#follow(free);
    }
  }

  async #findFree(): Promise<UnderWay | undefined> {
    for (const statement of this.#waiting) {
      if ((await this.#findBlockers(statement.backend.pid)).length === 0) return statement;
    }
    return undefined;
  }

  #goOn(statement: UnderWay): void {
    this.#waiting.delete(statement);
    this.#signal(statement.backend.pid, "SIGCONT");
  }

  async #findBlockers(pid: number): Promise<number[]> {
    const { rows } = await this.#monitor.ask<{ pid: number }>("SELECT unnest(pg_blocking_pids($1::int)) AS pid", [pid]);
    return rows.map((row) => row.pid);
  }
}
