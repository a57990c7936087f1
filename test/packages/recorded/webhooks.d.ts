// Recorded from the built package by npm run record:types. Do not edit.

import { a$ as webhooks, M as MessagingError, R as ReplyData } from "./shared.js";
export { aW as VoiceTtsBatchFinalizedEvent, p as VoiceTtsBatchSummaryView, aX as VoiceTtsCallFinalizedEvent, aY as VoiceTtsCallUpdatedEvent, o as VoiceTtsCallView } from "./shared.js";
type EventType = keyof webhooks;
type EventOf<K extends EventType> = webhooks[K]["post"] extends {
    requestBody: {
        content: {
            "application/json": infer Event;
        };
    };
} ? Event : never;
interface Identified {
    readonly id: string;
}
declare const undocumented: unique symbol;
type UndocumentedType = `${string & {
    readonly [undocumented]: true;
}}`;
interface UnknownEvent extends Identified {
    readonly type: UndocumentedType;
    readonly timestamp: string;
    readonly data: unknown;
}
type KnownEvent<K extends EventType = EventType> = K extends EventType ? Identified & EventOf<K> : never;
type WebhookEvent = KnownEvent | UnknownEvent;
type DataOf<T extends string> = T extends EventType ? EventOf<T> extends {
    data: infer Data;
} ? Data : never : unknown;
type WebhookHeaders = Pick<Headers, "get"> | Readonly<Record<string, string | readonly string[] | undefined>>;
type WebhookSecrets = string | readonly string[];
interface EventToSign<T extends string = EventType> {
    type: T;
    timestamp?: string | undefined;
    data: DataOf<T>;
}
interface SignOptions {
    id?: string | undefined;
    now?: number | undefined;
}
interface SignedWebhook {
    body: string;
    headers: Record<"content-type" | "webhook-id" | "webhook-timestamp" | "webhook-signature", string>;
}
declare function signWebhook<T extends string>(event: EventToSign<T>, secrets: WebhookSecrets, options?: SignOptions): Promise<SignedWebhook>;
type WebhookVerificationReason = "body_not_raw" | "missing_header" | "bad_timestamp" | "too_old" | "too_new" | "no_matching_signature" | "not_json" | "not_an_event";
declare class WebhookVerificationError extends MessagingError {
    static readonly msgctlKind: string;
    readonly reason: WebhookVerificationReason;
    constructor(reason: WebhookVerificationReason, message: string);
}
interface VerifyOptions<E extends boolean = false> {
    toleranceMs?: number | undefined;
    now?: number | undefined;
    exactIntegers?: E | undefined;
}
declare function verifyWebhook<E extends boolean = false>(rawBody: string | ArrayBuffer | ArrayBufferView, headers: WebhookHeaders, secrets: WebhookSecrets, options?: VerifyOptions<E>): Promise<ReplyData<WebhookEvent, E>>;
export { type DataOf, type EventToSign, type EventType, type SignOptions, type SignedWebhook, type UnknownEvent, type VerifyOptions, type WebhookEvent, type WebhookHeaders, type WebhookSecrets, WebhookVerificationError, type WebhookVerificationReason, signWebhook, verifyWebhook };
