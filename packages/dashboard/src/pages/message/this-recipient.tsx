import type { Views } from "../../api.ts";
import { Decision } from "../../elements/decision.tsx";
import { Card, Fact } from "../../elements/page.tsx";
import { Time } from "../../elements/time.tsx";
import { Link } from "../../shell/navigation.tsx";
import { nameChannel } from "./words.ts";

/** Shows what the recipient of a message has decided about its merchant. */
export function ThisRecipient({ message: { to, decisions } }: { readonly message: Views["MessageView"] }) {
  return (
    <Card id="this-recipient" title="This recipient">
      {decisions.length === 0 && <p>No decision is recorded for this merchant.</p>}
      <dl class="facts">
        {decisions.map(({ channel, status, updatedAt }) => (
          <Fact key={channel} name={nameChannel(channel)}>
            <Decision status={status} /> <Time at={updatedAt} />
          </Fact>
        ))}
      </dl>
      <p>
        <Link to={{ page: "recipient", contact: to }}>All decisions and messages</Link>
      </p>
    </Card>
  );
}
