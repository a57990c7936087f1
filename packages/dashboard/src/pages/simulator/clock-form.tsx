import { useState } from "preact/hooks";
import { advanceClock, type ClockView, readClock } from "../../client/control.ts";
import { setServerTime, Time } from "../../elements/time.tsx";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";
import { useLoaded } from "../use-answer.ts";

const LOOK_MS = 1_000;
const STEPS = ["1m", "1h", "24h", "72h", "30d"];

async function loadClock(): Promise<ClockView> {
  const clock = await readClock();
  setServerTime(clock.now);
  return clock;
}

/** Advances the server's clock. The server then runs all retries, expiries and month changes that have become due. */
export function ClockForm() {
  const { answer, error, again } = useLoaded("clock", loadClock, { everyMs: LOOK_MS });
  const [step, setStep] = useState("1h");
  const action = useAction();
  const advance = (by: string) =>
    action.run(async () => {
      await advanceClock(by);
      again();
    });
  return (
    <form
      class="panel"
      aria-labelledby="clock"
      onSubmit={(event) => {
        event.preventDefault();
        advance(step);
      }}
    >
      <h2 id="clock">Clock</h2>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer !== undefined && (
        <p>
          The server's time is <Time at={answer.now} isWhole />
          {answer.offsetMs === 0 ? ", the same as the machine's." : ", ahead of the machine's."}
        </p>
      )}
      <div class="fields">
        {STEPS.map((by) => (
          <button key={by} type="button" aria-disabled={action.isRunning} onClick={() => advance(by)}>
            + {by}
          </button>
        ))}
        <label>
          Advance by
          <input value={step} maxLength={60} onInput={({ currentTarget }) => setStep(currentTarget.value)} />
        </label>
        <button type="submit" aria-disabled={action.isRunning}>
          Advance
        </button>
      </div>
      <p role="status">{action.isRunning ? "Running everything due by then …" : ""}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </form>
  );
}
