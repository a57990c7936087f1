import { sites } from "@msgctl/server/parts";
import { Random } from "../random.ts";
import { type CallFault, callFaults, type TimedFault, timedFaults } from "./faults.ts";
import type { Act, CarrierPlan, Channel, Outage, Plan } from "./plan.ts";

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** By how much a clock may be wrong beside others: they have to agree to within ten seconds. */
const MOST_SKEW_MS = 4_500;

/** How long a piece of work is under way, as a rule. */
const UNDER_WAY_MS = 30 * SECOND_MS;

/** Merchants of the population; the first two are of one tenant. */
export const MERCHANTS = 3;
export const RECIPIENTS = 6;
export const TEXTS = 3;

const unhealable = ["SMS", "EMAIL", "VOICE", "engine", "receiver 0", "receiver 1"] as const;

/** The plan of the world of a seed, on a simulated engine or on PostgreSQL. */
export function drawPlan(seed: number, on: "sqlite" | "postgres" = "sqlite"): Plan {
  const random = new Random(seed, "plan");
  const rates = drawRates(random);
  const timed = new Set(timedFaults.filter(() => random.chance(0.5)));
  const calmFromMs = random.spread(20 * SECOND_MS, 20 * MINUTE_MS);
  const engine = on === "postgres" ? on : random.pick(["file", "server"] as const);
  const instances = { file: 1, server: random.between(1, 3), postgres: random.between(2, 3) }[engine];
  const skews = Array.from({ length: instances }, (_, index) =>
    index === 0 || random.chance(0.5) ? 0 : random.between(-MOST_SKEW_MS, MOST_SKEW_MS),
  );
  const { startsAt, isEvening } = drawStart(random);
  const draw = new ActDrawing(random, { instances: skews.length, untilMs: calmFromMs });
  return {
    seed,
    engine,
    startsAt,
    skewsMs: skews,
    looksEveryMs: random.spread(Math.max(500, Math.round(calmFromMs / 3)), 2 * calmFromMs),
    carriers: { SMS: drawCarrier(random), EMAIL: drawCarrier(random), VOICE: drawCarrier(random) },
    rates,
    sites: sites.filter(() => random.chance(0.25)),
    acts: [...draw.work(isEvening), ...draw.faults(timed, engine)].sort((one, other) => one.atMs - other.atMs),
    calmFromMs,
    prunes: random.chance(0.1),
    awayMs: random.chance(0.1) ? random.pick([random.spread(HOUR_MS, DAY_MS), random.between(DAY_MS, 5 * DAY_MS)]) : 0,
    unhealed: unhealable.filter(() => random.chance(0.04)),
  };
}

function drawRates(random: Random): Partial<Record<CallFault, number>> {
  const on = callFaults.filter(() => random.chance(0.5));
  return Object.fromEntries(on.map((fault) => [fault, 0.01 * (0.5 / 0.01) ** random.fraction()]));
}

/** Often shortly before a month ends, or before the hours end in which calls may ring. */
function drawStart(random: Random): { startsAt: number; isEvening: boolean } {
  const noon = Date.UTC(2026, 0, 15, 12);
  const monthEnds = Date.UTC(2026, 1, 1) - random.spread(5 * SECOND_MS, 20 * MINUTE_MS);
  const eveningEnds = Date.UTC(2026, 0, 16, 2) - random.spread(5 * SECOND_MS, 5 * MINUTE_MS);
  const startsAt = random.pick([noon, noon + random.below(30 * DAY_MS), monthEnds, eveningEnds]);
  return { startsAt, isEvening: startsAt === eveningEnds };
}

function drawCarrier(random: Random): CarrierPlan {
  return { kind: random.pick(["open", "narrow", "mute"]), capacity: random.spread(1, 10) };
}

/** Draws what people and faults do, each at its time. */
class ActDrawing {
  readonly #random: Random;
  readonly #instances: number;
  readonly #untilMs: number;
  /** When each piece of work begins. */
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

  /** To be drawn after the work: half of the faults come while some of it is under way. */
  faults(on: ReadonlySet<TimedFault>, engine: Plan["engine"]): Act[] {
    const random = this.#random;
    const times = <A extends Act>(fault: TimedFault, most: number, draw: () => A): A[] =>
      on.has(fault) ? Array.from({ length: random.spread(1, most) }, draw) : [];
    return [
      ...times("process is killed", 2, () => this.#stop("kill")),
      ...times("process is replaced", 1, () => this.#stop("replace")),
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

  #when(): number {
    const random = this.#random;
    if (this.#workAt.length === 0 || random.chance(0.5)) return random.below(this.#untilMs);
    return Math.min(random.pick(this.#workAt) + random.spread(1, UNDER_WAY_MS), this.#untilMs - 1);
  }

  #send(): Act {
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

  #stop(kind: "kill" | "replace"): Act {
    const random = this.#random;
    return {
      kind,
      atMs: this.#when(),
      instance: random.below(this.#instances),
      forMs: random.spread(10, 2 * MINUTE_MS),
    };
  }

  #pause(): Act {
    const random = this.#random;
    return {
      kind: "pause",
      atMs: this.#when(),
      instance: random.below(this.#instances),
      // half of them longer than a lease
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

  #restore(afterMs: number): Act {
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
