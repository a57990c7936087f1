// Replies to an SMS as its recipient would: for development.

import { useState } from "preact/hooks";
import { call } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useSession } from "../../shell/session.ts";
import { toVisible } from "../visible-text.ts";

export function ReplyForm({ messageId }: { readonly messageId: string }) {
  const { tenant } = useSession();
  const [text, setText] = useState("STOP");
  const [answer, setAnswer] = useState<string>();
  const [error, setError] = useState<unknown>();
  const reply = async () => {
    const body = { tenantId: tenant.tenantId, messageId, replyBody: text };
    setError(undefined);
    try {
      const { message } = await call("simulateReply", { body });
      setAnswer(message);
    } catch (failure) {
      setAnswer(undefined);
      setError(failure);
    }
  };
  return (
    <form
      class="reply"
      onSubmit={(event) => {
        event.preventDefault();
        void reply();
      }}
    >
      <label for="reply">Reply as the recipient</label>
      <input id="reply" value={text} maxLength={1_600} onInput={({ currentTarget }) => setText(currentTarget.value)} />
      <button type="submit">Reply</button>
      <p role="status">{answer === undefined ? "" : toVisible(answer)}</p>
      {error !== undefined && <Failure error={error} />}
    </form>
  );
}
