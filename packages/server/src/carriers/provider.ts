// The port between the dispatcher and the carriers of messages. All that a carrier answers or reports is cleaned here.

import type { CallOutcome } from "../domain/calls/rules.ts";
import type { MessageType } from "../domain/consent/rules.ts";
import type { Channel } from "../domain/contacts.ts";
import { cleanWords, type DeliveryReason } from "../domain/messages/rules.ts";
import type { SpeechEngine } from "./speech/engine.ts";

/** Fields of a message that its carrier is told as they are stored. */
interface StoredFields {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: MessageType;
  readonly subject: string | null;
  /** Number of submissions that were begun before. */
  readonly attempts: number;
}

/** One message on its way out. */
export interface Submission extends StoredFields {
  /** The message's id, by which the provider is asked if an answer was lost. */
  readonly clientReference: string;
  /** Sender of a text: E.164, a short code or a name. @default the carrier's own */
  readonly sender?: string | undefined;
  /** E.164 number or email address. */
  readonly to: string;
  readonly content: string;
  /** Written by no person: the confirmation of a reply. */
  readonly automatic: boolean;
  /** Time at which it is given up, in epoch milliseconds. */
  readonly giveUpAt: number;
  /** Calls only. */
  readonly call?: CallTerms | undefined;
}

/** Terms of a call. */
export interface CallTerms {
  /** The speech engine's reference of the message's content. */
  readonly speech: string;
  readonly language: string;
  readonly voice: string;
  readonly isRecorded: boolean;
  /** Time for which the call may ring. */
  readonly ringSeconds: number;
}

/** Returns the submission of a stored message, with what its claim chose for this attempt. */
export function toSubmission(
  message: StoredFields & {
    readonly messageId: string;
    readonly recipient: string;
    readonly purpose: "SEND" | "CONFIRMATION";
  },
  { sender, content, giveUpAt, call }: Pick<Submission, "sender" | "content" | "giveUpAt" | "call">,
): Submission {
  const { messageId, recipient, purpose, tenantId, merchantId, channel, type, subject, attempts } = message;
  const submission = {
    clientReference: messageId,
    tenantId,
    merchantId,
    channel,
    type,
    sender,
    to: recipient,
    subject,
    content,
    automatic: purpose === "CONFIRMATION",
    attempts,
    giveUpAt,
  };
  return call === undefined ? submission : { ...submission, call };
}

/**
 * The provider's answer. All but `taken` prove that it did not take the message. It refused the message or the recipient,
 * failed by its own fault (HTTP 5xx), or deferred the message for lack of room or a connection (HTTP 429).
 */
export type SubmitOutcome =
  /** `parts` are the ids by which the provider's receipts name the message, one for each part. */
  | { readonly outcome: "taken"; readonly providerMessageId: string; readonly parts?: readonly string[] }
  | {
      readonly outcome: "refused";
      readonly reason: DeliveryReason;
      readonly isOptOut: boolean;
      /** The provider's words, if it has some. */
      readonly detail?: string;
      /** The provider was not asked, so the outcome says nothing about it. */
      readonly isUnasked?: boolean;
    }
  | { readonly outcome: "failed"; readonly detail: string }
  /** The message is retried until it is given up. `detail` says why, if possible in the provider's words. */
  | {
      readonly outcome: "deferred";
      readonly retryAfterMs: number;
      readonly detail: string;
      /** The provider was not reached. */
      readonly isUnreached?: boolean;
      /** The provider was not asked, so the outcome says nothing about it. */
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

/** Content of a receipt. */
export interface DeliveryReport {
  readonly status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
  readonly reason: DeliveryReason | null;
  /** The provider's words, if it has some. */
  readonly detail?: string;
}

/** Progress of a call. `durationSeconds` is the answered time, 0 if nobody answered. */
export type CallReport =
  | { readonly stage: "RINGING" | "ANSWERED" | "PLAYING" }
  | { readonly stage: "ENDED"; readonly outcome: CallOutcome; readonly durationSeconds: number };

/** An event of a message that the provider names by our id. */
export type MessageEvent =
  | (MessageEventOf<"receipt"> & DeliveryReport & { readonly providerMessageId: string })
  | (MessageEventOf<"call"> & { readonly report: CallReport; readonly providerMessageId: string })
  | (MessageEventOf<"opt-out"> & { readonly cause: "COMPLAINT" })
  | (MessageEventOf<"reply"> & { readonly text: string });

/** A receipt that names a part of a message by the provider's id, as in `taken`. */
export type PartReceipt = EventOf<"part-receipt"> & DeliveryReport & { readonly part: string };

/** A text from a phone, `from` in E.164 if it is a number. It answers the last message that its sender was sent. */
export type InboundText = EventOf<"inbound"> & { readonly from: string; readonly to: string; readonly text: string };

/** An answer that came after `submit` had rejected. It ends the doubt. */
export type LateAnswer = MessageEventOf<"late-answer"> & {
  readonly answer: SubmitOutcome;
  /** Number of the submission that it answers: 1 for the first. */
  readonly attempt: number;
};

/** Returns the id of the event of a late answer. */
export function nameLateAnswer(clientReference: string, attempt: number): string {
  return `late answer ${clientReference} ${attempt}`;
}

/** An event that a provider reports on its own: perhaps late, twice, or out of order. */
export type ProviderEvent = MessageEvent | PartReceipt | InboundText | LateAnswer;

/** Resolves once the event is durably recorded; until then the provider must report it again. */
export type EventSink = (event: ProviderEvent) => Promise<void>;

/** Bounds of one submission. */
export interface SubmitCall {
  readonly signal: AbortSignal;
  /** Resolves once it is on record that the message leaves. A rejection means that it must not leave. */
  handOver(): Promise<void>;
}

export interface Provider {
  readonly name: string;
  /** Timeout of a submission, or of its way to the hand-over, in milliseconds. @default the dispatcher's */
  readonly callTimeoutMs?: number;
  /** Timeout of the answer after the hand-over, in milliseconds. @default the rest of `callTimeoutMs` */
  readonly answerTimeoutMs?: number;
  /** Engine whose speech it plays in calls. Omitted by a provider that places none, or cannot be used. */
  readonly speech?: SpeechEngine;
  /**
   * Submits a message. A rejection leaves unknown whether it was taken; a later answer is reported as an event. A
   * provider without `find` calls `handOver` before the last byte of the message leaves.
   */
  submit(submission: Submission, call: SubmitCall): Promise<SubmitOutcome>;
  /**
   * Looks up the submission with this reference, and repeats its events. A rejection counts as `unknown`. Omitted by a
   * provider that cannot tell: a message that it may have taken is never sent again.
   */
  find?(clientReference: string, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * Lists the last references that it took, at most `limit`, newest first. A rejection means that it may have taken any.
   * Omitted by a provider that cannot tell.
   */
  listNewest?(limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Returns the number of submissions that it can take now. Others wait in its queue. Omitted by a provider without
   * limit.
   */
  capacity?(): number;
  /** Share of the capacity for one-time passwords only, if a submission occupies it for minutes. @default 0 */
  readonly reserved?: number;
  /** Rejects within a minute if it cannot be reached now, in its words. @default reachable while it has a capacity */
  probe?(): Promise<void>;
  /** Returns whether it has work that ends without waiting for the clock: a virtual clock stands still meanwhile. */
  isBusy(): boolean;
  /**
   * Starts reporting events to `sink`. Calls `noteReach` when it can be reached again, or with words when it cannot, and
   * `noteRoom` when its capacity grows.
   */
  start(sink: EventSink, noteReach?: (unreached?: string) => void, noteRoom?: () => void): void;
  /** Reports no more, and waits for the events being reported. */
  stop(): Promise<void>;
}

const LONGEST_ID = 200;

/** Returns the answer with words and an id that can be stored. */
export function cleanAnswer<Answer extends SubmitOutcome | FindOutcome>(answer: Answer): Answer {
  return { ...answer, ...cleanFields(answer) };
}

/** Returns the event with texts that can be stored. Ids of parts stay as they are: receipts name them again. */
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

/** Keeps the lines of a person's text. Lone surrogates and zeros cannot be recorded: the text would be delivered for ever. */
function toStorable(text: string): string {
  return text.replaceAll(/[\p{Surrogate}\0]/gu, "\ufffd");
}
