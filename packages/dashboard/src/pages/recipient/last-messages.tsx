import { MessagesCard } from "../messages/messages-card.tsx";
import { useFoundMessages } from "../use-found-messages.ts";

const MOST = 10;
const POLL_MS = 5_000;

type Found = ReturnType<typeof useFoundMessages>;

/** Loads the latest messages that a search finds. Polls, because the index gets a message a moment after it was sent. */
export function useLastMessages(query: string | undefined): Found {
  return useFoundMessages(query, { most: MOST, everyMs: POLL_MS });
}

export interface LastMessagesProps {
  readonly query: string;
  /** As returned by `useLastMessages`. */
  readonly found: Found;
  /** The heading of the column whose value all of them share. */
  readonly without: "To" | "Merchant";
}

/** Lists the latest messages that a search finds, with a link to all of them. */
export function LastMessages({ query, found, without }: LastMessagesProps) {
  return <MessagesCard {...{ id: "last-messages", title: "Latest messages", query, found, without }} />;
}
