// The port between the dispatcher and whoever carries messages.

import type { CallOutcome } from "../../rules/calls.ts";
import type { Channel } from "../../rules/consent.ts";
import type { DeliveryReason } from "../../rules/delivery.ts";

/** One message on its way out. */
export interface Submission {
  /** The message's id: what the provider is asked by when an answer was lost. */
  readonly clientReference: string;
  readonly channel: Channel;
  /** E.164 number or email address. */
  readonly to: string;
  readonly subject: string | null;
  readonly content: string;
  /** Written by nobody: the confirmation of a reply. */
  readonly automatic: boolean;
  /** For a call. */
  readonly call?: CallTerms;
}

/** How a number is to be called. */
export interface CallTerms {
  /** What the speech engine made the speech under. */
  readonly speech: string;
  readonly isRecorded: boolean;
  /** How long to let it ring. */
  readonly ringSeconds: number;
}

/**
 * What the provider answered. `refused` and `failed` both prove that it did not take the message: refused for the
 * message's or the recipient's sake, failed for its own (an HTTP 5xx).
 */
export type SubmitOutcome =
  | { readonly outcome: "taken"; readonly providerMessageId: string }
  | { readonly outcome: "refused"; readonly reason: DeliveryReason; readonly isOptOut: boolean }
  | { readonly outcome: "failed"; readonly detail: string }
  | { readonly outcome: "rate-limited"; readonly retryAfterMs: number };

/** `absent` is proof that no submission under the reference was or will be taken; `unknown` proves nothing. */
export type FindOutcome =
  | { readonly outcome: "taken"; readonly providerMessageId: string }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown" };

interface EventOf<Kind extends string> {
  readonly kind: Kind;
  /** The same each time that the provider tells of the same event. */
  readonly eventId: string;
  readonly clientReference: string;
}

/** How a call goes on. `durationSeconds` is the answered time, 0 when nobody answered. */
export type CallReport =
  | { readonly stage: "RINGING" | "ANSWERED" | "PLAYING" }
  | { readonly stage: "ENDED"; readonly outcome: CallOutcome; readonly durationSeconds: number };

/** What a provider tells on its own: perhaps late, twice, or out of order. */
export type ProviderEvent =
  | (EventOf<"receipt"> & {
      readonly status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
      readonly reason: DeliveryReason | null;
      readonly providerMessageId: string;
    })
  | (EventOf<"call"> & { readonly report: CallReport; readonly providerMessageId: string })
  | (EventOf<"opt-out"> & { readonly cause: "COMPLAINT" })
  | (EventOf<"reply"> & { readonly text: string });

/** Resolves once the event is durably recorded; until then the provider has to tell it again. */
export type EventSink = (event: ProviderEvent) => Promise<void>;

export interface Provider {
  readonly name: string;
  /** A rejection means that nobody knows whether the message was taken. */
  submit(submission: Submission, signal: AbortSignal): Promise<SubmitOutcome>;
  /**
   * What became of the submission under this reference. A rejection counts as `unknown`. What the provider told of it
   * before it tells again: whoever asks may have lost that.
   */
  find(clientReference: string, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * The references that it was given last, at most `limit` of them, the newest first. A rejection counts as if it could
   * have been given anything. Left out by a provider that cannot tell.
   */
  listNewest?(limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /** Whether it is at work that it ends without waiting for the clock: a virtual clock stands still meanwhile. */
  isBusy(): boolean;
  /** Begins to tell events. */
  start(sink: EventSink): void;
  /** Tells no more, and waits for the events being told. */
  stop(): Promise<void>;
}
