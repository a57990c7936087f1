// Tests a carrier: sends one message, and follows its states.

import { useState } from "preact/hooks";
import type { Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { State } from "../../elements/state.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { describeReason } from "../message/reasons.ts";
import { isFinal } from "../message/words.ts";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";

type Carrier = Views["CarrierView"];

const LOOK_MS = 1_000;

export function CarrierTest({ carrier: { name, channel, tellsOnlyFailures } }: { readonly carrier: Carrier }) {
  const [to, setTo] = useState("");
  const [messageId, setMessageId] = useState<string>();
  const action = useAction();
  const test = () =>
    action.run(async () => {
      setMessageId(undefined);
      setMessageId((await ask("testCarrier", { body: { carrier: name, to: to.trim() } })).messageId);
    });
  return (
    <details class="carrier-test">
      <summary>
        Test<span class="visually-hidden"> {name}</span>
      </summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          test();
        }}
      >
        <label>
          {channel === "EMAIL" ? "Send a mail to" : channel === "SMS" ? "Send a text to" : "Call"}
          <input
            inputMode={channel === "EMAIL" ? "email" : "tel"}
            required
            maxLength={320}
            autocomplete="off"
            value={to}
            onInput={({ currentTarget }) => setTo(currentTarget.value)}
          />
        </label>
        <button type="submit" aria-disabled={action.isRunning}>
          Send a test
        </button>
      </form>
      <p class="quiet">It uses no quota and costs the tenant nothing. Write to yourself only: it needs no consent.</p>
      {action.error !== undefined && <Failure error={action.error} />}
      {messageId !== undefined && <Progress key={messageId} {...{ messageId, name, tellsOnlyFailures }} />}
    </details>
  );
}

interface ProgressProps extends Pick<Carrier, "name" | "tellsOnlyFailures"> {
  readonly messageId: string;
}

/** The state of the test message, until it is final. If the carrier reports only failures, SENT is all that it says. */
function Progress({ messageId, name, tellsOnlyFailures }: ProgressProps) {
  const isOver = ({ status }: Views["MessageView"]) => isFinal(status) || (status === "SENT" && tellsOnlyFailures);
  const { answer, error, again } = useAnswer(
    "getMessage",
    { path: { messageId } },
    { everyMs: (outcome) => ("answer" in outcome && isOver(outcome.answer) ? undefined : LOOK_MS) },
  );
  return (
    <>
      {error !== undefined && <Failure error={error} again={again} />}
      <p role="status">
        {answer !== undefined && (
          <>
            <State
              state={answer.status}
              reason={answer.reason === null ? null : describeReason(answer.reason, answer.channel)}
            />{" "}
            {describeCarrier(answer, name)}
            {answer.carrierWords !== null && <q>{toVisible(answer.carrierWords)}</q>}
          </>
        )}
      </p>
      <p>
        <Link to={{ page: "message", messageId }}>The test message</Link>
      </p>
    </>
  );
}

/** Says why the message waits, or that another carrier took it. */
function describeCarrier({ provider, carrierDown }: Views["MessageView"], name: string): string {
  if (carrierDown !== null) return `It waits: ${toVisible(carrierDown.name)} cannot be reached. `;
  if (provider === null || provider === name) return "";
  return `${toVisible(provider)} has it, because ${name} cannot be reached. `;
}
