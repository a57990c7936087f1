import { reset } from "../../client/control.ts";
import { ConfirmedAction } from "./confirmed-action.tsx";

/** Empties the server. */
export function ResetForm() {
  return (
    <ConfirmedAction
      id="reset"
      title="Begin anew"
      words="Remove everything"
      yes="Yes, remove everything"
      no="Keep it"
      done="Everything is as it was at first."
      act={reset}
    >
      Removes every message, merchant and consent of every tenant, calls off failures, and returns the clock. The demo
      tenant keeps its credential.
    </ConfirmedAction>
  );
}
