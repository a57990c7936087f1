// The port of searches and of viewers that follow them, whether they run in the server's thread or beside it.

import type { AskedPage, FoundPage, ScopedSearch } from "./page-search.ts";
import type { FollowedMessage } from "./search-source.ts";
import type { AskedTallies, TalliedMessages } from "./tallies.ts";

export interface SearchPage extends FoundPage {
  /** Whether all older messages are in the index. */
  readonly isComplete: boolean;
}

export interface TalliedHours {
  readonly hours: readonly TalliedMessages[];
  /** The time until which messages are counted, in epoch milliseconds. */
  readonly countedUntil: number;
  /** See `SearchPage.isComplete`. */
  readonly isComplete: boolean;
}

/** Changes of the messages that a viewer watches. */
export interface WatchedChanges {
  /** New and changed messages, in their current state. */
  readonly messages: readonly FollowedMessage[];
  /** Ids of messages that are no longer found. */
  readonly gone: readonly string[];
  /** The number of further messages that are new to the search. */
  readonly more: number;
  /** The number of further messages that have changed, and are found as before. */
  readonly changed: number;
}

export interface Viewer {
  /** Called with changes, at most four times a second. */
  tell(changes: WatchedChanges): void;
  /** Called when the watch has failed, and no more changes follow. */
  end(): void;
}

export interface Watch {
  /** Resolves when no change is missed from then on; rejects if the watch has failed. */
  readonly begun: Promise<void>;
  end(): void;
}

export interface Searches {
  /** Returns a page of messages. Throws `StoreUnavailable` without an index. */
  find(asked: AskedPage): Promise<SearchPage>;
  /** Returns the number of messages by hour and outcome. Throws as `find` does. */
  tally(asked: AskedTallies): Promise<TalliedHours>;
  watch(scoped: ScopedSearch, viewer: Viewer): Watch;
  close(): Promise<void>;
}

/** Time limit of a search, in real milliseconds. */
export const FIND_MS = 15;

/** The length of a text in a list, in UTF-16 units: the rest is not copied between threads. */
const MOST_SHOWN = 400;

export function shorten(message: FollowedMessage): FollowedMessage {
  return { ...message, content: message.content.slice(0, MOST_SHOWN) };
}
