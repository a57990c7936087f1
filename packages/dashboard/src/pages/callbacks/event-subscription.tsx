// The URL to which the events of the tenant's messages are posted. The operator sets it.

import { Card, Fact } from "../../elements/page.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { useAnswer } from "../use-answer.ts";

const POLL_MS = 30_000;

export function EventSubscription() {
  const { answer, error, again } = useAnswer("getEventSubscription", {}, { everyMs: POLL_MS });
  if (error !== undefined) return <Failure error={error} again={again} />;
  if (answer === undefined) return null;
  const { url, events, setAt, stoppedAt } = answer;
  return (
    <Card id="event-subscription" title="Events of messages">
      {url === null ? (
        <p>
          None are posted. Your operator sets a URL with <code>msgd callbacks set</code>.
        </p>
      ) : (
        <dl class="facts">
          <Fact name="URL">
            <code>{toVisible(url)}</code>
          </Fact>
          <Fact name="Events">{events.join(", ")}</Fact>
          {setAt !== null && (
            <Fact name="Set">
              <Time at={setAt} />
            </Fact>
          )}
          {stoppedAt !== null && (
            <Fact name="Stopped">
              <Time at={stoppedAt} />, because the receiver answered 410. Your operator starts it again by setting the
              URL.
            </Fact>
          )}
        </dl>
      )}
    </Card>
  );
}
