// Outcomes of messages as stacked bars, with a legend that has the numbers.

import { type Point, sumOf } from "./activity-series.ts";

export interface BarsProps {
  readonly points: readonly Point[];
  /** Formats the start of a point for its label. */
  readonly format: (at: number) => string;
}

/** The most labels below the bars. */
const MOST_LABELS = 4;

export function Bars({ points, format }: BarsProps) {
  const highest = Math.max(1, ...points.map(({ accepted }) => accepted));
  const every = Math.ceil(points.length / MOST_LABELS);
  const percent = (count: number) => `${(100 * count) / highest}%`;
  const { accepted, delivered, failed } = sumOf(points);
  return (
    <figure class="bars">
      <figcaption>
        <span data-part="delivered">{delivered.toLocaleString()} delivered</span>
        <span data-part="failed">{failed.toLocaleString()} not delivered</span>
        <span data-part="open">{(accepted - delivered - failed).toLocaleString()} open or unknown</span>
      </figcaption>
      <div
        class="plot"
        role="img"
        aria-label={`${accepted.toLocaleString()} messages, ${highest.toLocaleString()} at most at a time`}
      >
        <span class="highest">{highest.toLocaleString()}</span>
        {points.map((point, index) => (
          <div key={point.at} title={`${format(point.at)}: ${describe(point)}`}>
            <i data-part="open" style={{ blockSize: percent(point.accepted - point.delivered - point.failed) }} />
            <i data-part="failed" style={{ blockSize: percent(point.failed) }} />
            <i data-part="delivered" style={{ blockSize: percent(point.delivered) }} />
            {index % every === 0 && (
              <span class={(index / every) % 2 === 1 ? "minor" : undefined}>{format(point.at)}</span>
            )}
          </div>
        ))}
      </div>
    </figure>
  );
}

function describe({ accepted, delivered, failed }: Point): string {
  return `${accepted.toLocaleString()} accepted, ${delivered.toLocaleString()} delivered, ${failed.toLocaleString()} not delivered`;
}
