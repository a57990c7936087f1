// The URL to which the events of the tenant's messages are posted, and the secret that signs all callbacks. Admins set them.

import { useState } from "preact/hooks";
import type { BodyOf, Views } from "../../api.ts";
import { ask } from "../../client/client.ts";
import { Card, Fact } from "../../elements/page.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { isTenantAdmin, useSession } from "../../shell/session.ts";
import { ConfirmedButton } from "../confirmed-button.tsx";
import { useAction } from "../use-action.ts";
import { useAnswer } from "../use-answer.ts";
import { SigningSecret } from "./signing-secret.tsx";

type Events = BodyOf<"setEventSubscription">["events"];

const POLL_MS = 30_000;
const both: Events = ["message.updated", "message.received"];
const choices: readonly (readonly [events: Events, words: string])[] = [
  [both, "all"],
  [["message.updated"], "states of messages"],
  [["message.received"], "texts from phones"],
];

export function EventSubscription() {
  const { answer, error, again } = useAnswer("getEventSubscription", {}, { everyMs: POLL_MS });
  const isAdmin = isTenantAdmin(useSession());
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return null;
  const { url, events, setAt, stoppedAt } = answer;
  return (
    <Card id="event-subscription" title="Events of messages">
      {url === null && (
        <p>None are posted: no URL is set.{!isAdmin && " An admin, or the operator of the server, sets one."}</p>
      )}
      <dl class="facts">
        {url !== null && (
          <>
            <Fact name="URL">
              <code>{toVisible(url)}</code>
            </Fact>
            <Fact name="Events">{events.join(", ")}</Fact>
          </>
        )}
        {setAt !== null && (
          <Fact name="Set">
            <Time at={setAt} />
          </Fact>
        )}
        {stoppedAt !== null && (
          <Fact name="Stopped">
            <Time at={stoppedAt} />, because the receiver answered 410.{" "}
            {isAdmin ? "Set the URL again to start it." : "An admin starts it by setting the URL again."}
          </Fact>
        )}
        {isAdmin && (
          <Fact name="Signing secret">
            <SigningSecret />
          </Fact>
        )}
      </dl>
      {isAdmin && <Changes of={answer} changed={again} />}
    </Card>
  );
}

interface ChangesProps {
  readonly of: Views["EventSubscriptionView"];
  readonly changed: () => void;
}

/** The form that sets or changes the URL, and the button that removes it. */
function Changes({ of, changed }: ChangesProps) {
  const [url, setUrl] = useState(of.url ?? "");
  const [chosen, choose] = useState(() => findChoice(of.events));
  const [result, setResult] = useState("");
  const action = useAction();
  const set = () =>
    action.run(async () => {
      setResult("");
      await ask("setEventSubscription", { body: { url: url.trim(), events: choices[chosen]?.[0] ?? both } });
      setResult("The URL is set. Events are posted to it from now on.");
      changed();
    });
  const remove = async () => {
    setResult("");
    await ask("removeEventSubscription");
    setUrl("");
    setResult("The URL is removed. Callbacks that are already queued are still posted.");
    changed();
  };
  return (
    <details>
      <summary>{of.url === null ? "Set a URL" : "Change or remove"}</summary>
      <form
        class="fields"
        onSubmit={(event) => {
          event.preventDefault();
          set();
        }}
      >
        <label class="wide">
          URL
          <input
            type="url"
            required
            maxLength={2_048}
            placeholder="https://"
            value={url}
            onInput={({ currentTarget }) => setUrl(currentTarget.value)}
          />
        </label>
        <label>
          Events
          <select value={chosen} onChange={({ currentTarget }) => choose(Number(currentTarget.value))}>
            {choices.map(([, words], index) => (
              <option key={words} value={index}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button type="submit" aria-disabled={action.isRunning}>
          Set
        </button>
        {of.url !== null && <ConfirmedButton words="Remove" yes="Yes, post no more events" no="Keep it" run={remove} />}
      </form>
      <p role="status">{result}</p>
      {action.error !== undefined && <Failure error={action.error} />}
    </details>
  );
}

function findChoice(events: readonly string[]): number {
  const found = choices.findIndex(([some]) => some.join() === events.join());
  return Math.max(found, 0);
}
