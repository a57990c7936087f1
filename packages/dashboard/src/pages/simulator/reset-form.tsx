import { reset } from "../../client/control.ts";
import { ConfirmedAction } from "./confirmed-action.tsx";

/** Empties the server. */
export function ResetForm() {
  return (
    <ConfirmedAction
      id="reset"
      title="Start over"
      words="Remove everything"
      yes="Yes, remove everything"
      no="Keep it"
      done="The server is in its initial state."
      act={reset}
    >
      Removes every message, merchant and consent of every tenant, cancels planned failures, and resets the clock. The
      demo tenant keeps its credential.
    </ConfirmedAction>
  );
}
