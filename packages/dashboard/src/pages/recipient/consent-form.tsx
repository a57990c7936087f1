// Records a consent decision that a recipient communicated in another way, such as a phone call to support.

import { useState } from "preact/hooks";
import { call } from "../../client/client.ts";
import { Failure } from "../../shell/failure.tsx";
import { useMerchantChoice } from "../merchant-choice.tsx";
import { nameChannel } from "../message/words.ts";
import { useAction } from "../use-action.ts";

const CHANNELS = ["SMS", "VOICE", "EMAIL"] as const;
type Channel = (typeof CHANNELS)[number];
type Status = "OPT_IN" | "OPT_OUT";

export function ConsentForm({ contact, recorded }: { readonly contact: string; readonly recorded: () => void }) {
  const { merchantId, field: merchantField } = useMerchantChoice();
  const action = useAction();
  const channels = contact.includes("@") ? CHANNELS.slice(2) : CHANNELS.slice(0, 2);
  const [channel, setChannel] = useState<Channel>(channels[0] ?? "SMS");
  const [status, setStatus] = useState<Status>("OPT_OUT");
  const [source, setSource] = useState("");
  const record = () =>
    action.run(async () => {
      await call("recordConsent", {
        body: { merchantId, channel, contact, status, ...(source === "" ? {} : { source }) },
      });
      recorded();
    });
  return (
    <details>
      <summary>Record a decision</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          record();
        }}
      >
        {merchantField}
        <label>
          Channel
          <select value={channel} onChange={({ currentTarget }) => setChannel(currentTarget.value as Channel)}>
            {channels.map((known) => (
              <option key={known} value={known}>
                {nameChannel(known)}
              </option>
            ))}
          </select>
        </label>
        <label>
          Decision
          <select value={status} onChange={({ currentTarget }) => setStatus(currentTarget.value as Status)}>
            <option value="OPT_OUT">opted out</option>
            <option value="OPT_IN">opted in</option>
          </select>
        </label>
        <label>
          Source
          <input
            value={source}
            maxLength={200}
            placeholder="such as phone call"
            onInput={({ currentTarget }) => setSource(currentTarget.value)}
          />
        </label>
        <button type="submit" aria-disabled={action.isRunning}>
          Record
        </button>
      </form>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}
