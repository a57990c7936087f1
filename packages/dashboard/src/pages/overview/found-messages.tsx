// Messages that support agents look for first.

import { MessagesCard } from "../messages/messages-card.tsx";
import { useFoundMessages } from "../use-found-messages.ts";

const POLL_MS = 30_000;
const MOST = 10;
/** A poll stays cheap, even if the tenant has millions of messages and few of them are meant. */
const MOST_PAGES = 8;
const statuses = ["delivered", "queued", "sending", "sent", "canceled", "unknown"];
/** The search of failed messages: all statuses but those. */
const FAILED = statuses.map((status) => `-status:${status}`).join(" ");

export function FailedMessages() {
  return <FoundMessages id="failed" title="Latest failed messages" query={FAILED} />;
}

export function WaitingMessages() {
  return <FoundMessages id="waiting" title="Waiting to be sent" query="status:queued" />;
}

interface FoundMessagesProps {
  readonly id: string;
  readonly title: string;
  readonly query: string;
}

function FoundMessages({ id, title, query }: FoundMessagesProps) {
  const found = useFoundMessages(query, { most: MOST, mostPages: MOST_PAGES, everyMs: POLL_MS });
  return <MessagesCard {...{ id, title, query, found, without: "Type" as const, class: "agent-messages" }} />;
}
