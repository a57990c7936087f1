// The port between the dispatcher and the carriers of messages.

import type { CallOutcome } from "../../rules/calls.ts";
import type { Channel } from "../../rules/consent.ts";
import type { DeliveryReason } from "../../rules/delivery.ts";

/** One message on its way out. */
export interface Submission {
  /** The message's id, by which the provider is asked when an answer was lost. */
  readonly clientReference: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  /** E.164 number or email address. */
  readonly to: string;
  readonly subject: string | null;
  readonly content: string;
  /** Written by no person: the confirmation of a reply. */
  readonly automatic: boolean;
  /** When it is given up, in epoch milliseconds. */
  readonly giveUpAt: number;
  /** Calls only. */
  readonly call?: CallTerms;
}

/** How to place a call. */
export interface CallTerms {
  /** The speech engine's reference of the speech. */
  readonly speech: string;
  readonly isRecorded: boolean;
  /** How long to let it ring. */
  readonly ringSeconds: number;
}

/**
 * The provider's answer. All but `taken` prove that it did not take the message: refused because of the message or the
 * recipient, failed by its own fault (an HTTP 5xx), deferred because it has no room or cannot be reached (an HTTP 429).
 */
export type SubmitOutcome =
  | { readonly outcome: "taken"; readonly providerMessageId: string }
  | { readonly outcome: "refused"; readonly reason: DeliveryReason; readonly isOptOut: boolean }
  | { readonly outcome: "failed"; readonly detail: string }
  /** It is tried again until it is given up. `detail` says why, in the provider's words where it has some. */
  | { readonly outcome: "deferred"; readonly retryAfterMs: number; readonly detail: string };

/** `absent` proves that no submission with the reference was or will be taken; `unknown` proves nothing. */
export type FindOutcome =
  | { readonly outcome: "taken"; readonly providerMessageId: string }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown" };

interface EventOf<Kind extends string> {
  readonly kind: Kind;
  /** The same each time the provider reports the same event. */
  readonly eventId: string;
  readonly clientReference: string;
}

/** The progress of a call. `durationSeconds` is the answered time, 0 when nobody answered. */
export type CallReport =
  | { readonly stage: "RINGING" | "ANSWERED" | "PLAYING" }
  | { readonly stage: "ENDED"; readonly outcome: CallOutcome; readonly durationSeconds: number };

/** What a provider reports on its own: perhaps late, twice, or out of order. */
export type ProviderEvent =
  | (EventOf<"receipt"> & {
      readonly status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
      readonly reason: DeliveryReason | null;
      readonly providerMessageId: string;
    })
  | (EventOf<"call"> & { readonly report: CallReport; readonly providerMessageId: string })
  | (EventOf<"opt-out"> & { readonly cause: "COMPLAINT" })
  | (EventOf<"reply"> & { readonly text: string });

/** Resolves once the event is durably recorded; until then the provider must report it again. */
export type EventSink = (event: ProviderEvent) => Promise<void>;

/** The bounds of one submission. */
export interface SubmitCall {
  readonly signal: AbortSignal;
  /**
   * Resolves once it is on record that the message leaves. A rejection means that it must not: somebody else may have
   * the message by now.
   */
  handOver(): Promise<void>;
}

export interface Provider {
  readonly name: string;
  /** How long a submission may take, in milliseconds. @default as long as the dispatcher lets any take */
  readonly callTimeoutMs?: number;
  /**
   * A rejection leaves unknown whether the message was taken. A provider without `find` calls `handOver` before the last
   * byte of the message leaves: what it did not hand over was not sent.
   */
  submit(submission: Submission, call: SubmitCall): Promise<SubmitOutcome>;
  /**
   * Looks up the submission with this reference. A rejection counts as `unknown`. The provider repeats the events that
   * it reported before: the caller may have lost them. Omitted by a provider that cannot tell: what it may have taken is
   * never sent again.
   */
  find?(clientReference: string, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * The last references that it was given, at most `limit`, newest first. A rejection means that it may have been given
   * anything. Omitted by a provider that cannot tell.
   */
  listNewest?(limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether it has work that ends without waiting for the clock: a virtual clock stands still meanwhile. */
  isBusy(): boolean;
  /** Starts reporting events. */
  start(sink: EventSink): void;
  /** Reports no more, and waits for the events being reported. */
  stop(): Promise<void>;
}
