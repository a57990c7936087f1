// Plots points over time. The library is loaded with the first plot.

import { useEffect, useRef, useState } from "preact/hooks";
import type { Point } from "./activity-series.ts";

export interface PlotProps {
  readonly points: readonly Point[];
  readonly isByDay: boolean;
  /** IANA name of the time zone of the axis. */
  readonly timezone: string;
  /** Description of the plot for screen readers. */
  readonly label: string;
}

const HEIGHT_PX = 220;
const SECOND_MS = 1_000;

export function Plot({ points, isByDay, timezone, label }: PlotProps) {
  const place = useRef<HTMLDivElement>(null);
  const isDark = useDarkness();
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    let end = () => {};
    let isGone = false;
    void import("uplot").then(({ default: UPlot }) => {
      if (isGone) return;
      const color = (name: string) => readColor(host, name);
      const axis = { stroke: color("--quiet"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false } };
      const line = { width: 2, points: { show: points.length === 1 } };
      const plot = new UPlot(
        {
          width: host.clientWidth,
          height: HEIGHT_PX,
          tzDate: (seconds) => UPlot.tzDate(new Date(seconds * SECOND_MS), timezone),
          series: [
            { value: isByDay ? "{YYYY}-{MM}-{DD}" : "{YYYY}-{MM}-{DD} {HH}:{mm}" },
            { ...line, label: "accepted", stroke: color("--accent") },
            { ...line, label: "delivered", stroke: color("--good") },
            { ...line, label: "failed", stroke: color("--bad"), dash: [6, 4] },
          ],
          axes: [axis, { ...axis, size: 60, incrs: WHOLE }],
          scales: { y: { range: (_plot, _least, most) => [0, Math.max(1, most) * 1.05] } },
          cursor: { drag: { x: false, y: false } },
        },
        [
          points.map(({ at }) => at / SECOND_MS),
          points.map(({ accepted }) => accepted),
          points.map(({ delivered }) => delivered),
          points.map(({ failed }) => failed),
        ],
        host,
      );
      const watch = new ResizeObserver(() => plot.setSize({ width: host.clientWidth, height: HEIGHT_PX }));
      watch.observe(host);
      end = () => {
        watch.disconnect();
        plot.destroy();
      };
    });
    return () => {
      isGone = true;
      end();
    };
  }, [JSON.stringify(points), isByDay, timezone, isDark]);
  return <div class="plot" role="img" aria-label={label} ref={place} />;
}

/** Increments of the vertical axis. It counts messages, so they are whole numbers. */
const WHOLE = [1, 2, 5]
  .flatMap((step) => Array.from({ length: 9 }, (_none, power) => step * 10 ** power))
  .sort((a, b) => a - b);

/** Converts a custom property to a colour that a canvas understands. */
function readColor(host: HTMLElement, name: string): string {
  const probe = document.createElement("span");
  probe.style.color = `var(${name})`;
  host.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

function useDarkness(): boolean {
  const query = matchMedia("(prefers-color-scheme: dark)");
  const [isDark, setDark] = useState(query.matches);
  useEffect(() => {
    const read = () => setDark(query.matches);
    query.addEventListener("change", read);
    return () => query.removeEventListener("change", read);
  }, []);
  return isDark;
}
