// The list of messages, calls and emails: all, or the results of a search. It is updated live.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { Problem } from "../../client/problem.ts";
import { Empty, PageHead } from "../../elements/page.tsx";
import { enterTable, Table } from "../../elements/table.tsx";
import { formatWhole } from "../../elements/time.tsx";
import { toVisible } from "../../elements/visible-text.ts";
import { Failure } from "../../shell/failure.tsx";
import { setOnlyMatch } from "../../shell/find.tsx";
import { Icon } from "../../shell/icon.tsx";
import { useKeys } from "../../shell/keys.ts";
import { go, Link } from "../../shell/navigation.tsx";
import { useSession } from "../../shell/session.ts";
import { useIsWide } from "../../shell/window.ts";
import { MessageDetails } from "../message/message-page.tsx";
import { createColumns } from "./columns.tsx";
import { Export } from "./export.tsx";
import { Filters } from "./filters.tsx";
import { onlyPage, useIdLookup } from "./id-lookup.ts";
import { IdLookupLinks } from "./id-lookup-links.tsx";
import { type Messages, useMessages } from "./use-messages.ts";

/** If the list is at its top without the focus, it reloads this many milliseconds after the last burst of messages. */
const CALM_MS = 1_000;

export interface MessagesPageProps {
  readonly query: string;
  /** The message that is open beside the list; empty for none. */
  readonly open: string;
}

export function MessagesPage({ query, open }: MessagesPageProps) {
  const messages = useMessages(query);
  const { list, round, error, isLive, loadNext, reload } = messages;
  const begin = useRef<HTMLElement>(null);
  const [isRead, setRead] = useState(false);
  const isLeft = list.more > 0 && !isRead;
  useEffect(() => {
    if (!isLeft) return;
    const timer = setTimeout(reload, CALM_MS);
    return () => clearTimeout(timer);
  }, [isLeft, list.bursts]);
  const lookup = useIdLookup(query);
  const { timezone } = useSession().tenant;
  const columns = useMemo(() => createColumns(timezone), [timezone]);
  const isWide = useIsWide();
  const isLookedThrough = messages.index !== undefined && list.next === null;
  const isNothing = list.rows.length === 0 && (isLookedThrough || error !== undefined);
  // do not show that the search is invalid if the text is an id that was found
  const isShown =
    error !== undefined && !(lookup.matches.length > 0 && error instanceof Problem && error.faults.length > 0);
  const only = isNothing ? onlyPage(lookup.matches) : undefined;
  useLayoutEffect(() => {
    setOnlyMatch(only);
    return () => setOnlyMatch(undefined);
  }, [only]);
  // a narrow window has no space beside the list
  useLayoutEffect(() => {
    if (!isWide && open !== "") go({ page: "message", messageId: open }, { inPlace: true });
  }, [isWide, open]);
  const close = () => {
    // the focused element may disappear
    enterTable();
    go({ page: "messages", query, open: "" }, { inPlace: true });
  };
  return (
    <section class="page messages" ref={begin} tabIndex={-1}>
      <PageHead
        title="Messages"
        beside={
          <p class="about" role="status">
            <span class="live" data-live={isLive}>
              {isLive ? "live" : "not live"}
            </span>
            {describeIndex(messages, timezone)}
          </p>
        }
        actions={<Export rows={list.rows} />}
      />
      <Filters query={query} />
      {lookup.matches.length > 0 && <IdLookupLinks matches={lookup.matches} isEntered={only !== undefined} />}
      {isShown && <Failure error={error} again={reload} />}
      {error === undefined && lookup.error !== undefined && <Failure error={lookup.error} again={lookup.again} />}
      {list.more > 0 && (
        <button
          type="button"
          class="more"
          onClick={() => {
            // the button disappears: move the focus off it first
            begin.current?.focus();
            reload();
          }}
        >
          {list.more.toLocaleString()} new or changed: show them
        </button>
      )}
      {error === undefined && isNothing && <Nothing query={query} isMatched={lookup.matches.length > 0} />}
      <div class="beside" data-open={isWide && open !== ""}>
        {!isNothing && (
          <Table
            key={round}
            label="Messages"
            class="messages-table"
            columns={columns}
            rows={list.rows.length === 0 ? undefined : list.rows}
            keyOf={({ messageId }) => messageId}
            to={({ messageId }) =>
              isWide ? { page: "messages", query, open: messageId } : { page: "message", messageId }
            }
            opened={open}
            isWhole={list.next === null && !list.isCut}
            onNearEnd={loadNext}
            onRead={setRead}
          />
        )}
        {isWide && open !== "" && <Opened key={open} messageId={open} close={close} />}
      </div>
    </section>
  );
}

/** A message beside the list. */
function Opened({ messageId, close }: { readonly messageId: string; readonly close: () => void }) {
  useKeys({ Escape: close });
  return (
    <aside class="opened" aria-label="Message">
      <button type="button" class="bare close" aria-label="Close" onClick={close}>
        <Icon name="close" />
      </button>
      <MessageDetails messageId={messageId} isBeside />
    </aside>
  );
}

function Nothing({ query, isMatched }: { readonly query: string; readonly isMatched: boolean }) {
  const { role } = useSession();
  if (query === "")
    return (
      <Empty title="No messages yet.">
        Messages that your program sends appear here.{" "}
        {role === "admin" && <Link to={{ page: "operation", operationId: "sendSms", values: {} }}>Send one</Link>}
      </Empty>
    );
  return <Empty title={isMatched ? "No messages match this as a search." : "No messages found."} />;
}

/** Describes the result: the number of rows, how phone numbers were read, and how far back the search went. */
function describeIndex({ index, list }: Messages, timezone: string): string {
  if (index === undefined) return "";
  const rows = list.rows.length.toLocaleString();
  const parts: string[] = [list.next === null ? rows : `the first ${rows}`];
  for (const { written, number } of index.readAs) parts.push(`${toVisible(written)} was read as ${number}`);
  if (list.isCut) parts[0] = `the newest ${rows}: narrow the search to see older ones`;
  if (!index.isComplete) parts.push("older messages are still being indexed");
  if (index.lookedBackTo !== null) parts.push(`searched back to ${formatWhole(index.lookedBackTo, timezone)}`);
  return parts.join(" · ");
}
