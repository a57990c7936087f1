// What a follower reads: messages in the order in which they were accepted, of any kind and from any store.

import type { SearchedMessage } from "../rules/search-language.ts";
import type { RowFilter } from "../store/searched-messages.ts";

/** A message as it is now. */
export interface FollowedMessage extends SearchedMessage {
  readonly tenantId: number;
  /** Whether its status is its last. */
  readonly isFinal: boolean;
  /** Its place in its stream. */
  readonly position: string;
}

/** Messages of one kind in the order of their positions, which is that of their acceptance. */
export interface MessageStream {
  readonly name: string;
  /** Those behind a position and before another, the first ones first. */
  listAfter(position: string, limit: number, before?: string): Promise<readonly FollowedMessage[]>;
  /** Those before a position, the last ones first. */
  listBefore(position: string, limit: number): Promise<readonly FollowedMessage[]>;
  /** Those of a range that a filter lets through, the last ones first. */
  listWithin(range: PositionRange, filter: RowFilter, limit: number): Promise<readonly FollowedMessage[]>;
  /** The position that nothing accepted at that time or later is before. */
  positionAt(epochMs: number): string;
}

/** From a position on, and before another; without one, to the end. */
export interface PositionRange {
  readonly from: string;
  readonly before: string | undefined;
}

/** A message whose recipient was erased. */
export interface ErasedPosition {
  readonly messageId: string;
  readonly position: string;
}

export interface SearchSource {
  readonly streams: readonly MessageStream[];
  /** Messages whose recipients were erased behind a position, in the order of their erasure. */
  listErasedAfter(position: string, limit: number): Promise<readonly ErasedPosition[]>;
  /** The position that nothing erased at that time or later is before. */
  erasedPositionAt(epochMs: number): string;
  /** Those of the ids that there are; with a filter, at least those that it lets through. */
  find(messageIds: readonly string[], filter?: RowFilter): Promise<readonly FollowedMessage[]>;
}

/** What of a message changes. */
export function stateOf({ status, reason }: FollowedMessage): string {
  return `${status} ${reason}`;
}
