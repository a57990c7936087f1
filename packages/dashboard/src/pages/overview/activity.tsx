// Outcomes of messages over time: as bars, and as numbers for screen readers.

import { useState } from "preact/hooks";
import { Card } from "../../elements/page.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAnswer } from "../use-answer.ts";
import { type Point, spans, toPoints } from "./activity-series.ts";
import { Bars } from "./bars.tsx";

const POLL_MS = 10_000;

export function Activity() {
  const { now, tenant } = useSession();
  const [span, setSpan] = useState(spans[0]);
  const query = { hours: span.hours };
  const { answer, error, again } = useAnswer("getActivity", { query }, { everyMs: POLL_MS });
  const until = answer?.countedUntil ?? now;
  const points =
    answer === undefined
      ? undefined
      : toPoints(answer.hours, { span, now: Date.parse(until), timezone: tenant.timezone });
  const formats = new Intl.DateTimeFormat(undefined, {
    ...{ timeZone: tenant.timezone, month: "short", day: "numeric" },
    ...(span.isByDay ? {} : { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
  });
  const format = (at: number) => formats.format(at);
  return (
    <Card id="activity" title="Messages">
      {error !== undefined && <Failure error={error} again={again} />}
      <label class="filter">
        The last
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
          <Bars points={points} format={format} />
          <Numbers points={points} isByDay={span.isByDay} format={format} />
        </>
      )}
      {answer?.isComplete === false && <p>Older messages are still being counted.</p>}
    </Card>
  );
}

interface NumbersProps {
  readonly points: readonly Point[];
  readonly isByDay: boolean;
  readonly format: (at: number) => string;
}

function Numbers({ points, isByDay, format }: NumbersProps) {
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
            <th scope="col">Not delivered</th>
          </tr>
        </thead>
        <tbody>
          {busy.toReversed().map(({ at, accepted, delivered, failed }) => (
            <tr key={at}>
              <td>{format(at)}</td>
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
