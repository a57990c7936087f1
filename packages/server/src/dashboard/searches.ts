// What the dashboard asks of the index of messages.

import type { Search } from "../rules/search-language.ts";
import type { SearchScope } from "../search/search-terms.ts";
import type { SearchedRow } from "../store/searched-messages.ts";

export interface Watched {
  readonly scope: SearchScope;
  readonly search: Search;
}

export interface AskedPage extends Watched {
  readonly limit: number;
  /** `next` of the page before. */
  readonly cursor?: string | undefined;
}

export interface FoundPage {
  /** As they are now, the newest first. */
  readonly messages: readonly SearchedRow[];
  readonly next: string | null;
  /** Up to when it was looked, in epoch milliseconds, where the time for it was up; null where it was enough. */
  readonly lookedBackTo: number | null;
  /** Until when messages are in the index, in epoch milliseconds; null before the first. */
  readonly followedUntil: number | null;
  /** Whether all older messages are in it. */
  readonly isComplete: boolean;
}

/** What has become of the messages that are watched. */
export interface WatchedChanges {
  readonly messages: readonly SearchedRow[];
  readonly gone: readonly string[];
  readonly more: number;
}

export interface Watch {
  /** Settled when nothing is missed from then on. */
  readonly begun: Promise<void>;
  end(): void;
}

export interface Searches {
  find(asked: AskedPage): Promise<FoundPage>;
  watch(watched: Watched, tell: (changes: WatchedChanges) => void): Watch;
}
