import type { Random } from "../random.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "./durations.ts";
import type { TimedFault } from "./faults.ts";
import { type Act, type Channel, MERCHANTS, type Outage, type Plan, RECIPIENTS, TEXTS } from "./plan.ts";

/** Largest error of a clock: any two clocks must agree to within ten seconds. */
export const MOST_SKEW_MS = 4_500;

/** How long a starting server keeps asking a carrier that does not answer. */
const SILENT_MS = 10 * SECOND_MS;

/** Usual time from a request until its payment has ended, its batch is accepted, or its message is submitted. */
const PAYMENT_MS = 3 * SECOND_MS;
const ACCEPTANCE_MS = 60;
const HAND_OVER_MS = 1 * SECOND_MS;
/** Usual time from a request until its message is claimed. */
const UNCLAIMED_MS = 30;
const BURST_MS = 20;
/** Usual time that a piece of work takes. */
const UNDER_WAY_MS = 30 * SECOND_MS;

/** Draws the acts of people and the faults, each with its time. */
export class ActDrawing {
  readonly #random: Random;
  readonly #instances: number;
  readonly #untilMs: number;
  /** Times at which pieces of work begin. */
  #workAt: readonly number[] = [];

  constructor(random: Random, bounds: { instances: number; untilMs: number }) {
    this.#random = random;
    this.#instances = bounds.instances;
    this.#untilMs = bounds.untilMs;
  }

  work(isEvening: boolean): Act[] {
    const random = this.#random;
    const acts: Act[] = [];
    for (let left = random.spread(1, 5); left > 0; left -= 1) acts.push(this.#send());
    if (random.chance(0.4)) for (let left = random.spread(1, 2); left > 0; left -= 1) acts.push(this.#calls());
    if (random.chance(0.4)) for (let left = random.spread(1, 4); left > 0; left -= 1) acts.push(this.#upgrade());
    if (isEvening)
      acts.push({ ...this.#calls(), atMs: random.below(5 * SECOND_MS), useCase: "MARKETING" }, this.#outage(["VOICE"]));
    if (random.chance(0.3)) acts.push(this.#limits(true));
    this.#workAt = acts.map(({ atMs }) => atMs);
    return acts;
  }

  /** Draws faults, half of them while some work is under way. Call after `work`. */
  faults(on: ReadonlySet<TimedFault>, engine: Plan["engine"]): Act[] {
    const random = this.#random;
    const times = <A extends Act>(fault: TimedFault, most: number, draw: () => A): A[] =>
      on.has(fault) ? Array.from({ length: random.spread(1, most) }, draw) : [];
    return [
      ...times("process is killed", 2, () => this.#stop("kill")),
      ...times("process is replaced", 1, () => this.#stop("replace")),
      ...(engine === "postgres"
        ? times("a newer build is installed", 2, () => this.#stop("newer build")).flatMap((newer) => [
            newer,
            ...this.#besideStart(newer),
          ])
        : []),
      ...times("process is paused", 2, () => this.#pause()),
      ...times("clock jumps", 2, () => this.#jump()),
      ...times("disk is full", 2, () => this.#trouble("full disk")),
      ...(engine === "file" && random.chance(0.5) ? times("power is cut", 2, () => this.#trouble("power cut")) : []),
      ...(random.chance(0.25)
        ? times("backup is restored", 1, () => this.#backup()).flatMap((backup) => [backup, this.#restore(backup.atMs)])
        : []),
      ...times("carrier is down", 2, () => this.#outage(["SMS", "EMAIL", "VOICE", "engine"])),
      ...times("receiver is down", 2, () => this.#outage(["receiver 0", "receiver 1"])),
      ...times("key is revoked", 1, () => ({ kind: "revoke", atMs: this.#when(), merchant: random.below(MERCHANTS) })),
      ...times("recipient opts out", 3, () => this.#consent()),
      ...times("merchant is stopped", 2, () => this.#limits(random.chance(0.5))),
    ];
  }

  /** Draws kills, restarts and pauses of processes during a payment, the acceptance of a batch, or a submission. */
  troubleDuringWork(work: readonly Act[]): Act[] {
    const random = this.#random;
    const soonAfter = (atMs: number, longestMs: number) =>
      Math.min(atMs + random.spread(5, longestMs), this.#untilMs - 1);
    return work.flatMap(({ kind, atMs }): Act[] => {
      if (kind === "upgrade" && random.chance(0.25)) {
        return [{ ...this.#stop("replace"), atMs: soonAfter(atMs, PAYMENT_MS) }];
      }
      if (kind === "calls" && random.chance(0.5)) {
        return [{ ...this.#stop("kill"), atMs: soonAfter(atMs, ACCEPTANCE_MS) }];
      }
      if (kind === "send" && random.chance(0.3)) return [{ ...this.#pause(), atMs: soonAfter(atMs, HAND_OVER_MS) }];
      return [];
    });
  }

  /**
   * Draws restarts during which a carrier does not answer: while work is under way, or after the quiet hours have begun for
   * queued calls.
   */
  startsBesideSilence(work: readonly Act[], nightInMs: number | undefined): Act[] {
    const random = this.#random;
    const acts: Act[] = [];
    const startAt = (doneMs: number) => {
      const forMs = random.spread(10, MINUTE_MS);
      const atMs = Math.max(0, doneMs - SILENT_MS - forMs);
      if (atMs >= this.#untilMs) return;
      acts.push({ kind: "kill", atMs, instance: random.below(this.#instances), forMs });
      acts.push({ kind: "outage", atMs, of: random.pick(["SMS", "EMAIL"]), forMs: forMs + 2 * SILENT_MS });
    };
    if (random.chance(0.25)) startAt(random.pick(work).atMs + random.spread(1, SILENT_MS));
    if (nightInMs !== undefined && random.chance(0.5)) {
      const lateMs = random.spread(100, MINUTE_MS / 2);
      acts.push({ kind: "outage", atMs: 0, of: "VOICE", forMs: nightInMs + lateMs });
      startAt(nightInMs + lateMs + SILENT_MS + random.spread(SECOND_MS, 2 * MINUTE_MS));
    }
    return acts;
  }

  /** Draws texts just before a backup. Recipients may reply to them before the backup is restored. */
  textsBeforeBackup(faults: readonly Act[]): Act[] {
    const random = this.#random;
    const backup = faults.find(({ kind }) => kind === "backup");
    if (backup === undefined || random.chance(0.5)) return [];
    return Array.from({ length: 3 }, () => ({
      ...this.#send(),
      atMs: Math.max(0, backup.atMs - random.spread(1, SECOND_MS)),
      channel: "SMS",
    }));
  }

  /** Draws work that is accepted just before a backup, which is restored while carriers report outcomes. */
  workPutBack(faults: readonly Act[]): Act[] {
    const random = this.#random;
    if (random.chance(0.75) || faults.some(({ kind }) => kind === "backup")) return [];
    const atMs = random.below(this.#untilMs);
    const before = () => Math.max(0, atMs - random.spread(1, UNCLAIMED_MS));
    const restore = { ...this.#restore(atMs), atMs: atMs + random.spread(100, 3 * SECOND_MS), forMs: 2 * SECOND_MS };
    return [
      ...Array.from({ length: 3 }, () => ({ ...this.#send(), atMs: before() })),
      { ...this.#calls(), atMs: before(), useCase: "TRANSACTIONAL" },
      { kind: "backup", atMs },
      restore,
    ];
  }

  /** Draws removals of carriers, half of them around the time at which a message is requested. */
  removals(work: readonly Act[]): Act[] {
    const random = this.#random;
    if (random.chance(0.8)) return [];
    return Array.from({ length: random.between(1, 2) }, () => {
      const send = random.chance(0.5) ? random.pick(work) : undefined;
      const atMs = send === undefined ? random.below(this.#untilMs) : send.atMs + random.between(-SECOND_MS, SECOND_MS);
      return {
        kind: "removal",
        atMs: Math.min(Math.max(0, atMs), this.#untilMs - 1),
        of: send?.kind === "send" ? send.channel : random.pick<Channel>(["SMS", "EMAIL", "VOICE"]),
        forMs: random.spread(100, 10 * MINUTE_MS),
        discards: random.chance(0.3),
      };
    });
  }

  /** Draws cancelations of queued messages: usually while some are being submitted, or before a restored database is served. */
  cancels(work: readonly Act[], restores: readonly Act[]): Act[] {
    const random = this.#random;
    const soonAfter = ({ atMs }: Act, longestMs: number): Act => ({
      kind: "cancel",
      atMs: Math.min(atMs + random.spread(1, longestMs), this.#untilMs - 1),
      of: random.below(MERCHANTS),
    });
    const afterRestores = restores.flatMap((act) =>
      act.kind === "restore" && random.chance(0.5) ? [soonAfter(act, Math.max(2, act.forMs))] : [],
    );
    if (random.chance(0.75)) return afterRestores;
    const others = Array.from({ length: random.between(1, 3) }, () => soonAfter(random.pick(work), UNDER_WAY_MS));
    return [...afterRestores, ...others];
  }

  /** Draws many messages of a merchant at once, half of them requested twice in parallel: instances contend for rows. */
  burst(): Act[] {
    const random = this.#random;
    if (random.chance(0.5)) return [];
    const [atMs, merchant] = [random.below(this.#untilMs), random.below(MERCHANTS)];
    return Array.from({ length: random.between(8, 24) }, () => ({
      ...this.#send(),
      atMs: atMs + random.below(BURST_MS),
      merchant,
      type: "OTP",
      isHasty: random.chance(0.5),
    }));
  }

  /** Draws requests by users of another tenant, each soon after the request that it repeats. */
  trespasses(work: readonly Act[]): Act[] {
    const random = this.#random;
    if (random.chance(0.7)) return [];
    return Array.from({ length: random.between(1, 2) }, () => ({
      kind: "trespass",
      atMs: Math.min(random.pick(work).atMs + random.spread(1, UNDER_WAY_MS), this.#untilMs - 1),
      of: random.below(MERCHANTS),
    }));
  }

  #when(): number {
    const random = this.#random;
    if (this.#workAt.length === 0 || random.chance(0.5)) return random.below(this.#untilMs);
    return Math.min(random.pick(this.#workAt) + random.spread(1, UNDER_WAY_MS), this.#untilMs - 1);
  }

  #send(): Extract<Act, { kind: "send" }> {
    const random = this.#random;
    return {
      kind: "send",
      atMs: this.#when(),
      merchant: random.below(MERCHANTS),
      channel: random.pick(["SMS", "SMS", "EMAIL"]),
      to: random.below(RECIPIENTS),
      type: random.pick(["OTP", "TRANSACTIONAL", "MARKETING"]),
      segments: random.pick([1, 1, 1, 2, 5]),
    };
  }

  #calls(): Act & { kind: "calls" } {
    const random = this.#random;
    const count = random.pick([1, 2, RECIPIENTS, RECIPIENTS]);
    return {
      kind: "calls",
      atMs: this.#when(),
      merchant: random.below(MERCHANTS),
      to: Array.from({ length: count }, () => random.below(RECIPIENTS)),
      useCase: random.pick(["OTP", "TRANSACTIONAL", "MARKETING"]),
      text: random.below(TEXTS),
      receiver: random.pick([undefined, 0, 1]),
    };
  }

  #upgrade(): Act {
    const random = this.#random;
    return {
      kind: "upgrade",
      atMs: this.#when(),
      merchant: random.below(MERCHANTS),
      channel: random.pick<Channel>(["SMS", "EMAIL", "VOICE"]),
      units: random.spread(1, 50),
      method: random.pick(["4242", "2", "7700"]),
    };
  }

  #limits(active: boolean): Act {
    const random = this.#random;
    return { kind: "limits", atMs: this.#when(), merchant: random.below(MERCHANTS), limit: random.below(30), active };
  }

  #consent(): Act {
    const random = this.#random;
    return {
      kind: "consent",
      atMs: this.#when(),
      merchant: random.below(MERCHANTS),
      channel: random.pick<Channel>(["SMS", "EMAIL", "VOICE"]),
      to: random.below(RECIPIENTS),
      status: random.pick(["OPT_OUT", "OPT_OUT", "OPT_IN"]),
    };
  }

  #stop<Kind extends "kill" | "replace" | "newer build">(kind: Kind) {
    const random = this.#random;
    return {
      kind,
      atMs: this.#when(),
      instance: random.below(this.#instances),
      forMs: random.spread(10, 2 * MINUTE_MS),
    };
  }

  /**
   * Draws acts during the start of a newer build: a transaction reads a table that the build changes, and often the starting
   * instance is killed meanwhile.
   */
  #besideStart({ atMs, instance, forMs }: { atMs: number; instance: number; forMs: number }): Act[] {
    const random = this.#random;
    const read: Act = {
      kind: "long read",
      // usually still open when the build starts
      atMs: Math.min(Math.max(atMs + forMs - random.spread(1, 5 * SECOND_MS), atMs), this.#untilMs - 1),
      table: random.pick(["messages", "merchants"]),
      forMs: random.spread(SECOND_MS, 20 * SECOND_MS),
    };
    if (random.chance(0.25)) return [];
    if (random.chance(0.5)) return [read];
    const killAt = Math.min(read.atMs + random.spread(1, read.forMs), this.#untilMs - 1);
    return [read, { kind: "kill", atMs: killAt, instance, forMs: random.spread(10, MINUTE_MS) }];
  }

  #pause(): Act {
    const random = this.#random;
    return {
      kind: "pause",
      atMs: this.#when(),
      instance: random.below(this.#instances),
      // half of the pauses outlast a lease
      forMs: random.pick([random.spread(10, 20 * SECOND_MS), random.between(20 * SECOND_MS, 2 * MINUTE_MS)]),
    };
  }

  #jump(): Act {
    const random = this.#random;
    const most = this.#instances === 1 ? 2 * HOUR_MS : MOST_SKEW_MS;
    const toMs = random.spread(100, most) * random.pick([1, -1]);
    return { kind: "jump", atMs: this.#when(), instance: random.below(this.#instances), toMs };
  }

  #trouble(kind: "full disk" | "power cut"): Act {
    return { kind, atMs: this.#when(), forMs: this.#random.spread(10, MINUTE_MS) };
  }

  #backup(): Act & { kind: "backup" } {
    return { kind: "backup", atMs: this.#when() };
  }

  #restore(afterMs: number): Act & { kind: "restore" } {
    const random = this.#random;
    const atMs = random.between(afterMs, this.#untilMs);
    return { kind: "restore", atMs, isTold: random.chance(0.5), forMs: random.spread(10, MINUTE_MS) };
  }

  #outage(of: readonly Outage[]): Act {
    return {
      kind: "outage",
      atMs: this.#when(),
      of: this.#random.pick(of),
      forMs: this.#random.spread(100, 10 * MINUTE_MS),
    };
  }
}
