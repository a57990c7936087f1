// Counts the outcomes of messages for a plot: one point for each hour or day of a span, even without messages.

import type { Views } from "../../api.ts";

export type ActivityHour = Views["ActivityHour"];

export interface Span {
  readonly name: string;
  readonly hours: number;
  /** Whether each point is a day. */
  readonly isByDay: boolean;
  /** Number of points shown. Earlier points are left out, because the first day is incomplete. */
  readonly points: number;
}

export const spans: readonly [Span, ...Span[]] = [
  { name: "48 hours", hours: 48, isByDay: false, points: 48 },
  { name: "30 days", hours: 31 * 24, isByDay: true, points: 30 },
];

export interface Point {
  /** Start of the hour or day, in epoch milliseconds. */
  readonly at: number;
  readonly accepted: number;
  readonly delivered: number;
  readonly failed: number;
}

const HOUR_MS = 60 * 60_000;

/** Sums hours into points. Days begin at midnight of the tenant's time zone. */
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

/** The sum of all points. */
export function sumOf(points: readonly Point[]): Omit<Point, "at"> {
  const sum = (pick: (point: Point) => number) => points.reduce((total, point) => total + pick(point), 0);
  return {
    accepted: sum(({ accepted }) => accepted),
    delivered: sum(({ delivered }) => delivered),
    failed: sum(({ failed }) => failed),
  };
}
