// The port between the dispatcher and the carriers of messages. All answers and reports of carriers are sanitized here.

import type { CallOutcome } from "../domain/calls/rules.ts";
import type { EventsReceiver } from "../domain/carrier-events.ts";
import type { MessageType } from "../domain/consent/rules.ts";
import type { Channel } from "../domain/contacts.ts";
import { cleanWords, type DeliveryReason } from "../domain/messages/rules.ts";
import type { MarketingCalls } from "./marketing-calls.ts";
import type { SpeechEngine } from "./speech/engine.ts";

/** Fields of a message that are passed to its carrier unchanged. */
interface StoredFields {
  readonly tenantId: number;
  readonly merchantId: string;
  readonly channel: Channel;
  readonly type: MessageType;
  readonly subject: string | null;
  /** Number of earlier submissions of this message. */
  readonly attempts: number;
}

/** One message on its way out. */
export interface Submission extends StoredFields {
  /** The message's id, used to look the message up after a lost answer. */
  readonly clientReference: string;
  /** Sender of a text: E.164, a short code or a name. @default the carrier's own */
  readonly sender?: string | undefined;
  /** Number of a text among those from the sender to the phone, on all instances. Each attempt has its own. */
  readonly textNumber?: number | undefined;
  /** E.164 number or email address. */
  readonly to: string;
  readonly content: string;
  /** True if the server wrote the message, which it does to confirm a reply. */
  readonly automatic: boolean;
  /** Time at which the message is given up, in epoch milliseconds. */
  readonly giveUpAt: number;
  /** Calls only. */
  readonly call?: CallTerms | undefined;
}

/** Terms of a call. */
export interface CallTerms {
  /** The speech engine's reference for the spoken content. */
  readonly speech: string;
  readonly language: string;
  readonly voice: string;
  readonly isRecorded: boolean;
  /** Longest time that the call may ring. */
  readonly ringSeconds: number;
}

/** Builds the submission of a stored message. The second argument holds the values that its claim chose for this attempt. */
export function toSubmission(
  message: StoredFields & {
    readonly messageId: string;
    readonly recipient: string;
    readonly purpose: "SEND" | "CONFIRMATION";
  },
  chosen: Pick<Submission, "sender" | "textNumber" | "content" | "giveUpAt" | "call">,
): Submission {
  const { messageId, recipient, purpose, tenantId, merchantId, channel, type, subject, attempts } = message;
  const { sender, textNumber, content, giveUpAt, call } = chosen;
  const submission = {
    clientReference: messageId,
    tenantId,
    merchantId,
    channel,
    type,
    sender,
    textNumber,
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
 * The provider's answer. Every outcome but `taken` proves that the provider did not accept the message. `refused`: it
 * rejects the message or the recipient. `failed`: the provider had an error (HTTP 5xx). `deferred`: the provider has no
 * capacity (HTTP 429), or there is no connection.
 */
export type SubmitOutcome =
  /** `parts` are the provider's ids of the message's parts, as its receipts name them. */
  | { readonly outcome: "taken"; readonly providerMessageId: string; readonly parts?: readonly string[] }
  | {
      readonly outcome: "refused";
      readonly reason: DeliveryReason;
      readonly isOptOut: boolean;
      /** Explanation by the provider, if it gave one. */
      readonly detail?: string;
      /** See `DeliveryReport.isPermanent`. */
      readonly isPermanent?: boolean;
      /** The provider was not contacted, so the outcome says nothing about its health. */
      readonly isUnasked?: boolean;
    }
  | { readonly outcome: "failed"; readonly detail: string }
  /** The message is retried until it is given up. `detail` says why, in the provider's words if possible. */
  | {
      readonly outcome: "deferred";
      readonly retryAfterMs: number;
      readonly detail: string;
      /** The provider was not reached. */
      readonly isUnreached?: boolean;
      /** The provider was not contacted, so the outcome says nothing about its health. */
      readonly isUnasked?: boolean;
    };

/** `absent` proves that the provider has not accepted the reference and never will; `unknown` proves nothing. */
export type FindOutcome =
  | { readonly outcome: "taken"; readonly providerMessageId: string }
  | { readonly outcome: "absent" }
  | { readonly outcome: "unknown" };

interface EventOf<Kind extends string> {
  readonly kind: Kind;
  /** Stays the same when the provider reports the event again. */
  readonly eventId: string;
}

interface MessageEventOf<Kind extends string> extends EventOf<Kind> {
  readonly clientReference: string;
}

/** Content of a receipt. */
export interface DeliveryReport {
  readonly status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
  readonly reason: DeliveryReason | null;
  /** Explanation by the provider, if it gave one. */
  readonly detail?: string;
  /**
   * Whether an email address bounced for good: a provider's hard bounce, or a status for which `isPermanentStatus` is true
   * (domain/messages/suppressions.ts). Such an address is suppressed. @default false
   */
  readonly isPermanent?: boolean;
}

/**
 * Progress of a call. `PLAYED`: the whole speech was played, so that a later end by HANGUP counts as HEARD.
 * `durationSeconds` is the time since the answer, or 0 if nobody answered.
 */
export type CallReport =
  | { readonly stage: "RINGING" | "ANSWERED" | "PLAYING" | "PLAYED" }
  | { readonly stage: "ENDED"; readonly outcome: CallOutcome; readonly durationSeconds: number };

/** An event that names its message by our id. */
export type MessageEvent =
  | (MessageEventOf<"receipt"> & DeliveryReport & { readonly providerMessageId: string })
  | (MessageEventOf<"call"> & { readonly report: CallReport; readonly providerMessageId: string })
  | (MessageEventOf<"opt-out"> & { readonly cause: "COMPLAINT" | "OPT_OUT" })
  | (MessageEventOf<"reply"> & { readonly text: string });

/** A receipt for one part of a message. `part` is the provider's id, as in the outcome `taken`. */
export type PartReceipt = EventOf<"part-receipt"> &
  DeliveryReport & {
    readonly part: string;
    /** The receipt has no known state. Its status is SENT, and `detail`, which says what it had, is shown with the message. */
    readonly hasUnknownState?: boolean;
    /** The provider gives one receipt for all parts of a message, which may name any of them. */
    readonly coversAllParts?: boolean;
  };

/** A text from a phone. `from` is in E.164 if it is a number. The text answers the last message sent to that phone. */
export type InboundText = EventOf<"inbound"> & {
  readonly from: string;
  readonly to: string;
  readonly text: string;
  /** Whether the provider itself answers keywords such as STOP, so that they are recorded without an answer. */
  readonly isAnswered?: boolean;
};

/** An answer that arrived after `submit` had rejected. It settles the doubt about the message. */
export type LateAnswer = MessageEventOf<"late-answer"> & {
  readonly answer: SubmitOutcome;
  /** Number of the submission that was answered, starting at 1. */
  readonly attempt: number;
};

/** Returns the event id of a late answer. */
export function nameLateAnswer(clientReference: string, attempt: number): string {
  return `late answer ${clientReference} ${attempt}`;
}

/** An event reported by a provider: perhaps late, twice, or out of order. */
export type ProviderEvent = MessageEvent | PartReceipt | InboundText | LateAnswer;

/** Resolves once the event is durably recorded; until then the provider must report it again. */
export type EventSink = (event: ProviderEvent) => Promise<void>;

/** A message that the provider accepted. */
export interface AcceptedSubmission {
  readonly clientReference: string;
  readonly providerMessageId: string;
  readonly channel: Channel;
}

/** Bounds of one submission. */
export interface SubmitCall {
  readonly signal: AbortSignal;
  /** Records that the message is about to leave. If this rejects, the message must not leave. */
  handOver(): Promise<void>;
}

export interface Provider extends EventsReceiver {
  /**
   * Timeout of a submission, in milliseconds. If `answerTimeoutMs` is set, this one ends at the hand-over. @default the
   * dispatcher's timeout
   */
  readonly callTimeoutMs?: number;
  /** Timeout of the answer after the hand-over, in milliseconds. @default the rest of `callTimeoutMs` */
  readonly answerTimeoutMs?: number;
  /** Engine whose speech the provider plays in calls. Omitted if it places no calls or cannot be used. */
  readonly speech?: SpeechEngine;
  /** How MARKETING calls begin. Omitted if they begin with their text. */
  readonly marketing?: MarketingCalls;
  /**
   * Submits a message. After a rejection it is unknown whether the provider accepted it; a later answer is reported as
   * an event. A provider without `find` must call `handOver` before the last byte of the message leaves.
   */
  submit(submission: Submission, call: SubmitCall): Promise<SubmitOutcome>;
  /**
   * Looks up the submission with this reference, and reports its events again. A rejection counts as `unknown`. Omitted
   * if the provider cannot look up messages; then a message that it may have accepted is never submitted again.
   */
  find?(clientReference: string, signal: AbortSignal): Promise<FindOutcome>;
  /**
   * Asks the provider what became of a message that it accepted, and reports that as an event. Resolves once the event is
   * recorded. Omitted if the provider cannot be asked, or repeats its events until they are recorded.
   */
  review?(message: AcceptedSubmission, signal: AbortSignal): Promise<void>;
  /**
   * Lists the references that the provider accepted last, newest first, at most `limit`. After a rejection, any
   * reference may have been accepted. Omitted if the provider cannot list them.
   */
  listNewest?(limit: number, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * Returns how many submissions the provider can accept now. Further messages wait in its queue. Omitted if there is
   * no limit.
   */
  capacity?(): number;
  /** Share of the capacity reserved for one-time passwords. Set it if a submission takes minutes. @default 0 */
  readonly reserved?: number;
  /**
   * Rejects within a minute if the provider is unreachable; the error has its explanation. @default the provider counts
   * as reachable while its capacity is above 0
   */
  probe?(): Promise<void>;
  /** Whether the provider has work that ends without waiting for the clock. A virtual clock stands still until then. */
  isBusy(): boolean;
  /**
   * Starts reporting events to `sink`. Calls `noteReach()` when the provider becomes reachable, `noteReach(reason)`
   * when it becomes unreachable, and `noteRoom` when its capacity grows.
   */
  start(sink: EventSink, noteReach?: (unreached?: string) => void, noteRoom?: () => void): void;
  /**
   * Stops reporting events, and waits until the events in progress are recorded. Puts off submissions that begin later.
   * Those in progress get their answers, if these come soon.
   */
  stop(): Promise<void>;
}

const LONGEST_ID = 200;

/** Returns the answer with its explanation and id sanitized for storage. */
export function cleanAnswer<Answer extends SubmitOutcome | FindOutcome>(answer: Answer): Answer {
  return { ...answer, ...cleanFields(answer) };
}

/** Returns the event with its texts sanitized for storage. Ids of parts are unchanged, because receipts must match them. */
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

const UNSTORABLE = /[\p{Surrogate}\0]/gu;

/** Returns whether the text can be stored as it is. */
export function isStorable(text: string): boolean {
  return text.search(UNSTORABLE) < 0;
}

/**
 * Makes a person's text storable, and keeps its lines. Databases reject lone surrogates and NUL, so the provider would
 * deliver a text with them again and again.
 */
function toStorable(text: string): string {
  return text.replaceAll(UNSTORABLE, "\ufffd");
}
