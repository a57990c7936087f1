// Shows the outcomes of messages over time as a plot, and as a table for screen readers.

import { useState } from "preact/hooks";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAnswer } from "../use-answer.ts";
import { type Point, spans, sumOf, toPoints } from "./activity-series.ts";
import { Plot } from "./plot.tsx";

const LOOK_MS = 10_000;

export function Activity() {
  const { now, tenant, canSearch } = useSession();
  const [span, setSpan] = useState(spans[0]);
  const query = { hours: span.hours };
  const { answer, error, again } = useAnswer("getActivity", { query }, { everyMs: LOOK_MS });
  if (!canSearch) return null;
  const until = answer?.countedUntil ?? now;
  const points =
    answer === undefined
      ? undefined
      : toPoints(answer.hours, { span, now: Date.parse(until), timezone: tenant.timezone });
  return (
    <section aria-labelledby="activity">
      <h2 id="activity">Messages</h2>
      {error !== undefined && <Failure error={error} again={again} />}
      <label>
        The last{" "}
        <select
          value={span.name}
          onChange={({ currentTarget }) => setSpan(spans.find(({ name }) => name === currentTarget.value) ?? spans[0])}
        >
          {spans.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {points !== undefined && (
        <>
          <Plot points={points} isByDay={span.isByDay} timezone={tenant.timezone} label={describe(points)} />
          <p>{describe(points)}</p>
          <Numbers points={points} isByDay={span.isByDay} timezone={tenant.timezone} />
        </>
      )}
      {answer?.isComplete === false && <p>Older messages are still being counted.</p>}
    </section>
  );
}

function describe(points: readonly Point[]): string {
  const { accepted, delivered, failed } = sumOf(points);
  return `${accepted.toLocaleString()} accepted, ${delivered.toLocaleString()} delivered, ${failed.toLocaleString()} failed.`;
}

interface NumbersProps {
  readonly points: readonly Point[];
  readonly isByDay: boolean;
  readonly timezone: string;
}

function Numbers({ points, isByDay, timezone: timeZone }: NumbersProps) {
  const format = new Intl.DateTimeFormat(undefined, {
    ...{ timeZone, month: "short", day: "numeric" },
    ...(isByDay ? {} : { hour: "2-digit", minute: "2-digit" }),
  });
  const busy = points.filter(({ accepted }) => accepted > 0);
  if (busy.length === 0) return null;
  return (
    <details>
      <summary>As numbers</summary>
      <table class="table">
        <caption>Messages by {isByDay ? "day" : "hour"}</caption>
        <thead>
          <tr>
            <th scope="col">{isByDay ? "Day" : "Hour"}</th>
            <th scope="col">Accepted</th>
            <th scope="col">Delivered</th>
            <th scope="col">Failed</th>
          </tr>
        </thead>
        <tbody>
          {busy.toReversed().map(({ at, accepted, delivered, failed }) => (
            <tr key={at}>
              <td>{format.format(at)}</td>
              <td>{accepted.toLocaleString()}</td>
              <td>{delivered.toLocaleString()}</td>
              <td>{failed.toLocaleString()}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
