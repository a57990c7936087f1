// The timeline of a callback, with the step that follows.

import type { Views } from "../../api.ts";
import { Time } from "../../elements/time.tsx";
import type { Step } from "../../elements/timeline.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { describeAttempts } from "../callbacks/describe-attempts.ts";
import { describeOutcome } from "../callbacks/describe-outcome.ts";

export function listSteps(callback: Views["CallbackView"]): Step[] {
  const { at, updatedAt, status, attempts, lastOutcome, nextAttemptAt, restsUntil } = callback;
  const why = lastOutcome === null ? undefined : toVisible(describeOutcome(lastOutcome));
  const tried = toVisible(describeAttempts(callback));
  const steps: Step[] = [{ at, title: "Event" }];
  if (status === "DELIVERED")
    return [...steps, { at: updatedAt, title: "Delivered", detail: `${tried}. ${why ?? ""}` }];
  if (status === "FAILED") {
    return [
      ...steps,
      { at: updatedAt, title: "Failed", detail: `${tried}. ${why ?? ""} It is not posted again by itself.` },
    ];
  }
  if (attempts > 0 && why !== undefined)
    steps.push({ at: updatedAt, title: "Not accepted", detail: `${tried}. ${why}` });
  const detail = (
    <>
      {nextAttemptAt !== null && (
        <>
          On <Time at={nextAttemptAt} isWhole />
        </>
      )}
      {restsUntil !== null && (
        <>
          , but the receiver does not respond, so nothing is posted to it until <Time at={restsUntil} isWhole />
        </>
      )}
    </>
  );
  return [...steps, { at: null, title: attempts === 0 ? "First attempt" : "Next attempt", detail }];
}
