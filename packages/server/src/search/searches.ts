// The interface of searches and of viewers that watch them, in the server's thread or in separate ones.

import { readVisibleText } from "../domain/messages/emails.ts";
import type { AskedPage, FoundPage, ScopedSearch } from "./page-search.ts";
import type { FollowedMessage } from "./search-source.ts";
import type { AskedTallies, TalliedMessages } from "./tallies.ts";

export interface SearchPage extends FoundPage {
  /** Whether the index already contains all older messages. */
  readonly isComplete: boolean;
}

export interface TalliedHours {
  readonly hours: readonly TalliedMessages[];
  /** Messages accepted before this time, in epoch milliseconds, are counted. */
  readonly countedUntil: number;
  /** See `SearchPage.isComplete`. */
  readonly isComplete: boolean;
}

/** Changes of the messages that a viewer watches. */
export interface WatchedChanges {
  /** New and changed messages, in their current state. */
  readonly messages: readonly FollowedMessage[];
  /** Ids of messages that no longer match. */
  readonly gone: readonly string[];
  /** Number of other messages that newly match. */
  readonly more: number;
  /** Number of other messages that have changed and still match. */
  readonly changed: number;
}

export interface Viewer {
  /** Called with changes, at most four times a second. */
  tell(changes: WatchedChanges): void;
  /** Called when the watch has failed. No changes follow. */
  end(): void;
}

export interface Watch {
  /** Resolves once the watch is active: from then on no change is missed. Rejects if the watch fails. */
  readonly begun: Promise<void>;
  end(): void;
}

export interface Searches {
  /** Returns a page of messages. Throws `StoreUnavailable` if there is no index. */
  find(asked: AskedPage): Promise<SearchPage>;
  /** Returns the number of messages by hour and outcome. Throws like `find`. */
  tally(asked: AskedTallies): Promise<TalliedHours>;
  watch(scoped: ScopedSearch, viewer: Viewer): Watch;
  close(): Promise<void>;
}

/** Time limit of a search, in milliseconds of real time. */
export const FIND_MS = 15;

/** Longest text in a list, in UTF-16 units. More is not copied between threads. */
const MOST_SHOWN = 400;

/** Replaces a message's content by the beginning of its text; an HTML email's, by that of its visible text. */
export function shorten(message: FollowedMessage): FollowedMessage {
  const { channel, content } = message;
  const shown = channel === "EMAIL" ? readVisibleText(content, MOST_SHOWN) : content.slice(0, MOST_SHOWN);
  return { ...message, content: shown };
}
