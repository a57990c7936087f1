// Performs the acts of a plan at their times.

import { CANCELED_AT_ONCE, cancelQueued, listQueued } from "../../src/dispatch/messages/operator-actions.ts";
import { restore } from "../../src/dispatch/messages/restoration.ts";
import { endCredential } from "../../src/domain/tenancy/tenants.ts";
import { StoreUnavailable, type Transaction } from "../../src/store/store.ts";
import { type Act, CHANNELS, type Channel, handsOver, type Outage, type Plan } from "../plan/plan.ts";
import type { Callers } from "./callers.ts";
import type { Database, Image } from "./database.ts";
import type { Disk } from "./disk.ts";
import type { Fleet } from "./fleet.ts";
import type { Surroundings } from "./instance.ts";
import { merchantOf, toRequest } from "./requests.ts";
import type { Scheduler } from "./scheduler.ts";

const MS = 1_000;
/** How long before a power cut the disk is tracked, in microseconds: longer than most flushes take. */
const WATCHES_DISK_US = 1_000_000;
/** Delay before an operator repeats a command that could not get its locks. */
const OPERATOR_WAITS_US = 1_000_000;
/** How long a carrier of limited capacity stays down after faults stop, in microseconds. A longer time takes many steps. */
const QUEUE_WAITS_US = 30 * 60 * 1_000_000;

export interface HappeningsOptions {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly database: Database;
  readonly disk: Disk;
  readonly fleet: Fleet;
  readonly callers: Callers;
  readonly surroundings: Surroundings;
  readonly fail: (invariant: string, detail: string) => void;
}

export class Happenings {
  /** Step of the world at which a backup was last restored; undefined if none was. */
  restoredAt: number | undefined;
  readonly #options: HappeningsOptions;
  #backup: { readonly image: Image; readonly step: number } | undefined;
  #isCalm = false;
  /** Whether a backup was restored, and no command has marked its messages as in doubt yet. */
  #isUnmarked = false;

  constructor(options: HappeningsOptions) {
    this.#options = options;
    const { plan, scheduler, disk } = options;
    for (const [index, act] of plan.acts.entries()) {
      scheduler.at(act.atMs * MS, `act ${act.kind}`, undefined, () => this.#perform(act, index));
      if (act.kind !== "power cut") continue;
      scheduler.at(act.atMs * MS - WATCHES_DISK_US, "watch the disk", undefined, () => scheduler.hold(disk.watch()));
    }
  }

  /** Ends all outages, except those that never end. */
  becomeCalm(): void {
    const { plan, disk, surroundings } = this.#options;
    this.#isCalm = true;
    if (surroundings.removals !== undefined) {
      surroundings.removals.isCalm = true;
      this.#setCarriers(CHANNELS);
    }
    disk.isFull = false;
    for (const of of ["SMS", "EMAIL", "VOICE", "engine", "receiver 0", "receiver 1"] as const) {
      this.#setDown(of, plan.unhealed.includes(of));
    }
    for (const channel of ["SMS", "EMAIL", "VOICE"] as const) {
      if (plan.carriers[channel].kind === "open") continue;
      this.#options.scheduler.in(QUEUE_WAITS_US, `${channel} is back at last`, undefined, () =>
        this.#setDown(channel, false),
      );
    }
  }

  #perform(act: Act, index: number): void {
    const { plan, scheduler, disk, fleet, callers, surroundings } = this.#options;
    const request = toRequest(act, `k${index}`, surroundings.receivers.hosts);
    if (request !== undefined) {
      callers.begin(request, { isHasty: act.kind === "send" && act.isHasty === true });
      return;
    }
    switch (act.kind) {
      case "kill":
        fleet.kill(act.instance, act.forMs * MS);
        break;
      case "replace":
        fleet.replace(act.instance, act.forMs * MS);
        break;
      case "newer build":
        fleet.upgrade(act.instance, act.forMs * MS);
        break;
      case "long read":
        this.#options.database.readForLong?.(act.table, act.forMs * MS, scheduler);
        break;
      case "pause":
        fleet.process(act.instance)?.pause(act.forMs * MS);
        break;
      case "jump":
        fleet.machines[act.instance]?.setClock(act.toMs);
        break;
      case "full disk":
        disk.isFull = true;
        scheduler.in(act.forMs * MS, "the disk has room", undefined, () => {
          disk.isFull = false;
        });
        break;
      case "power cut":
        fleet.killAll();
        scheduler.hold(disk.losePower());
        fleet.bootAll(act.forMs * MS);
        break;
      case "backup":
        scheduler.hold(this.#backUp());
        break;
      case "restore":
        scheduler.hold(this.#restore(act));
        break;
      case "outage":
        this.#setDown(act.of, true);
        scheduler.in(act.forMs * MS, `${act.of} is back`, undefined, () => {
          if (!this.#isCalm || !plan.unhealed.includes(act.of)) this.#setDown(act.of, false);
        });
        break;
      case "removal":
        this.#removeCarrier(act);
        break;
      case "cancel":
        this.#cancel(act.of);
        break;
      case "trespass":
        callers.trespass(act.of, `k${index}`);
        break;
      case "revoke":
        this.#revoke(act.merchant);
        break;
    }
  }

  /** Current reading of an operator's clock, in epoch milliseconds. */
  get #now(): number {
    return this.#options.fleet.machines[0]?.now() ?? 0;
  }

  #setDown(of: Outage, isDown: boolean): void {
    const { carriers, receivers, engine } = this.#options.surroundings;
    if (of === "engine") engine.isDown = isDown;
    else if (of === "receiver 0" || of === "receiver 1") receivers.setDown(of === "receiver 0" ? 0 : 1, isDown);
    else carriers[of].setDown(isDown);
  }

  async #backUp(): Promise<void> {
    const { database, scheduler } = this.#options;
    if (await database.isLocked?.()) {
      scheduler.in(OPERATOR_WAITS_US, "the backup begins again", undefined, () => scheduler.hold(this.#backUp()));
      return;
    }
    const step = scheduler.steps;
    this.#backup = { image: await database.image(), step };
  }

  async #restore({ isTold, forMs }: Extract<Act, { kind: "restore" }>): Promise<void> {
    const { plan, scheduler, database, disk, fleet, callers, surroundings } = this.#options;
    if (this.#backup === undefined) return;
    fleet.killAll();
    surroundings.removals?.noteReturn();
    await database.restore(this.#backup.image);
    await disk.flush();
    this.restoredAt = scheduler.steps;
    this.#isUnmarked = true;
    callers.forget({ from: this.#backup.step, to: scheduler.steps });
    const begin = () => fleet.bootAll(forMs * MS);
    // all instances died together, so nobody can list what such a carrier got, and a command has to mark the messages
    const isFoundOut =
      plan.engine === "file" || Object.values(surroundings.carriers).every((carrier) => !handsOver(carrier.plan));
    if (isFoundOut && !isTold) return begin();
    for (const { mark } of fleet.machines) mark.forget(mark.latest);
    this.#operate(
      (tx) => restore(tx, this.#now),
      () => {
        this.#isUnmarked = false;
        begin();
      },
    );
  }

  #removeCarrier({ of, forMs, discards }: Extract<Act, { kind: "removal" }>): void {
    const { removals } = this.#options.surroundings;
    if (removals === undefined || this.#isCalm) return;
    const remove = (tx: Transaction) => removals.remove(tx, of, { now: this.#now, discards });
    this.#operate(remove, () => {
      if (!this.#isCalm) removals.noteRemoved(of);
      this.#options.scheduler.in(forMs * MS, `${of} is set again`, undefined, () => this.#setCarriers([of]));
    });
  }

  #setCarriers(channels: readonly Channel[]): void {
    const { removals } = this.#options.surroundings;
    for (const channel of channels) removals?.noteReturn(channel);
    this.#operate(async (tx) => {
      for (const channel of channels) await removals?.set(tx, channel, this.#now);
    });
  }

  #revoke(index: number): void {
    const { merchantId, headers } = merchantOf(index);
    const revoke = (tx: Transaction) => endCredential(tx, headers["x-api-key"], this.#now);
    this.#operate(revoke, () => this.#options.callers.noteRevoked(merchantId));
  }

  #cancel(index: number): void {
    // after an unmarked restore, operators cancel only while a server runs, since a server detects that the database is old
    if (this.#isUnmarked && this.#options.fleet.ready.length === 0) return;
    const cancel = async (tx: Transaction) => {
      const queued = await listQueued(tx, merchantOf(index).tenant, CANCELED_AT_ONCE);
      await cancelQueued(tx, queued, { words: "canceled", now: this.#now });
    };
    // servers poll for the jobs that a command leaves
    this.#operate(cancel, () => {
      for (const instance of this.#options.fleet.ready) instance.noteCommand();
    });
  }

  #operate(work: (tx: Transaction) => Promise<unknown>, then = () => {}): void {
    const { database, disk, scheduler, fail } = this.#options;
    const done = () => {
      scheduler.hold(disk.flush());
      then();
    };
    database.operate(work, scheduler).then(done, (error: unknown) => {
      if (!(error instanceof StoreUnavailable)) fail("an operator's command ends", String(error));
      else scheduler.in(OPERATOR_WAITS_US, "the operator tries again", undefined, () => this.#operate(work, then));
    });
  }
}
