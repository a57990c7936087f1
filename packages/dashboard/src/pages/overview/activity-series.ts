// What became of messages, as a plot has it: a point for each hour or day of a span, those without any message too.

import type { Views } from "../../api.ts";

export type ActivityHour = Views["ActivityHour"];

export interface Span {
  readonly name: string;
  readonly hours: number;
  /** Whether a point is a day. */
  readonly isByDay: boolean;
  /** The last ones that are shown: of the first day there is only the end. */
  readonly points: number;
}

export const spans: readonly [Span, ...Span[]] = [
  { name: "48 hours", hours: 48, isByDay: false, points: 48 },
  { name: "30 days", hours: 31 * 24, isByDay: true, points: 30 },
];

export interface Point {
  /** When the hour or day begins, in epoch milliseconds. */
  readonly at: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
}

const HOUR_MS = 60 * 60_000;

/** Days begin where the tenant's do. */
export function toPoints(
  hours: readonly ActivityHour[],
  { span, now, timezone }: { span: Span; now: number; timezone: string },
): Point[] {
  const last = Math.floor(now / HOUR_MS);
  const counts = new Map(hours.map((hour) => [Math.floor(Date.parse(hour.at) / HOUR_MS), hour]));
  const points = new Map<string, Point>();
  const dayOf = createDayOf(timezone);
  for (let hour = last - span.hours + 1; hour <= last; hour += 1) {
    const at = hour * HOUR_MS;
    const name = span.isByDay ? dayOf(at) : String(hour);
    const { delivered = 0, failed = 0, unknown = 0, underWay = 0 } = counts.get(hour) ?? {};
    const point = points.get(name) ?? { at, accepted: 0, delivered: 0, failed: 0 };
    points.set(name, {
      at: point.at,
      accepted: point.accepted + delivered + failed + unknown + underWay,
      delivered: point.delivered + delivered,
      failed: point.failed + failed,
    });
  }
  return [...points.values()].slice(-span.points);
}

function createDayOf(timezone: string): (epochMs: number) => string {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: timezone, dateStyle: "short" });
  return (epochMs) => format.format(epochMs);
}

/** All points together. */
export function sumOf(points: readonly Point[]): Omit<Point, "at"> {
  const sum = (pick: (point: Point) => number) => points.reduce((total, point) => total + pick(point), 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    delivered: sum(({ delivered }) => delivered),
    failed: sum(({ failed }) => failed),
  };
}
