// Sends a message as a program would, to a recipient of whom it is known what becomes of it.

import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { call } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useMerchantChoice } from "../merchant-choice.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";

type Recipient = Views["TestRecipient"];

const TYPES = ["OTP", "TRANSACTIONAL", "REMINDER", "MARKETING"] as const;
type MessageType = (typeof TYPES)[number];

export function SendForm() {
  const { merchantId, field: merchantField } = useMerchantChoice();
  const recipients = useAnswer("listTestRecipients", {});
  const action = useAction();
  const [to, setTo] = useState("+12025550100");
  const [type, setType] = useState<MessageType>("OTP");
  const [text, setText] = useState("Your code is 123456");
  const [sent, setSent] = useState<string>();
  const send = () =>
    action.run(async () => {
      setSent(undefined);
      const { messageId } = to.includes("@")
        ? await call("sendEmail", { body: { merchantId, to, type, subject: text.slice(0, 60), body: text } })
        : await call("sendSms", { body: { merchantId, to, type, message: text } });
      setSent(messageId);
    });
  return (
    <form
      class="panel"
      aria-labelledby="send"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <h2 id="send">Send</h2>
      <div class="fields">
        {merchantField}
        <label>
          For
          <select value={type} onChange={({ currentTarget }) => setType(currentTarget.value as MessageType)}>
            {TYPES.map((known) => (
              <option key={known}>{known}</option>
            ))}
          </select>
        </label>
        <label>
          To
          <input value={to} maxLength={254} onInput={({ currentTarget }) => setTo(currentTarget.value)} />
        </label>
        <label class="wide">
          Text
          <input value={text} maxLength={1_600} onInput={({ currentTarget }) => setText(currentTarget.value)} />
        </label>
        <button type="submit" disabled={action.isRunning}>
          Send
        </button>
      </div>
      <p role="status">
        {sent !== undefined && (
          <>
            Accepted: <Link to={{ page: "message", messageId: sent }}>{sent}</Link>
          </>
        )}
      </p>
      {action.error !== undefined && <Failure error={action.error} />}
      <details>
        <summary>Test recipients, and what becomes of a message to them</summary>
        {recipients.error !== undefined && <Failure error={recipients.error} again={recipients.again} />}
        <ul class="recipients">
          {recipients.answer?.map((recipient) => (
            <li key={recipient.to}>
              <button type="button" aria-pressed={recipient.to === to} onClick={() => setTo(recipient.to)}>
                {recipient.to}
              </button>
              {describe(recipient)}
            </li>
          ))}
        </ul>
      </details>
    </form>
  );
}

function describe({ status, reason, reply, isSlow }: Recipient): string {
  const end = [status, reason].filter((word) => word !== null).join(" ");
  return `${end}${isSlow ? " after 30 s" : ""}${reply === null ? "" : `, and answers “${reply}”`}`;
}
