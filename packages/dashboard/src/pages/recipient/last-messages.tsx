import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { Status } from "../status.tsx";
import { Time } from "../../elements/time.tsx";
import { useFoundMessages } from "../use-found-messages.ts";
import { toVisible } from "../../elements/visible-text.ts";

const MOST = 10;

/** Lists the latest messages to a recipient, with a link to all of them. */
export function LastMessages({ contact }: { readonly contact: string }) {
  const { answer, error, again } = useFoundMessages(`to:${contact}`, MOST);
  return (
    <section aria-labelledby="last-messages">
      <h2 id="last-messages">Messages</h2>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <p>No messages found.</p>}
      <ul class="list">
        {answer?.map(({ messageId, createdAt, channel, status, reason, subject, excerpt }) => (
          <li key={messageId} class="entry">
            <Time at={createdAt} isWhole /> {channel} <Status status={status} reason={reason} />{" "}
            <Link to={{ page: "message", messageId }}>{toVisible(subject ?? excerpt) || "without a text"}</Link>
          </li>
        ))}
      </ul>
      <p>
        <Link to={{ ...allMessages, query: `to:${contact}` }}>All messages, live</Link>
      </p>
    </section>
  );
}
