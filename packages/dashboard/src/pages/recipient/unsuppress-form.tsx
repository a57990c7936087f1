// Lifts a recipient's suppression.

import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";

export function UnsuppressForm({ contact, lifted }: { readonly contact: string; readonly lifted: () => void }) {
  const action = useAction();
  const lift = () =>
    action.run(async () => {
      await ask("unsuppressRecipient", { path: { contact } });
      lifted();
    });
  return (
    <details>
      <summary>Lift the suppression</summary>
      <p>
        Messages that are sent from now on go out again, for all merchants. If one of them bounces for good, the
        recipient is suppressed again.
      </p>
      <button type="button" aria-disabled={action.isRunning} onClick={lift}>
        Lift
      </button>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}
