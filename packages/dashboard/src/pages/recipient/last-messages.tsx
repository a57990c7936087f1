import { MessagesCard } from "../messages/messages-card.tsx";
import { useFoundMessages } from "../use-found-messages.ts";

const MOST = 10;

export interface LastMessagesProps {
  readonly query: string;
  /** The heading of the column whose value all of them share. */
  readonly without: "To" | "Merchant";
}

/** Lists the latest messages that a search finds, with a link to all of them. */
export function LastMessages({ query, without }: LastMessagesProps) {
  const found = useFoundMessages(query, { most: MOST });
  return <MessagesCard {...{ id: "last-messages", title: "Latest messages", query, found, without }} />;
}
