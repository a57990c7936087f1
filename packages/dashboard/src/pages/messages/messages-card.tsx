import { useMemo } from "preact/hooks";
import { Card, Skeleton } from "../../elements/page.tsx";
import { Table } from "../../elements/table.tsx";
import { Time } from "../../elements/time.tsx";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import type { Answered } from "../use-answer.ts";
import type { FoundMessages } from "../use-found-messages.ts";
import { createColumns } from "./columns.tsx";

export interface MessagesCardProps {
  readonly id: string;
  readonly title: string;
  readonly class?: string;
  /** The search that finds them. */
  readonly query: string;
  readonly found: Answered<FoundMessages | undefined>;
  /** The heading of a column that is left out. */
  readonly without: "To" | "Merchant" | "Type";
}

/** A few messages that a search finds, with a link to all of them. */
export function MessagesCard({ id, title, query, found, without, class: name = "" }: MessagesCardProps) {
  const { answer, error, again } = found;
  const { timezone } = useSession().tenant;
  const columns = useMemo(
    () => createColumns(timezone).filter(({ heading }) => heading !== without),
    [timezone, without],
  );
  return (
    <Card id={id} title={title} class={name}>
      {error !== undefined && <Failure error={error} again={again} />}
      {answer === undefined && error === undefined && <Skeleton />}
      {answer?.messages.length === 0 && (
        <p>
          {answer.lookedBackTo === null ? (
            "None."
          ) : (
            <>
              None since <Time at={answer.lookedBackTo} isWhole />.
            </>
          )}
        </p>
      )}
      {answer !== undefined && answer.messages.length > 0 && (
        <Table
          label={title}
          class="some-messages-table"
          columns={columns}
          rows={answer.messages}
          keyOf={({ messageId }) => messageId}
          to={({ messageId }) => ({ page: "message", messageId })}
        />
      )}
      <p>
        <Link to={{ ...allMessages, query }}>All messages, live</Link>
      </p>
    </Card>
  );
}
