// Callbacks posted to the tenant's receivers, and their answers.

import type { Views } from "../../api.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import type { CallbackFilter } from "../../shell/route.ts";
import { List } from "../list/list.tsx";
import { Status } from "../status.tsx";
import { Time } from "../time.tsx";
import { useAnswer } from "../use-answer.ts";
import { toVisible } from "../visible-text.ts";
import { describeAttempts } from "./describe-attempts.ts";

const LOOK_MS = 3_000;

const filters: readonly (readonly [status: CallbackFilter, name: string])[] = [
  ["", "All"],
  ["PENDING", "Pending"],
  ["DELIVERED", "Delivered"],
  ["FAILED", "Failed"],
];

export interface CallbacksPageProps {
  readonly status: CallbackFilter;
  /** The last callback of the previous page; empty for the newest callbacks. */
  readonly before: string;
}

export function CallbacksPage({ status, before }: CallbacksPageProps) {
  const query = { ...(status === "" ? {} : { status }), ...(before === "" ? {} : { before }) };
  const { answer, error, again } = useAnswer("listCallbacks", { query }, { everyMs: LOOK_MS });
  return (
    <section class="page">
      <h1>Callbacks</h1>
      <nav class="pages tabs" aria-label="Which callbacks">
        {filters.map(([filter, name]) => (
          <Link key={name} to={{ page: "callbacks", status: filter, before: "" }} isCurrent={filter === status}>
            {name}
          </Link>
        ))}
      </nav>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.callbacks.length === 0 && (
        <p class="nothing">
          {answer.next === null ? "None in the last 7 days." : "None on this page. Older pages may have some."}
        </p>
      )}
      <List
        label="Callbacks"
        class="callbacks-list"
        rows={answer?.callbacks ?? none}
        keyOf={({ webhookId }) => webhookId}
      >
        {(callback) => <Row callback={callback} />}
      </List>
      <p class="about">
        {before !== "" && <Link to={{ page: "callbacks", status, before: "" }}>Newest</Link>}
        {(answer?.next ?? null) !== null && (
          <Link to={{ page: "callbacks", status, before: answer?.next ?? "" }}>Older</Link>
        )}
      </p>
    </section>
  );
}

const none: readonly Views["CallbackRow"][] = [];

function Row({ callback }: { readonly callback: Views["CallbackRow"] }) {
  const { webhookId, at, status, type, url, requestId, nextAttemptAt } = callback;
  return (
    <Link class="row callback" to={{ page: "callback", webhookId }}>
      <Time at={at} />
      <Status status={status} reason={null} />
      <span class="event">{toVisible(type)}</span>
      <span class="call">{requestId === null ? "" : `call ${requestId}`}</span>
      <span class="url">{toVisible(url)}</span>
      <span class="tried">
        {toVisible(describeAttempts(callback))}
        {nextAttemptAt !== null && (
          <>
            , due <Time at={nextAttemptAt} />
          </>
        )}
      </span>
    </Link>
  );
}
