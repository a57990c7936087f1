import { sites } from "../../src/platform/probes.ts";
import { Random } from "../random.ts";
import { ActDrawing, MOST_SKEW_MS } from "./act-drawing.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "./durations.ts";
import { type CallFault, callFaults, timedFaults } from "./faults.ts";
import type { CarrierPlan, Engine, Plan } from "./plan.ts";

const unhealable = ["SMS", "EMAIL", "VOICE", "engine", "receiver 0", "receiver 1"] as const;

/** Draws the plan of a seed's world, on a simulated engine or on PostgreSQL. */
export function drawPlan(seed: number, on: Engine = "sqlite"): Plan {
  const random = new Random(seed, "plan");
  const rates = drawRates(random);
  const timed = new Set(timedFaults.filter(() => random.chance(0.5)));
  const calmFromMs = random.spread(20 * SECOND_MS, 20 * MINUTE_MS);
  const engine = on === "postgres" ? on : random.pick(["file", "server"] as const);
  const instances = { file: 1, server: random.between(1, 3), postgres: random.between(2, 3) }[engine];
  const skews = Array.from({ length: instances }, (_, index) =>
    index === 0 || random.chance(0.5) ? 0 : random.between(-MOST_SKEW_MS, MOST_SKEW_MS),
  );
  const { startsAt, isEvening, nightInMs } = drawStart(random);
  const bounds = { instances: skews.length, untilMs: calmFromMs };
  const draw = new ActDrawing(random, bounds);
  const work = draw.work(isEvening);
  const faults = draw.faults(timed, engine);
  // combinations that independent draws seldom produce
  const meetings = new ActDrawing(new Random(seed, "meetings"), bounds);
  const answered = meetings.textsBeforeBackup(faults);
  const trouble = meetings.troubleDuringWork(work);
  const isKilled = trouble.some(({ kind }) => kind === "kill");
  const starts = meetings.startsBesideSilence(work, nightInMs);
  const putBack = new ActDrawing(new Random(seed, "put back"), bounds).workPutBack(faults);
  const burst = on === "postgres" ? new ActDrawing(new Random(seed, "burst"), bounds).burst() : [];
  const traits = { eagerness: new Random(seed, "eagerness"), reviews: new Random(seed, "reviews") };
  const removals = new ActDrawing(new Random(seed, "removals"), bounds).removals(work);
  const trespasses = new ActDrawing(new Random(seed, "strangers"), bounds).trespasses(work);
  const cancels = new ActDrawing(new Random(seed, "cancels"), bounds).cancels(work, [...faults, ...putBack]);
  return {
    seed,
    engine,
    startsAt,
    skewsMs: skews,
    pollIntervalMs: random.spread(Math.max(500, Math.round(calmFromMs / 3)), 2 * calmFromMs),
    carriers: {
      SMS: drawCarrier(random, traits),
      EMAIL: drawCarrier(random, traits),
      VOICE: drawCarrier(random, traits),
    },
    rates: {
      ...rates,
      ...((answered.length > 0 || new Random(seed, "phones").chance(0.12)) && { "recipient replies": 0.5 }),
      ...(trouble.some(({ kind }) => kind === "pause") && { "carrier refuses": 0.5 }),
    },
    // small slices split the acceptance of a batch into several transactions, so that a kill may come between them
    sites: sites.filter((site) => random.chance(0.25) || (isKilled && site === "a slice is of two numbers")),
    acts: [...[work, faults, answered, trouble, starts, putBack, burst, trespasses, removals, cancels].flat()].sort(
      (one, other) => one.atMs - other.atMs,
    ),
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

/** Draws the start: often shortly before a month ends, or before the quiet hours begin. */
function drawStart(random: Random): { startsAt: number; isEvening: boolean; nightInMs: number | undefined } {
  const noon = Date.UTC(2026, 0, 15, 12);
  const monthEnds = Date.UTC(2026, 1, 1) - random.spread(5 * SECOND_MS, 20 * MINUTE_MS);
  const eveningEnds = Date.UTC(2026, 0, 16, 2) - random.spread(5 * SECOND_MS, 5 * MINUTE_MS);
  const startsAt = random.pick([noon, noon + random.below(30 * DAY_MS), monthEnds, eveningEnds]);
  const isEvening = startsAt === eveningEnds;
  return { startsAt, isEvening, nightInMs: isEvening ? Date.UTC(2026, 0, 16, 2) - startsAt : undefined };
}

function drawCarrier(random: Random, { eagerness, reviews }: { eagerness: Random; reviews: Random }): CarrierPlan {
  const kind = random.pick(["open", "narrow", "mute", "adapter"] as const);
  const isReviewed = reviews.chance(0.5) && kind === "mute";
  return { kind, capacity: random.spread(1, 10), isEager: eagerness.chance(0.5), isReviewed };
}
