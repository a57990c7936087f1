// Countable events of units of work, with labels of low cardinality and the tenant of an accepted message.

import type { Schemas } from "@msgctl/contract";

export type Occurrence =
  /** A message was accepted (QUEUED), was taken by its carrier (SENT), or has come to an end. */
  | {
      readonly kind: "message";
      readonly channel: Schemas["Channel"];
      readonly status: ReachedStatus;
      /** Of one that was accepted. */
      readonly tenantId?: number;
    }
  | { readonly kind: "callback-attempt"; readonly result: AttemptResult }
  | { readonly kind: "callbacks"; readonly status: CallbackEnd; readonly count: number };

/** The states counted for a message; SENDING says only that its carrier is being asked. */
export type ReachedStatus = Exclude<Schemas["MessageStatus"], "SENDING">;

/** The class of a receiver's status, or why there was none. */
export type AttemptResult =
  | ("2xx" | "3xx" | "4xx" | "5xx" | "other")
  | ("timeout" | "unreachable" | "not_allowed" | "interrupted");

export type CallbackEnd = "DELIVERED" | "FAILED";

/**
 * Told of each group: how many units it had, after how many milliseconds it was on disk, and what its units noted. The
 * list is emptied afterwards.
 */
export type NoteCommit = (units: number, ms: number, occurrences: readonly Occurrence[]) => void;
