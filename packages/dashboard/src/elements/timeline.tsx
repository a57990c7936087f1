// A timeline: each step with its time, the time since the previous step, and why it happened.

import type { ComponentChildren } from "preact";
import { describePause } from "./pause.ts";
import { Time } from "./time.tsx";

export interface Step {
  /** ISO 8601; null for a step that is yet to come. */
  readonly at: string | null;
  readonly title: string;
  readonly detail?: ComponentChildren;
}

/** The steps in order. Those yet to come are last. */
export function Timeline({ steps }: { readonly steps: readonly Step[] }) {
  return (
    <ol class="timeline" aria-label="What happened">
      {steps.map(({ at, title, detail }, index) => (
        <li key={`${index} ${title}`}>
          <span class="when">
            {at !== null && index === 0 && <Time at={at} isWhole />}
            {at !== null && index > 0 && (
              <time dateTime={at} title={at}>
                {describePause(steps[index - 1]?.at ?? at, at)}
              </time>
            )}
          </span>
          <div>
            <b>{title}</b>
            {detail !== undefined && <div class="quiet foreign">{detail}</div>}
          </div>
        </li>
      ))}
    </ol>
  );
}

/** Sorts steps that have happened by time. Those at the same time keep their order. */
export function inOrder(steps: readonly Step[]): Step[] {
  return steps.toSorted((one, other) => Date.parse(one.at ?? "") - Date.parse(other.at ?? ""));
}
