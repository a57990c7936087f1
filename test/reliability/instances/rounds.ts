// Repeatedly disturbs several servers on one PostgreSQL under load, each time in another way. After each round all work has to
// settle, and the records are compared with the acknowledged work.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Comparison, compare, findFaults } from "../comparison.ts";
import { hasRow, waitForNone } from "../data.ts";
import type { LoadReport } from "../load.ts";
import { openQuery, pendingPayments } from "../open-work.ts";
import { type DisturbanceKind, disturbanceKinds, runDisturbance } from "./disturbances.ts";
import { Draws } from "./draws.ts";
import { type Instance, Instances } from "./instances.ts";

/** Number of acknowledged actions before each disturbance. */
const ACTIONS = [20, 120] as const;
/** Time limits of waits, longer than any event takes even on a busy machine. */
const READY_BOUND_MS = 180_000;
const SETTLE_BOUND_MS = 180_000;
const LOOK_MS = 50;
/** Longer than the ten minutes after which a server asks about a payment that the processor did not answer. */
const PAYMENT_ASKED_MS = 15 * 60_000;
/** Number of lines quoted from the output of an instance that failed. */
const LAST_LINES = 10;

export interface InstanceRoundsResult extends LoadReport, Comparison {
  /** Number of disturbances by kind. */
  readonly done: Readonly<Partial<Record<DisturbanceKind, number>>>;
  /** Faults found by `msgd verify`. */
  readonly broken: readonly string[];
  /** Instances that did not recover without help. */
  readonly absent: readonly string[];
  /** Time from the end of a disturbance until every instance was ready, in milliseconds. */
  readonly recoveryMs: readonly number[];
  /** Time in each round from the end of the load until no work was in progress, in milliseconds. */
  readonly settleMs: readonly number[];
  /** Folder of the logs, if anything was wrong. */
  readonly logs: string | undefined;
}

export interface InstanceRoundsPlan {
  readonly instances: number;
  /** Disturbances of each round. They follow one another, before all work has to settle. */
  readonly kinds: readonly (readonly DisturbanceKind[])[];
  /** Seed of the first round. Each later round adds 1. */
  readonly seed: number;
}

/** Draws `rounds` kinds in an order chosen by the seed, each equally often. */
export function drawKinds(rounds: number, seed: number): DisturbanceKind[] {
  const draws = new Draws(seed);
  const cycles = Array.from({ length: Math.ceil(rounds / disturbanceKinds.length) }, () =>
    draws.shuffle(disturbanceKinds),
  );
  return cycles.flat().slice(0, rounds);
}

/** Runs the rounds on a temporary PostgreSQL. Ends after the first round with a fault. */
export async function runInstanceRounds(
  plan: InstanceRoundsPlan,
  note: (line: string) => void,
): Promise<InstanceRoundsResult> {
  const instances = await Instances.begin(plan.instances);
  const rounds = new Rounds(instances, note);
  try {
    for (const [index, kinds] of plan.kinds.entries()) {
      const isSound = await rounds.run(kinds, plan.seed + index, `round ${index + 1} of ${plan.kinds.length}`);
      if (!isSound) break;
      if (index + 1 < plan.kinds.length) instances.load.goOn();
    }
    return await rounds.finish();
  } finally {
    await instances.remove();
  }
}

class Rounds {
  readonly #instances: Instances;
  readonly #note: (line: string) => void;
  readonly #lines: string[] = [];
  readonly #done: Partial<Record<DisturbanceKind, number>> = {};
  readonly #absent: string[] = [];
  readonly #recoveryMs: number[] = [];
  readonly #settleMs: number[] = [];
  #broken: readonly string[] = [];
  #comparison: Comparison | undefined;

  constructor(instances: Instances, note: (line: string) => void) {
    this.#instances = instances;
    this.#note = (line) => {
      this.#lines.push(`${new Date().toISOString()} ${line}`);
      note(line);
    };
  }

  /** Runs one round, and pauses the load. Returns whether nothing is wrong. */
  async run(kinds: readonly DisturbanceKind[], seed: number, name: string): Promise<boolean> {
    const draws = new Draws(seed);
    for (const kind of kinds) {
      await this.#instances.load.progress(draws.between(...ACTIONS));
      this.#note(`${name}, seed ${seed}: ${kind}`);
      await runDisturbance(kind, this.#instances, draws);
      this.#done[kind] = (this.#done[kind] ?? 0) + 1;
      await this.#waitUntilReady();
    }
    await this.#settle();
    const faults = { ...findFaults(await this.#compare()), broken: this.#broken, absent: this.#absent };
    const wrong = Object.entries(faults).filter(([, found]) => found.length > 0);
    const settled = `ready after ${this.#recoveryMs.at(-1)?.toFixed(0)} ms, settled after ${this.#settleMs.at(-1)?.toFixed(0)} ms`;
    this.#note(
      `${name}: ${settled}, ${wrong.map(([fault, found]) => `${found.length} ${fault}`).join(", ") || "sound"}`,
    );
    return wrong.length === 0;
  }

  async finish(): Promise<InstanceRoundsResult> {
    const report = await this.#instances.load.finish();
    const exits = await Promise.all(this.#instances.all.map((instance) => instance.end()));
    for (const [index, instance] of this.#instances.all.entries()) {
      if (exits[index] !== 0) this.#absent.push(`${instance.name} ended with ${exits[index]}: ${lastOf(instance)}`);
    }
    const comparison = this.#comparison ?? (await this.#compare());
    const result = { ...report, ...comparison, broken: this.#broken, absent: this.#absent };
    const isSound = Object.keys(findFaults(comparison)).length === 0;
    const others = [report.surprises, report.denied, this.#broken, this.#absent];
    return {
      ...result,
      done: this.#done,
      recoveryMs: this.#recoveryMs,
      settleMs: this.#settleMs,
      logs: isSound && others.every((found) => found.length === 0) ? undefined : this.#keepLogs(),
    };
  }

  async #waitUntilReady(): Promise<void> {
    const start = performance.now();
    const ready = await Promise.all(this.#instances.all.map(isReadyInTime));
    this.#recoveryMs.push(performance.now() - start);
    for (const [index, isReady] of ready.entries()) {
      if (!isReady) this.#absent.push(`${this.#instances.all[index]?.name} was not ready again`);
    }
  }

  /** Pauses the load, and waits until all work has ended, including payments, about which the processor is asked later. */
  async #settle(): Promise<void> {
    const { load, data } = this.#instances;
    await load.pause();
    const start = performance.now();
    await waitForNone(data.own, () => openQuery(this.#instances.now()), SETTLE_BOUND_MS);
    if (await hasRow(data.own, pendingPayments)) {
      await this.#instances.setForward(PAYMENT_ASKED_MS);
      await waitForNone(data.own, () => pendingPayments, SETTLE_BOUND_MS);
    }
    this.#settleMs.push(performance.now() - start);
  }

  async #compare(): Promise<Comparison> {
    const { data, load } = this.#instances;
    this.#broken = await this.#instances.verify();
    this.#comparison = await compare(data, load.readAcknowledgements());
    return this.#comparison;
  }

  #keepLogs(): string {
    const folder = mkdtempSync(join(tmpdir(), "msgd-instances-logs-"));
    writeFileSync(join(folder, "rounds.log"), `${this.#lines.join("\n")}\n`);
    for (const { name, written } of this.#instances.all) writeFileSync(join(folder, `${name}.log`), `${written}\n`);
    return folder;
  }
}

/** Returns the last lines of an instance's output. */
function lastOf({ written }: Instance): string {
  return written.split("\n").slice(-LAST_LINES).join("\n");
}

async function isReadyInTime({ baseUrl }: Instance): Promise<boolean> {
  const giveUpAt = performance.now() + READY_BOUND_MS;
  while (performance.now() < giveUpAt) {
    const reply = await fetch(`${baseUrl}/readyz`, { signal: AbortSignal.timeout(READY_BOUND_MS) }).catch(
      () => undefined,
    );
    if (reply?.ok === true) return true;
    await sleep(LOOK_MS);
  }
  return false;
}
