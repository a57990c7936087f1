// The port between the dispatcher and the carriers of messages.

import type { CallOutcome } from "../../rules/calls.ts";
import type { Channel, MessageType } from "../../rules/consent.ts";
import { cleanWords, type DeliveryReason } from "../../rules/messages.ts";
import type { SpeechEngine } from "../calls/engine.ts";

/** One message on its way out. */
export interface Submission {
  /** The message's id, by which the provider is asked when an answer was lost. */
  readonly clientReference: string;
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: MessageType;
  /** The sender of a text: E.164, a short code or a name. @default the carrier's own */
  readonly sender?: string | undefined;
  /** E.164 number or email address. */
  readonly to: string;
  readonly subject: string | null;
  readonly content: string;
  /** Written by no person: the confirmation of a reply. */
  readonly automatic: boolean;
  /** Submissions of it that were begun before. */
  readonly attempts: number;
  /** When it is given up, in epoch milliseconds. */
  readonly giveUpAt: number;
  /** Calls only. */
  readonly call?: CallTerms;
}

/** How to place a call. */
export interface CallTerms {
  /** The speech engine's reference of the speech, which is of the message's content. */
  readonly speech: string;
  readonly language: string;
  readonly voice: string;
  readonly isRecorded: boolean;
  /** How long to let it ring. */
  readonly ringSeconds: number;
}

/**
 * The provider's answer. All but `taken` prove that it did not take the message: refused because of the message or the
 * recipient, failed by its own fault (an HTTP 5xx), deferred because it has no room or cannot be reached (an HTTP 429).
 */
export type SubmitOutcome =
  /** `parts` are the provider's ids by which its receipts name the message, one for each part that it was cut into. */
  | { readonly outcome: "taken"; readonly providerMessageId: string; readonly parts?: readonly string[] }
  | {
      readonly outcome: "refused";
      readonly reason: DeliveryReason;
      readonly isOptOut: boolean;
      /** The provider's words, if it has some. */
      readonly detail?: string;
      /** Nobody was asked, so it says nothing of the provider. */
      readonly isUnasked?: boolean;
    }
  | { readonly outcome: "failed"; readonly detail: string }
  /** It is tried again until it is given up. `detail` says why, in the provider's words where it has some. */
  | {
      readonly outcome: "deferred";
      readonly retryAfterMs: number;
      readonly detail: string;
      /** Nobody was reached who could have taken anything. */
      readonly isUnreached?: boolean;
      /** Nobody was asked, so it says nothing of the provider. */
      readonly isUnasked?: boolean;
    };

/** `absent` proves that no submission with the reference was or will be taken; `unknown` proves nothing. */
export type FindOutcome =
  | { readonly outcome: "taken"; readonly providerMessageId: string }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown" };

interface EventOf<Kind extends string> {
  readonly kind: Kind;
  /** The same each time the provider reports the same event. */
  readonly eventId: string;
}

interface MessageEventOf<Kind extends string> extends EventOf<Kind> {
  readonly clientReference: string;
}

/** What a receipt says. */
export interface DeliveryReport {
  readonly status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
  readonly reason: DeliveryReason | null;
  /** The provider's words, if it has some. */
  readonly detail?: string;
}

/** The progress of a call. `durationSeconds` is the answered time, 0 when nobody answered. */
export type CallReport =
  | { readonly stage: "RINGING" | "ANSWERED" | "PLAYING" }
  | { readonly stage: "ENDED"; readonly outcome: CallOutcome; readonly durationSeconds: number };

/** What a provider reports of a message by our id. */
export type MessageEvent =
  | (MessageEventOf<"receipt"> & DeliveryReport & { readonly providerMessageId: string })
  | (MessageEventOf<"call"> & { readonly report: CallReport; readonly providerMessageId: string })
  | (MessageEventOf<"opt-out"> & { readonly cause: "COMPLAINT" })
  | (MessageEventOf<"reply"> & { readonly text: string });

/** A receipt that names a part of a message by the provider's id of it, as `taken` had it. */
export type PartReceipt = EventOf<"part-receipt"> & DeliveryReport & { readonly part: string };

/** A text from a phone, `from` in E.164 where it is a number. It answers the last message that its sender was sent. */
export type InboundText = EventOf<"inbound"> & { readonly from: string; readonly to: string; readonly text: string };

/** The answer to a submission that came after `submit` had rejected: it ends the doubt. */
export type LateAnswer = MessageEventOf<"late-answer"> & {
  readonly answer: SubmitOutcome;
  /** Which submission of the message it is to: 1 for the first. */
  readonly attempt: number;
};

/** The id of the event, whoever reports it. */
export function nameLateAnswer(clientReference: string, attempt: number): string {
  return `late answer ${clientReference} ${attempt}`;
}

/** What a provider reports on its own: perhaps late, twice, or out of order. */
export type ProviderEvent = MessageEvent | PartReceipt | InboundText | LateAnswer;

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
  /** How long a submission may take, or its way to the hand-over, in milliseconds. @default as long as any may take */
  readonly callTimeoutMs?: number;
  /** How long the answer may take after the hand-over, in milliseconds. @default what is left of `callTimeoutMs` */
  readonly answerTimeoutMs?: number;
  /** The engine whose speech it plays in calls. Omitted by one that places no calls, or cannot be used. */
  readonly speech?: SpeechEngine;
  /**
   * A rejection leaves unknown whether the message was taken; an answer that comes after it is reported as an event. A
   * provider without `find` calls `handOver` before the last byte of the message leaves: what it did not hand over was not sent.
   */
  submit(submission: Submission, call: SubmitCall): Promise<SubmitOutcome>;
  /**
   * Looks up the submission with this reference. A rejection counts as `unknown`. The provider repeats the events that
   * it reported before: the caller may have lost them. Omitted by a provider that cannot tell: what it may have taken is
   * never sent again.
   */
  find?(clientReference: string, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * The last references that it took, at most `limit`, newest first. A rejection means that it may have taken anything.
   * Omitted by a provider that cannot tell.
   */
  listNewest?(limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * How many submissions it can have at once now; 0 while it can be given none. What it cannot have waits in a line of its
   * own. Omitted by one that takes all.
   */
  capacity?(): number;
  /** How many of them only one-time passwords may be, where a submission has its place for minutes. @default 0 */
  readonly reserved?: number;
  /**
   * Rejects, in its words and within a minute, if it cannot be reached now. Omitted by one that can be as long as it has
   * a capacity.
   */
  probe?(): Promise<void>;
  /** Whether it has work that ends without waiting for the clock: a virtual clock stands still meanwhile. */
  isBusy(): boolean;
  /**
   * Starts reporting events to `sink`; to `noteReach` when it can be reached again, or with words when it cannot; and to
   * `noteRoom` when it can have more submissions than before.
   */
  start(sink: EventSink, noteReach?: (unreached?: string) => void, noteRoom?: () => void): void;
  /** Reports no more, and waits for the events being reported. */
  stop(): Promise<void>;
}

// The texts of peers, cleaned before anything is done with them. All that a carrier answers or reports goes through here.

const LONGEST_ID = 200;

/** The answer, with words and an id that can be stored. */
export function cleanAnswer<Answer extends SubmitOutcome | FindOutcome>(answer: Answer): Answer {
  return { ...answer, ...cleanFields(answer) };
}

/** The event, with texts that can be stored. Ids of parts stay as they are: receipts name them again. */
export function cleanEvent(event: ProviderEvent): ProviderEvent {
  if (event.kind === "late-answer") return { ...event, answer: cleanAnswer(event.answer) };
  if (event.kind === "inbound" || event.kind === "reply") return { ...event, text: toStorable(event.text) };
  return { ...event, ...cleanFields(event) };
}

function cleanFields(of: { detail?: string; providerMessageId?: string } | object): object {
  const detail = "detail" in of && of.detail !== undefined ? { detail: cleanWords(of.detail) } : {};
  const id =
    "providerMessageId" in of && of.providerMessageId !== undefined
      ? { providerMessageId: cleanWords(of.providerMessageId, LONGEST_ID) }
      : {};
  return { ...detail, ...id };
}

/** A person's text keeps its lines. Half of a surrogate pair, or a zero, cannot be recorded: it would be delivered for ever. */
function toStorable(text: string): string {
  return text.replaceAll(/[\p{Surrogate}\0]/gu, "\ufffd");
}
