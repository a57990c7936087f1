// One world, from its first event to its last: instances, callers, peers and faults. Invariants are checked after each
// commit, and once more when all work has ended.

import { type Observer, observe, type Probe } from "../../src/platform/probes.ts";
import { checkDials, checkLeases, checkMoves } from "../check/commit-checks.ts";
import { createEndChecks } from "../check/end-checks.ts";
import { Violation } from "../check/violation.ts";
import type { Plan } from "../plan/plan.ts";
import { Random } from "../random.ts";
import { Trace } from "../trace.ts";
import { Callers } from "./callers.ts";
import { Carrier, type CarrierOptions } from "./carrier.ts";
import { Chances } from "./chances.ts";
import type { Database } from "./database.ts";
import { Disk } from "./disk.ts";
import { Fleet, LAST_LOOKS_MS } from "./fleet.ts";
import { Happenings } from "./happenings.ts";
import type { Surroundings } from "./instance.ts";
import { listDue, listOpenWork } from "./open-work.ts";
import { populate } from "./population.ts";
import { Processor } from "./processor.ts";
import { Receivers } from "./receiver.ts";
import { Removals } from "./removals.ts";
import { Scheduler } from "./scheduler.ts";
import { Engine } from "./speech-engine.ts";
import { Wires } from "./wires.ts";

const MS = 1_000;
const SECOND_US = 1_000_000;
const DAY_US = 24 * 60 * 60 * SECOND_US;

/** Number of poll intervals for which several instances run after faults have stopped. Then only one is left. */
const TOGETHER_LOOKS = 2;
/** Time after the faults within which all work must end. */
const ENDS_WITHIN_US = 12 * DAY_US;
/** Time within which a due entry must be processed by an instance that knows of it: longer than a slow store takes. */
const LOOKED_AT_WITHIN_US = { minutes: 5 * 60 * SECOND_US, "an hour": 60 * 60 * SECOND_US };
const DUE_CHECKED_EVERY_US = 10 * 60 * SECOND_US;
/** Upper bound on the steps of any world. */
const MOST_STEPS = 100_000;

const CHANGES_TABLES = /^\s*(?:ALTER|CREATE|DROP|LOCK)\b/;

export interface WorldResult {
  /** SHA-256 of the trace, in hex. */
  readonly digest: string;
  readonly steps: number;
  readonly probes: ReadonlySet<Probe>;
  /** The first violated invariant. */
  readonly failure: { readonly invariant: string; readonly detail: string } | undefined;
  readonly trace: readonly string[];
}

/** Runs the world of a plan. Meanwhile, nothing else may use the database, or run the server's code in this thread. */
export async function runWorld(plan: Plan, database: Database): Promise<WorldResult> {
  const world = new World(plan, database);
  const noteRejection = (error: unknown) => world.fail("no promise is left rejected", String(error));
  observe(world.observer);
  process.on("unhandledRejection", noteRejection);
  try {
    return await world.run();
  } finally {
    process.off("unhandledRejection", noteRejection);
    observe(undefined);
  }
}

class World {
  readonly #plan: Plan;
  readonly #database: Database;
  readonly #trace = new Trace();
  readonly #scheduler: Scheduler;
  readonly #chances: Chances;
  readonly #sites: Random;
  readonly #probes = new Set<Probe>();
  readonly #surroundings: Surroundings;
  readonly #disk: Disk;
  readonly #fleet: Fleet;
  readonly #callers: Callers;
  #isCalm = false;
  #failure: WorldResult["failure"];

  constructor(plan: Plan, database: Database) {
    const { seed } = plan;
    this.#plan = plan;
    this.#database = database;
    this.#scheduler = new Scheduler(new Random(seed, "order"), this.#trace);
    this.#chances = new Chances(plan);
    this.#sites = new Random(seed, "sites");
    this.#disk = new Disk(database);
    const options: CarrierOptions = {
      scheduler: this.#scheduler,
      wires: new Wires(this.#scheduler, new Random(seed, "wires")),
      chances: this.#chances,
      random: new Random(seed, "surroundings"),
      fail: (invariant, detail) => this.fail(invariant, detail),
    };
    this.#surroundings = surround(plan, options);
    this.#fleet = new Fleet({
      ...options,
      plan,
      database,
      trace: this.#trace,
      disk: this.#disk,
      surroundings: this.#surroundings,
      noteCommit: () => this.#checkCommit(),
    });
    this.#callers = new Callers({
      ...options,
      random: new Random(seed, "callers"),
      instances: () => this.#fleet.ready,
    });
  }

  readonly observer: Observer = {
    reached: (probe) => this.#probes.add(probe),
    happens: (site) => this.#plan.sites.includes(site) && this.#sites.chance(0.75),
  };

  fail(invariant: string, detail: string): void {
    this.#failure ??= { invariant, detail };
  }

  async run(): Promise<WorldResult> {
    const { seed, startsAt, calmFromMs, awayMs, prunes } = this.#plan;
    await this.#database.begin(new Random(seed, "ids"), (tx) =>
      populate(tx, {
        random: new Random(seed, "population"),
        now: startsAt,
        prunes,
        removals: this.#surroundings.removals,
      }),
    );
    this.#database.takesWrite = () => !this.#disk.isFull && !this.#chances.happens("store refuses", 0.02);
    this.#database.noteCircle = (statements) => this.#checkCircle(statements);
    const happenings = this.#beginHappenings();
    this.#fleet.bootAll(0);
    this.#scheduler.at(calmFromMs * MS, "calm", undefined, () => {
      this.#isCalm = true;
      this.#chances.becomeCalm();
      happenings.becomeCalm();
      this.#fleet.thin(awayMs * MS);
    });
    await this.#runToEnd();
    await this.#check(() => this.#checkEnd(happenings));
    const { steps } = this.#scheduler;
    return {
      digest: this.#trace.digest(),
      steps,
      probes: this.#probes,
      failure: this.#failure,
      trace: this.#trace.lines,
    };
  }

  #beginHappenings(): Happenings {
    return new Happenings({
      plan: this.#plan,
      scheduler: this.#scheduler,
      database: this.#database,
      disk: this.#disk,
      fleet: this.#fleet,
      callers: this.#callers,
      surroundings: this.#surroundings,
      fail: (invariant, detail) => this.fail(invariant, detail),
    });
  }

  async #runToEnd(): Promise<void> {
    const { engine, calmFromMs, awayMs, pollIntervalMs } = this.#plan;
    const servedFrom = (calmFromMs + awayMs) * MS;
    const oneLeftFrom =
      engine === "file" ? Number.POSITIVE_INFINITY : servedFrom + TOGETHER_LOOKS * pollIntervalMs * MS;
    let nextClaimBy = servedFrom;
    let nextDueCheckAt = servedFrom;
    let isOneLeft = false;
    while (this.#failure === undefined) {
      const { next = Number.POSITIVE_INFINITY, now, steps } = this.#scheduler;
      if (this.#isCalm && next >= nextClaimBy) {
        if (!(await this.#hasOpenWork())) return;
        if (next >= nextDueCheckAt && Number.isFinite(next)) {
          await this.#checkDue(next);
          nextDueCheckAt = next + DUE_CHECKED_EVERY_US;
        }
        nextClaimBy = next + SECOND_US;
        if (now > servedFrom + ENDS_WITHIN_US) this.fail("all work ends", await this.#describeOpenWork());
        if (!isOneLeft && now > oneLeftFrom) {
          isOneLeft = true;
          this.#fleet.leaveOne();
        }
      }
      const hasHappened = await this.#scheduler.step();
      if (!hasHappened) this.fail("work goes on by itself", `no event is scheduled: ${await this.#describeOpenWork()}`);
      if (steps > MOST_STEPS) this.fail("a world ends", `it took ${steps} steps: ${await this.#describeOpenWork()}`);
    }
  }

  /** Fails if a due entry was not processed in time. `now` is the time of the next event; nothing happens before it. */
  async #checkDue(now: number): Promise<void> {
    const { engine, calmFromMs } = this.#plan;
    const serving = this.#fleet.longestServing;
    if (serving === undefined || (await this.#database.isLocked?.())) return;
    for (const { what, dueAt, within } of await listDue(this.#database)) {
      const dueSince = Math.max(serving.machine.timeOf(dueAt), serving.since, calmFromMs * MS);
      const allowedUs = LOOKED_AT_WITHIN_US[within] + (engine === "file" ? 0 : LAST_LOOKS_MS * MS);
      if (now - dueSince > allowedUs)
        this.fail("what is due is looked at", `${what} was due ${Math.round((now - dueSince) / SECOND_US)} s ago`);
    }
  }

  async #hasOpenWork(): Promise<boolean> {
    return this.#callers.areWaiting || (await this.#listOpenWork(1)).length > 0;
  }

  async #describeOpenWork(): Promise<string> {
    return (await this.#listOpenWork(8)).join(", ");
  }

  async #listOpenWork(limit: number): Promise<string[]> {
    if (await this.#database.isLocked?.()) return ["a change of tables is under way"];
    const waiting = this.#callers.areWaiting ? ["a caller waits"] : [];
    return [...waiting, ...(await listOpenWork(this.#database, limit))];
  }

  async #checkCommit(): Promise<void> {
    const { moves, leases, dials } = await this.#database.takeNotes();
    for (const { messageId, from, to } of moves) this.#trace.note(`  ${messageId} ${from} → ${to}`);
    this.#check(() => {
      checkMoves(moves);
      checkLeases(leases, this.#plan.carriers.VOICE.kind !== "open");
      checkDials(dials);
    });
  }

  async #checkEnd({ restoredAt }: Happenings): Promise<void> {
    if (this.#failure !== undefined) return;
    const checks = await createEndChecks({
      database: this.#database,
      surroundings: this.#surroundings,
      plan: this.#plan,
      acknowledged: [...this.#callers.acknowledged.values()],
      undone: this.#callers.undone,
      restoredAt,
    });
    for (const check of checks) await check();
  }

  /** Fails on a deadlock: transactions must lock rows in one order. Changes of tables are exempt: they retry. */
  #checkCircle(statements: readonly string[]): void {
    if (statements.some((text) => CHANGES_TABLES.test(text))) return;
    this.fail(
      "no transactions wait for each other",
      statements.map((text) => text.trim().replace(/\s+/g, " ")).join(" | "),
    );
  }

  #check(check: () => void | Promise<void>): void | Promise<void> {
    const note = (error: unknown) => {
      if (!(error instanceof Violation)) throw error;
      this.fail(error.invariant, error.detail);
    };
    try {
      return check()?.catch(note);
    } catch (error) {
      return note(error);
    }
  }
}

function surround({ carriers: { SMS, EMAIL, VOICE }, acts }: Plan, options: CarrierOptions): Surroundings {
  return {
    carriers: {
      SMS: new Carrier("SMS", SMS, options),
      EMAIL: new Carrier("EMAIL", EMAIL, options),
      VOICE: new Carrier("VOICE", VOICE, options),
    },
    engine: new Engine(options),
    processor: new Processor(options),
    receivers: new Receivers(options),
    removals: acts.some(({ kind }) => kind === "removal") ? new Removals(options.scheduler) : undefined,
  };
}
