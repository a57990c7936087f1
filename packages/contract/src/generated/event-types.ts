// Generated from packages/contract/events.openapi.yaml by npm run generate. Do not edit.

import type { Schemas } from "@msgctl/contract";

export type paths = Record<string, never>;
export interface webhooks {
    "message.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * A message changed
         * @description Posted when an SMS or email becomes SENT, DELIVERED, UNDELIVERED, FAILED, EXPIRED, CANCELED or UNKNOWN. The reply to the send has said QUEUED. Events of one message are posted in order, but an event that is retried may arrive after later ones: keep the one with the highest `data.sequence`. Calls have events of their own. msgd's answers to STOP, START and HELP have none.
         */
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
        /**
         * A phone sent a text
         * @description Posted once for each text from a phone, keyword or free text, to the tenant whose message it answers. A text that answers no message is posted to the tenant that alone has the number, or else to the tenant whose own carrier received it.
         */
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
        /**
         * The operator tests the URL
         * @description Posted once by `msgd callbacks test`, and not retried. Reply 2xx, as to every event of a type that you do not handle.
         */
        post: operations["onCallbacksTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description Identifier of a message: `msg_` followed by a ULID. */
        MessageId: Schemas["MessageId"];
        /** @description Identifier that you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or `:`. */
        MerchantId: Schemas["MerchantId"];
        /**
         * @description A way to reach a recipient.
         * @enum {string}
         */
        Channel: Schemas["Channel"];
        /**
         * @description Purpose of a message; it determines which consent is required. OTP: a one-time passcode. TRANSACTIONAL: about something the recipient did. REMINDER: about a future event. MARKETING: anything promotional.
         * @enum {string}
         */
        MessageType: Schemas["MessageType"];
        /**
         * @description QUEUED: accepted, or deferred by a provider. SENDING: being submitted to a provider, or submitted and not answered yet. SENT: accepted by a provider. DELIVERED, UNDELIVERED: reported by the delivery receipt. FAILED: accepted by no provider; nothing is charged. EXPIRED: too late to be delivered. CANCELED: withdrawn. UNKNOWN: no final report within 72 hours; a late receipt may still change it.
         * @enum {string}
         */
        MessageStatus: Schemas["MessageStatus"];
        /**
         * @description Why a delivery was not a full success. SMS: UNREACHABLE (phone off or out of range), BLOCKED (by the recipient or the carrier), UNKNOWN_HANDSET (no such phone), LANDLINE, CARRIER_FILTERED (filtered as spam), CARRIER_UNKNOWN (the carrier gave no reason), UNREGISTERED_SENDER, TTL_EXPIRED (too late), OPTED_OUT. Voice: BUSY, NO_ANSWER, VOICEMAIL, HANGUP (during playback), FAX, INVALID_NUMBER, TTS_FAILED (no speech could be generated).
         * @enum {string}
         */
        DeliveryReason: Schemas["DeliveryReason"];
        /**
         * @description Effect of a reply. OPTED_OUT, OPTED_IN: the consent was changed. HELP_SENT: the help message was sent. RECEIVED: no other effect.
         * @enum {string}
         */
        ReplyOutcome: Schemas["ReplyOutcome"];
        /** @description A message changed. */
        MessageUpdatedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "message.updated";
            /**
             * Format: date-time
             * @description When the event occurred.
             */
            timestamp: string;
            /** @description The message after the change. */
            data: components["schemas"]["MessageUpdate"];
        };
        /** @description An SMS or email after a change of its state. */
        MessageUpdate: {
            /** @description Identifier of the message, as in the reply to the send. */
            messageId: components["schemas"]["MessageId"];
            /** @description The tenant that sent it, a decimal number. */
            tenantId: components["schemas"]["OwnTenantId"];
            /** @description The merchant that sent it. */
            merchantId: components["schemas"]["MerchantId"];
            /** @description SMS or EMAIL. */
            channel: components["schemas"]["Channel"] | (string & {});
            /** @description Purpose of the message. */
            type: components["schemas"]["MessageType"] | (string & {});
            /** @description The recipient: a number in E.164, or an email address. */
            to: string;
            /** @description State of the message. */
            status: components["schemas"]["MessageStatus"] | (string & {});
            /** @description Why the message was not delivered; null if it was or may still be. */
            deliveryReason: components["schemas"]["DeliveryReason"] | (string & {}) | null;
            /**
             * Format: int32
             * @description Rises with each change of the message. Ignore an event whose number is not higher than the last you have seen.
             */
            sequence: number;
            /**
             * Format: date-time
             * @description When the message was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When the message changed, the event's `timestamp`.
             */
            updatedAt: string;
        };
        /** @description A phone sent a text. */
        MessageReceivedEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "message.received";
            /**
             * Format: date-time
             * @description When the text was received.
             */
            timestamp: string;
            /** @description The text. */
            data: components["schemas"]["ReceivedText"];
        };
        /** @description A text that a phone sent to a number of the tenant. */
        ReceivedText: {
            /** @description The message that it answers: the last one sent to the phone from the number, which may be msgd's own answer to a keyword; null if there is none. */
            messageId: components["schemas"]["MessageId"] | null;
            /** @description The tenant that is told, a decimal number. */
            tenantId: components["schemas"]["OwnTenantId"];
            /** @description The merchant of that message, or else the one that has the number; null if neither is known. */
            merchantId: components["schemas"]["MerchantId"] | null;
            /** @description The phone that sent it, in E.164. */
            from: string;
            /** @description The number that it was sent to; null for replies of the simulated carrier, which has no numbers. */
            to: string | null;
            /** @description The text as it was received. */
            text: string;
            /** @description What msgd did about it. */
            action: components["schemas"]["ReplyOutcome"] | (string & {});
        };
        /** @description The operator tests the URL. */
        CallbacksTestEvent: {
            /**
             * @description Type of the event.
             * @constant
             */
            type: "callbacks.test";
            /**
             * Format: date-time
             * @description When the test was made.
             */
            timestamp: string;
            /** @description Whose URL is tested. */
            data: components["schemas"]["CallbacksTest"];
        };
        /** @description Whose URL is tested. */
        CallbacksTest: {
            /** @description The tenant, a decimal number. */
            tenantId: components["schemas"]["OwnTenantId"];
        };
        /** @description Identifier of a tenant, a decimal number. */
        OwnTenantId: string;
    };
    responses: never;
    parameters: {
        /**
         * @description Identifier of the event, the same on every attempt. Process each event only once.
         * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
         */
        WebhookId: string;
        /**
         * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
         * @example 1772463872
         */
        WebhookTimestamp: number | bigint;
        /**
         * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
         * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
         */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    onMessageUpdated: {
        parameters: {
            query?: never;
            header: {
                /**
                 * @description Identifier of the event, the same on every attempt. Process each event only once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
                 * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
                 */
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
            /** @description The event was accepted. Reply within 15 seconds, before any lengthy processing. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted. It is retried later, as after any other reply that is not 2xx. `Retry-After` delays the next attempt. 410 cancels all waiting events, and stops events to the URL until it is set again. */
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
                /**
                 * @description Identifier of the event, the same on every attempt. Process each event only once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
                 * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
                 */
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
            /** @description The event was accepted. Reply within 15 seconds, before any lengthy processing. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted. It is retried later, as after any other reply that is not 2xx. `Retry-After` delays the next attempt. 410 cancels all waiting events, and stops events to the URL until it is set again. */
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
                /**
                 * @description Identifier of the event, the same on every attempt. Process each event only once.
                 * @example evt_6f1c0b9a4d7e4a2f8c35d1e07b942a6c
                 */
                "webhook-id": components["parameters"]["WebhookId"];
                /**
                 * @description Time at which this attempt was signed, in seconds since 1970. Refuse the event if this time differs from yours by more than 5 minutes.
                 * @example 1772463872
                 */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /**
                 * @description `v1,` followed by the base64 HMAC-SHA256 of webhook-id, webhook-timestamp and the body, joined by dots. The HMAC key is the secret's bytes (Standard Webhooks). While the secret is being rotated, there are two signatures, separated by a space.
                 * @example v1,gPmAn1uTBTmDgg4pn5ffzOqYCb2HHwoBFzS4UcVEk9M=
                 */
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
            /** @description The event was accepted. Reply within 15 seconds, before any lengthy processing. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event was not accepted. It is retried later, as after any other reply that is not 2xx. `Retry-After` delays the next attempt. 410 cancels all waiting events, and stops events to the URL until it is set again. */
            "4XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
