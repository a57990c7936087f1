import { State } from "../../elements/state.tsx";
import { Card, Fact } from "../../elements/page.tsx";
import { Time } from "../../elements/time.tsx";
import { Link } from "../../shell/navigation.tsx";
import { useAnswer } from "../use-answer.ts";
import { nameChannel } from "./words.ts";

export interface ThisRecipientProps {
  readonly contact: string;
  readonly merchantId: string;
}

/** What the recipient of a message has decided about its merchant. */
export function ThisRecipient({ contact, merchantId }: ThisRecipientProps) {
  const { answer } = useAnswer("getRecipient", { path: { contact } });
  if (answer === undefined) return null;
  const own = answer.consents.filter((consent) => consent.merchantId === merchantId);
  return (
    <Card id="this-recipient" title="This recipient">
      {own.length === 0 && answer.stops.length === 0 && <p>No decision is recorded for this merchant.</p>}
      <dl class="facts">
        {own.map(({ channel, status, updatedAt }) => (
          <Fact key={channel} name={nameChannel(channel)}>
            <State state={status === "OPT_OUT" ? "OPTED_OUT" : "OPTED_IN"} tone={status === "OPT_OUT" ? "bad" : "good"} />{" "}
            <Time at={updatedAt} />
          </Fact>
        ))}
        {answer.stops.map(({ number, word, saidAt }) => (
          <Fact key={number} name={`${word} to ${number}`}>
            <Time at={saidAt} />
          </Fact>
        ))}
      </dl>
      <p>
        <Link to={{ page: "recipient", contact }}>All decisions and messages</Link>
      </p>
    </Card>
  );
}
