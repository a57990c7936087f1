import { useState } from "preact/hooks";
import { reset } from "../../client/control.ts";
import { Failure } from "../../shell/failure.tsx";
import { ConfirmedButton } from "../confirmed-button.tsx";
import { useAction } from "../use-action.ts";

/** Empties the server, once that was said twice. */
export function ResetForm() {
  const [isDone, setDone] = useState(false);
  const action = useAction();
  const empty = () =>
    action.run(async () => {
      setDone(false);
      await reset();
      setDone(true);
    });
  return (
    <section class="panel" aria-labelledby="reset">
      <h2 id="reset">Begin anew</h2>
      <p>
        Removes every message, merchant and consent of every tenant, calls off failures, and returns the clock. The demo
        tenant keeps its credential.
      </p>
      <div class="fields">
        <ConfirmedButton words="Remove everything" yes="Yes, remove everything" no="Keep it" run={empty} />
      </div>
      <p role="status">{isDone ? "Everything is as it was at first." : ""}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </section>
  );
}
