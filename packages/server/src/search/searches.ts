// Searches of messages, and views that follow them, wherever they run: in the server's thread, or beside it.

import type { AskedPage, FoundPage, ScopedSearch } from "./page-search.ts";
import type { FollowedMessage } from "./search-source.ts";
import type { AskedTallies, TalliedMessages } from "./tallies.ts";

export interface SearchPage extends FoundPage {
  /** Whether all older messages are in the index. */
  readonly isComplete: boolean;
}

export interface TalliedHours {
  readonly hours: readonly TalliedMessages[];
  /** Until when messages are counted, in epoch milliseconds. */
  readonly countedUntil: number;
  /** As of a page. */
  readonly isComplete: boolean;
}

/** What has become of the messages that are watched. */
export interface WatchedChanges {
  /** As they are now. */
  readonly messages: readonly FollowedMessage[];
  /** Ids of those that have changed and are not found. */
  readonly gone: readonly string[];
  /** How many more are found that were not. */
  readonly more: number;
  /** How many more have changed that are found as before. */
  readonly changed: number;
}

export interface Viewer {
  /** Told what becomes of what is found, four times a second at most. */
  tell(changes: WatchedChanges): void;
  /** Nothing is told any more: what was to follow the messages has failed. */
  end(): void;
}

export interface Watch {
  /** Settled when nothing is missed from then on; rejected if nothing can be followed. */
  readonly begun: Promise<void>;
  end(): void;
}

export interface Searches {
  /** A page of what is found now. Throws `StoreUnavailable` while there is no index to look in. */
  find(asked: AskedPage): Promise<SearchPage>;
  /** How many messages have ended how, by the hour. Throws as `find` does. */
  tally(asked: AskedTallies): Promise<TalliedHours>;
  watch(scoped: ScopedSearch, viewer: Viewer): Watch;
  close(): Promise<void>;
}

/** How long a search may look, in real milliseconds. */
export const FIND_MS = 15;

/** As much of a text as is shown of one among others, in UTF-16 units: what goes from thread to thread is copied. */
const MOST_SHOWN = 400;

export function shorten(message: FollowedMessage): FollowedMessage {
  return { ...message, content: message.content.slice(0, MOST_SHOWN) };
}
