import { useMemo } from "preact/hooks";
import { Card, Empty } from "../../elements/page.tsx";
import { Table } from "../../elements/table.tsx";
import { Failure } from "../../shell/failure.tsx";
import { Link } from "../../shell/navigation.tsx";
import { allMessages } from "../../shell/route.ts";
import { useSession } from "../../shell/session.ts";
import { createColumns } from "../messages/columns.tsx";
import { useFoundMessages } from "../use-found-messages.ts";

const MOST = 10;

type Found = ReturnType<typeof useFoundMessages>;

/** Loads the latest messages that a search finds. */
export function useLastMessages(query: string | undefined): Found {
  return useFoundMessages(query, MOST);
}

export interface LastMessagesProps {
  readonly query: string;
  /** As returned by `useLastMessages`. */
  readonly found: Found;
  /** The heading of the column whose value all of them share. */
  readonly without: "To" | "Merchant";
}

/** Lists the latest messages that a search finds, with a link to all of them. */
export function LastMessages({ query, found: { answer, error, again }, without }: LastMessagesProps) {
  const { timezone } = useSession().tenant;
  const columns = useMemo(
    () => createColumns(timezone).filter(({ heading }) => heading !== without),
    [timezone, without],
  );
  return (
    <Card id="last-messages" title="Latest messages">
      {error !== undefined && <Failure error={error} again={again} />}
      {answer?.length === 0 && <Empty title="No messages found." />}
      {answer !== undefined && answer.length > 0 && (
        <Table
          label="Latest messages"
          class="some-messages-table"
          columns={columns}
          rows={answer}
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
