// The instances of a world: which run, which restart, and which are gone for good.

import { hasMessageEvents } from "../../src/dispatch/callbacks/message-events.ts";
import type { Logger } from "../../src/platform/logging.ts";
import { CommitInDoubt, StoreUnavailable } from "../../src/store/store.ts";
import type { Plan } from "../plan/plan.ts";
import { Random } from "../random.ts";
import type { Trace } from "../trace.ts";
import type { Chances } from "./chances.ts";
import type { Database, StoreOptions } from "./database.ts";
import type { Disk } from "./disk.ts";
import { Instance, type Surroundings } from "./instance.ts";
import { Machine, MachineProcess } from "./machine.ts";
import type { Scheduler } from "./scheduler.ts";

const SECOND_US = 1_000_000;
/** Delay before the restart of a server that exited after an error. */
const START_AGAIN_US = 2 * SECOND_US;
/** Time limit of a graceful stop. */
const STOP_US = 30 * SECOND_US;
/** Poll interval of the last instance: waiting for days must not take thousands of polls. */
export const LAST_LOOKS_MS = 6 * 60 * 60 * 1_000;

export interface FleetOptions {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly trace: Trace;
  readonly chances: Chances;
  readonly database: Database;
  readonly disk: Disk;
  readonly surroundings: Surroundings;
  /** Called after each commit. */
  readonly noteCommit: () => Promise<void>;
  readonly fail: (invariant: string, detail: string) => void;
}

export class Fleet {
  readonly machines: readonly Machine[];
  readonly #options: FleetOptions;
  readonly #random: Random;
  readonly #instances: (Instance | undefined)[];
  /** Indexes of the instances that restart after they end. */
  #lasting: ReadonlySet<number>;
  /** Indexes of the instances whose next start is a newer build. */
  readonly #newer = new Set<number>();
  #isLast = false;
  /** Time before which no instance starts, in microseconds of the world. */
  #awayUntil = 0;
  #runs = 0;

  constructor(options: FleetOptions) {
    const { plan, scheduler } = options;
    this.#options = options;
    this.#random = new Random(plan.seed, "fleet");
    this.machines = plan.skewsMs.map((skewMs, index) => {
      const random = new Random(plan.seed, `machine ${index}`);
      return new Machine(`i${index}`, { scheduler, random, startsAt: plan.startsAt, skewMs });
    });
    this.#instances = this.machines.map(() => undefined);
    this.#lasting = new Set(this.machines.keys());
  }

  /** Instances that take requests. */
  get ready(): Instance[] {
    return this.#instances.filter((instance): instance is Instance => instance?.isReady === true);
  }

  /** The machine that has served the longest, and since when, in microseconds of the world. */
  get longestServing(): { machine: Machine; since: number } | undefined {
    const serving = this.ready.map(({ process, readySince }) => ({
      machine: process.machine,
      since: Math.max(readySince, process.pausedUntil),
    }));
    return serving.sort((one, other) => one.since - other.since)[0];
  }

  process(index: number): MachineProcess | undefined {
    return this.#instances[index]?.process;
  }

  bootAll(inUs: number): void {
    for (const index of this.machines.keys()) this.#bootIn(index, inUs);
  }

  killAll(): void {
    for (const instance of this.#instances) if (instance !== undefined) this.#end(instance.process);
  }

  /** Ends an instance as kill -9 does, and restarts it after `forUs` microseconds. */
  kill(index: number, forUs: number): void {
    const process = this.process(index);
    if (process !== undefined) this.#endFor(process, forUs);
  }

  /** Ends an instance as SIGTERM does, and restarts it after `forUs` microseconds. */
  replace(index: number, forUs: number): void {
    const instance = this.#instances[index];
    if (instance === undefined || !instance.isReady) return;
    const { process } = instance;
    const over = () => this.#endFor(process, forUs);
    const bound = this.#options.scheduler.in(STOP_US, `${process.name} is stopped for too long`, undefined, over);
    instance.stop().then(
      () => {
        bound.cancel();
        over();
      },
      (error: unknown) => this.#options.fail("a stop ends", String(error)),
    );
  }

  /** Ends an instance as SIGTERM does, and starts a newer build. */
  upgrade(index: number, forUs: number): void {
    this.#newer.add(index);
    this.replace(index, forUs);
  }

  /** Removes some instances for good, but never all. For the next `awayUs` microseconds, no instance runs. */
  thin(awayUs: number): void {
    this.#awayUntil = this.#options.scheduler.now + awayUs;
    if (awayUs > 0) this.killAll();
    const spared = this.#random.below(this.machines.length);
    const indexes = [...this.machines.keys()];
    this.#keepOnly(
      indexes.filter((index) => index === spared || this.#random.chance(0.5)),
      Math.max(awayUs, START_AGAIN_US),
    );
  }

  /** Removes all instances but one for good. */
  leaveOne(): void {
    this.#isLast = true;
    this.killAll();
    this.#keepOnly([...this.#lasting].slice(0, 1), START_AGAIN_US);
  }

  /** Removes all but the lasting instances. Those restart after `inUs` microseconds if they have ended. */
  #keepOnly(lasting: readonly number[], inUs: number): void {
    this.#lasting = new Set(lasting);
    for (const [index, instance] of this.#instances.entries()) {
      if (this.#lasting.has(index)) this.#bootIn(index, inUs);
      else if (instance !== undefined) this.#end(instance.process);
    }
  }

  #bootIn(index: number, us: number): void {
    this.#options.scheduler.in(us, `boot ${index}`, undefined, () => {
      if (this.#lasting.has(index) && this.#options.scheduler.now >= this.#awayUntil) this.#boot(index);
    });
  }

  #boot(index: number): void {
    const { plan, scheduler, trace, chances, database, disk, surroundings, noteCommit } = this.#options;
    const machine = this.machines[index];
    if (machine === undefined || machine.process !== undefined) return;
    this.#runs += 1;
    const process = new MachineProcess(machine, `${machine.name}.${this.#runs}`);
    const { seed, engine } = plan;
    const randomness = new Random(seed, process.name);
    const storeOptions: StoreOptions = {
      engine,
      process,
      instance: index,
      scheduler,
      chances,
      random: machine.random,
      randomness,
      die: () => this.#endFor(process, this.#random.spread(10_000, 60 * SECOND_US)),
      noteBroken: () => {
        const inUs = this.#random.spread(1_000, 30 * SECOND_US);
        scheduler.in(inUs, `${process.name} ends with its disk`, undefined, () =>
          this.#endFor(process, START_AGAIN_US),
        );
      },
      async beginFlush() {
        const [endFlush] = await Promise.all([disk.beginFlush(), noteCommit()]);
        return endFlush;
      },
      noteCommit: (_writes, _ms, occurrences) => {
        if (hasMessageEvents(occurrences)) instance.noteMessageEvents();
      },
    };
    const store = database.openStore(storeOptions);
    const pollIntervalMs = this.#isLast ? LAST_LOOKS_MS : plan.pollIntervalMs;
    const instance: Instance = new Instance({
      process,
      store,
      randomness,
      logger: createLogger(process, this.#options),
      surroundings,
      isAlone: engine === "file",
      pollIntervalMs: engine === "file" ? undefined : pollIntervalMs,
      carrierPollIntervalMs: plan.pollIntervalMs,
    });
    this.#instances[index] = instance;
    const start = async () => {
      if (this.#newer.has(index)) await this.#upgrade(storeOptions);
      await instance.start();
    };
    start().catch((error: unknown) => {
      trace.note(`  ${process.name} could not start: ${String(error)}`);
      this.#endFor(process, START_AGAIN_US);
    });
  }

  async #upgrade(options: StoreOptions): Promise<void> {
    const faults = (await this.#options.database.upgrade?.(options)) ?? [];
    if (faults.length > 0) this.#options.fail("a newer build has its tables before it serves", faults.join(", "));
  }

  #endFor(process: MachineProcess, us: number): void {
    if (process.isDead) return;
    this.#end(process);
    this.#bootIn(this.machines.indexOf(process.machine), us);
  }

  /** Ends a process immediately. Its pending events are dropped. */
  #end(process: MachineProcess): void {
    process.kill();
    const index = this.machines.indexOf(process.machine);
    if (this.#instances[index]?.process === process) this.#instances[index] = undefined;
  }
}

/** Creates a logger that fails the world on errors. Errors of the store are expected: the world itself causes them. */
function createLogger(process: MachineProcess, { trace, fail }: Pick<FleetOptions, "trace" | "fail">): Logger {
  const note = (level: string, details: object, message: string) => {
    const { err } = details as { err?: unknown };
    trace.note(`  ${process.name} ${level}: ${message}${err === undefined ? "" : ` (${String(err)})`}`);
    return err;
  };
  return {
    warn: (details, message) => void note("warn", details, message),
    error(details, message) {
      const error = note("error", details, message);
      if (error instanceof StoreUnavailable || error instanceof CommitInDoubt) return;
      fail("no error is the server's own", `${message}: ${String(error)}`);
    },
  };
}
