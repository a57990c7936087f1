// Callbacks posted to the tenant's receivers, and their answers.

import type { Views } from "../../api.ts";
import { Empty, PageHead } from "../../elements/page.tsx";
import { State } from "../../elements/state.tsx";
import { type Column, Table } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import type { CallbackFilter } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { useAnswer } from "../use-answer.ts";
import { describeAttempts } from "./describe-attempts.ts";
import { EventSubscription } from "./event-subscription.tsx";
import { Receivers } from "./receivers.tsx";

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
  const { merchantId } = useSession();
  const query = { ...(status === "" ? {} : { status }), ...(before === "" ? {} : { before }) };
  const { answer, error, again } = useAnswer("listCallbacks", { query }, { everyMs: LOOK_MS });
  return (
    <section class="page">
      <PageHead title="Webhooks" />
      {merchantId === null && <EventSubscription />}
      {merchantId === null && <Receivers />}
      <nav class="tabs" aria-label="Which callbacks">
        {filters.map(([filter, name]) => (
          <Link key={name} to={{ page: "callbacks", status: filter, before: "" }} isCurrent={filter === status}>
            {name}
          </Link>
        ))}
      </nav>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.callbacks.length === 0 && (
        <Empty
          title={answer.next === null ? "None in the last 7 days." : "None on this page. Older pages may have some."}
        >
          Events of calls are posted to the receivers that your program names, and events of messages to the URL above.
          They appear here with their answers.
        </Empty>
      )}
      {answer?.callbacks.length !== 0 && (
        <Table
          label="Callbacks"
          class="callbacks-table"
          columns={columns}
          rows={answer?.callbacks}
          keyOf={({ webhookId }) => webhookId}
          to={({ webhookId }) => ({ page: "callback", webhookId })}
        />
      )}
      <p class="about">
        {before !== "" && <Link to={{ page: "callbacks", status, before: "" }}>Newest</Link>}
        {(answer?.next ?? null) !== null && (
          <Link to={{ page: "callbacks", status, before: answer?.next ?? "" }}>Older</Link>
        )}
      </p>
    </section>
  );
}

const columns: Column<Views["CallbackRow"]>[] = [
  { heading: "Created", class: "time soft", order: "descending", cell: ({ at }) => <Time at={at} /> },
  { heading: "Status", class: "state", cell: ({ status }) => <State state={status} /> },
  { heading: "Event", class: "aside", cell: ({ type }) => toVisible(type) },
  { heading: "About", class: "aside soft", cell: ({ requestId, messageId }) => requestId ?? messageId },
  { heading: "Receiver", class: "url main", cell: ({ url }) => toVisible(url) },
  {
    heading: "Attempts",
    class: "tried soft",
    cell: (callback) => (
      <>
        {toVisible(describeAttempts(callback))}
        {callback.nextAttemptAt !== null && (
          <>
            , due <Time at={callback.nextAttemptAt} />
          </>
        )}
      </>
    ),
  },
];
