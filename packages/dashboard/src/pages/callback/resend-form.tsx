import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAction } from "../use-action.ts";

export interface ResendFormProps {
  readonly callback: Views["CallbackView"];
  readonly sent: () => void;
}

/** Resends a finished callback, or says why it cannot be resent. */
export function ResendForm({ callback: { webhookId, obstacle }, sent }: ResendFormProps) {
  const [isSent, setSent] = useState(false);
  const action = useAction();
  const send = () =>
    action.run(async () => {
      setSent(false);
      await ask("resendCallback", { path: { webhookId } });
      setSent(true);
      sent();
    });
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <button type="submit" disabled={obstacle !== null} aria-disabled={action.isRunning}>
        Send again
      </button>
      <span>{obstacle}</span>
      <p role="status">{isSent && "Queued again, with the same webhook-id."}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </form>
  );
}
