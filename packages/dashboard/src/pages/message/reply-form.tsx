// A form that simulates the recipient's reply to an SMS. For development only.

import { useState } from "preact/hooks";
import { call } from "../../client/client.ts";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { useAction } from "../use-action.ts";

export function ReplyForm({ messageId }: { readonly messageId: string }) {
  const { tenant } = useSession();
  const [text, setText] = useState("STOP");
  const [answer, setAnswer] = useState<string>();
  const action = useAction();
  const reply = () =>
    action.run(async () => {
      setAnswer(undefined);
      const body = { tenantId: tenant.tenantId, messageId, replyBody: text };
      setAnswer((await call("simulateReply", { body })).message);
    });
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        reply();
      }}
    >
      <label for="reply-text" class="visually-hidden">
        Reply as the recipient
      </label>
      <input
        id="reply-text"
        value={text}
        maxLength={1_600}
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      <button type="submit" aria-disabled={action.isRunning}>
        Reply
      </button>
      <p role="status">{answer === undefined ? "" : toVisible(answer)}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </form>
  );
}
