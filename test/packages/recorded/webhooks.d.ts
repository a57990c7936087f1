// Recorded from the built package by npm run record:types. Do not edit.

import { a$ as components$1, b0 as webhooks$1, M as MessagingError, R as ReplyData } from "./shared.js";
export { aW as VoiceTtsBatchFinalizedEvent, p as VoiceTtsBatchSummaryView, aX as VoiceTtsCallFinalizedEvent, aY as VoiceTtsCallUpdatedEvent, o as VoiceTtsCallView } from "./shared.js";
type Schemas = components$1["schemas"];
interface webhooks {
    "message.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMessageUpdated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "message.received": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onMessageReceived"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "callbacks.test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["onCallbacksTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
interface components {
    schemas: {
        MessageId: Schemas["MessageId"];
        MerchantId: Schemas["MerchantId"];
        Channel: Schemas["Channel"];
        MessageType: Schemas["MessageType"];
        MessageStatus: Schemas["MessageStatus"];
        DeliveryReason: Schemas["DeliveryReason"];
        ReplyOutcome: Schemas["ReplyOutcome"];
        MessageUpdatedEvent: {
            type: "message.updated";
            timestamp: string;
            data: components["schemas"]["MessageUpdate"];
        };
        MessageUpdate: {
            messageId: components["schemas"]["MessageId"];
            tenantId: components["schemas"]["OwnTenantId"];
            merchantId: components["schemas"]["MerchantId"];
            channel: components["schemas"]["Channel"] | (string & {});
            type: components["schemas"]["MessageType"] | (string & {});
            to: string;
            status: components["schemas"]["MessageStatus"] | (string & {});
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            sequence: number;
            createdAt: string;
            updatedAt: string;
        };
        MessageReceivedEvent: {
            type: "message.received";
            timestamp: string;
            data: components["schemas"]["ReceivedText"];
        };
        ReceivedText: {
            messageId: components["schemas"]["MessageId"] | null;
            tenantId: components["schemas"]["OwnTenantId"];
            merchantId: components["schemas"]["MerchantId"] | null;
            from: string;
            to: string | null;
            text: string;
            action: components["schemas"]["ReplyOutcome"] | (string & {});
        };
        CallbacksTestEvent: {
            type: "callbacks.test";
            timestamp: string;
            data: components["schemas"]["CallbacksTest"];
        };
        CallbacksTest: {
            tenantId: components["schemas"]["OwnTenantId"];
        };
        OwnTenantId: string;
    };
    responses: never;
    parameters: {
        WebhookId: string;
        WebhookTimestamp: number | bigint;
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
interface operations {
    onMessageUpdated: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageUpdatedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onMessageReceived: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["MessageReceivedEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    onCallbacksTest: {
        parameters: {
            query?: never;
            header: {
                "webhook-id": components["parameters"]["WebhookId"];
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CallbacksTestEvent"];
            };
        };
        responses: {
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
type Webhooks = webhooks$1 & webhooks;
type EventType = keyof Webhooks;
type EventOf<K extends EventType> = Webhooks[K]["post"] extends {
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
type MessageUpdatedEvent = EventOf<"message.updated">;
type MessageReceivedEvent = EventOf<"message.received">;
type CallbacksTestEvent = EventOf<"callbacks.test">;
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
export { type CallbacksTestEvent, type DataOf, type EventToSign, type EventType, type MessageReceivedEvent, type MessageUpdatedEvent, type SignOptions, type SignedWebhook, type UnknownEvent, type VerifyOptions, type WebhookEvent, type WebhookHeaders, type WebhookSecrets, WebhookVerificationError, type WebhookVerificationReason, signWebhook, verifyWebhook };
