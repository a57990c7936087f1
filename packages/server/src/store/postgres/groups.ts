// Units that may share a transaction, a group of them at a time on each of a few connections: while one group is being
// committed, the next one gathers.

import type { SessionPool } from "../../platform/postgres/connections.ts";
import { isLost } from "../../platform/postgres/failures.ts";
import type { SessionPort } from "../../platform/postgres/sessions.ts";
import type { NoteCommit } from "../occurrences.ts";
import { RunAgain, type Work } from "../store.ts";
import { explainFailure } from "./failures.ts";
import { type StorePorts, systemPorts } from "./ports.ts";
import { type Outcome, SharedTransaction, SpoiledGroup } from "./shared-transaction.ts";
import { commit, type Units } from "./units.ts";

/** The most units of a group: more cost the event loop a long turn, and hardly gain anything. */
const LARGEST_GROUP = 128;
/** Groups under way at once. */
const MOST_GROUPS = 2;
/**
 * Beside another, a group begins once it has this share of the other's units, or its first unit has waited for so long: each
 * costs the database the same again, and callers that were answered together come again one after the other.
 */
const WORTH_A_GROUP = 1 / 3;
const LONGEST_GATHERING_MS = 2;

interface Unit {
  readonly work: Work<unknown>;
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export class Groups {
  readonly #connections: SessionPool;
  readonly #units: Units;
  readonly #noteCommit: NoteCommit | undefined;
  readonly #ports: StorePorts;
  #waiting: Unit[] = [];
  #underWay = 0;
  #unitsUnderWay = 0;
  #isLooking = false;
  /** Cancels the wait of a group that gathers; undefined while none waits. */
  #gathering: (() => void) | undefined;
  #fullMs = 0;
  #fullSince = 0;

  /** `units` runs those of a group that cannot be committed as one. */
  constructor(connections: SessionPool, units: Units, noteCommit: NoteCommit | undefined, ports = systemPorts) {
    this.#connections = connections;
    this.#units = units;
    this.#noteCommit = noteCommit;
    this.#ports = ports;
  }

  /** For how long, in all, as many groups were under way as may be, in milliseconds. */
  get fullMs(): number {
    return this.#fullMs + (this.#underWay === MOST_GROUPS ? this.#ports.clock.elapsed() - this.#fullSince : 0);
  }

  run<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ work, resolve: resolve as Unit["resolve"], reject });
      if (this.#isLooking) return;
      this.#isLooking = true;
      // what arrives in the same turn of the event loop goes along
      this.#ports.nextTurn(() => {
        this.#isLooking = false;
        this.#beginIfWorthIt();
      });
    });
  }

  /** Runs the work in a transaction of its own: what it asks at once is asked together. */
  runAlone<T>(work: Work<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => this.#runGroup([{ work, resolve: resolve as Unit["resolve"], reject }]));
  }

  #beginIfWorthIt(): void {
    if (this.#underWay === MOST_GROUPS || this.#waiting.length === 0) return;
    if (this.#waiting.length >= this.#unitsUnderWay * WORTH_A_GROUP) this.#begin();
    else this.#gathering ??= this.#ports.clock.after(LONGEST_GATHERING_MS, () => this.#begin());
  }

  #begin(): void {
    this.#gathering?.();
    this.#gathering = undefined;
    this.#underWay += 1;
    if (this.#underWay === MOST_GROUPS) this.#fullSince = this.#ports.clock.elapsed();
    const group = this.#waiting.splice(0, LARGEST_GROUP);
    this.#unitsUnderWay += group.length;
    this.#runGroup(group).finally(() => {
      this.#fullMs = this.fullMs;
      this.#underWay -= 1;
      this.#unitsUnderWay -= group.length;
      this.#beginIfWorthIt();
    });
    this.#beginIfWorthIt();
  }

  async #runGroup(group: readonly Unit[]): Promise<void> {
    let outcomes: Outcome[];
    try {
      outcomes = await this.#runTogether(group.map(({ work }) => work));
    } catch (error) {
      if (error instanceof SpoiledGroup) this.#runEach(group);
      else for (const { reject } of group) reject(explainFailure(error));
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const outcome = outcomes[index] as Outcome;
      if ("value" in outcome) resolve(outcome.value);
      else if (outcome.error instanceof RunAgain) this.#runEach(group.slice(index, index + 1));
      else reject(outcome.error);
    }
  }

  async #runTogether(works: readonly Work<unknown>[]): Promise<Outcome[]> {
    const session = await this.#connections.take();
    const { clock, randomness } = this.#ports;
    const startedAt = clock.elapsed();
    let isBroken = false;
    try {
      const shared = new SharedTransaction(session, () => commit(session), randomness);
      const outcomes = await shared.run(works);
      this.#noteCommit?.(works.length, clock.elapsed() - startedAt, shared.occurrences);
      return outcomes;
    } catch (error) {
      isBroken = !(error instanceof SpoiledGroup) || isLost(error.cause) || !(await endTransaction(session));
      throw error;
    } finally {
      this.#connections.release(session, isBroken);
    }
  }

  #runEach(group: readonly Unit[]): void {
    for (const { work, resolve, reject } of group) this.#units.run(work).then(resolve, reject);
  }
}

/** Returns whether the connection can be used again. */
async function endTransaction(session: SessionPort): Promise<boolean> {
  try {
    await session.ask("ROLLBACK");
    return true;
  } catch {
    return false;
  }
}
