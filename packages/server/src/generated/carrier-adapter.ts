// Generated from packages/server/carrier.openapi.yaml by npm run generate. Do not edit.

export interface paths {
    "/messages/{id}": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, `health`, or the id of the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the request was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path: {
                /** @description The id of the message. */
                id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        /**
         * Say what became of a message
         * @description msgd asks after a lost answer, and after its database was restored from a backup. An adapter that answers `taken`
         *     should then post the last event of the message again, which a restored database may lack. msgd records it once.
         */
        get: operations["getMessage"];
        /**
         * Take a message
         * @description Passes a message to the provider, at most once for each id. msgd puts a message again only after an answer that
         *     proves that the provider does not have it: then `attempt` has grown.
         */
        put: operations["putMessage"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/health": {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, `health`, or the id of the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the request was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        /**
         * Say whether messages can be taken
         * @description msgd asks while the carrier is down and there is a second one. It has to be cheap: at most, ask the provider for
         *     the state of the account.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    event: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report an event
         * @description The adapter posts each event of a message to the `eventsUrl` of that message. `part-receipt` and `inbound`, which
         *     name no message, may go to that of any message, or to the URL that `msgd carriers show` prints. `webhook-id` names
         *     the event: it is the same each time that the event is posted, and msgd records it once. Repeat an event until the
         *     answer is 204, for six hours at least, with pauses that grow; 400 and 403 do not change. The order does not matter:
         *     msgd ignores an event that a later one has overtaken.
         */
        post: operations["postEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /** @description A message, by its channel. */
        Message: components["schemas"]["Text"] | components["schemas"]["Email"] | components["schemas"]["Call"];
        /** @description The fields of every message. */
        MessageFields: {
            /** @description 1 for the first PUT of the message, and one more for each that follows. */
            attempt: number;
            /** @description The tenant that sends the message. */
            tenantId: string;
            /** @description The tenant's merchant on whose behalf it is sent. */
            merchantId: string;
            /**
             * @description What the message is for. OTP: a one-time password.
             * @enum {string}
             */
            type: "OTP" | "TRANSACTIONAL" | "REMINDER" | "MARKETING";
            /** @description The recipient: a phone number in E.164, or an email address. */
            to: string;
            /** @description The text, the mail's text or HTML, or the words that a call speaks. */
            content: string;
            /** @description Whether msgd wrote it, to confirm STOP, START or HELP. */
            automatic: boolean;
            /**
             * Format: date-time
             * @description When the message is too late. Give it to the provider as the end of its validity.
             */
            giveUpAt: string;
            /**
             * Format: uri
             * @description The URL to which the events of this message are posted, with a token that names it. Store it with the id.
             */
            eventsUrl: string;
        };
        /** @description A text. */
        Text: components["schemas"]["MessageFields"] & {
            /**
             * @description The channel.
             * @constant
             */
            channel: "SMS";
            /** @description A number in E.164, a short code or a name. Absent: the adapter chooses, and reports each reply with the id of the message. */
            sender?: string;
        };
        /** @description A mail. */
        Email: components["schemas"]["MessageFields"] & {
            /**
             * @description The channel.
             * @constant
             */
            channel: "EMAIL";
            /** @description The subject. */
            subject: string;
            /** @description Whether the content is HTML. */
            html: boolean;
            /**
             * Format: uri
             * @description Only for MARKETING: the value of `List-Unsubscribe`, one-click by RFC 8058.
             */
            unsubscribeUrl?: string;
        };
        /** @description A call. The provider speaks the content when somebody answers, and hangs up. */
        Call: components["schemas"]["MessageFields"] & {
            /**
             * @description The channel.
             * @constant
             */
            channel: "VOICE";
            /** @description The voice profile of the request; `default` by default. */
            voice: string;
            /** @description The language tag of the request, such as en-US. */
            language: string;
            /** @description How long the call may ring. */
            ringSeconds: number;
            /** @description Whether to record the call. */
            record: boolean;
            /** @description The same for equal content, language and voice, so that audio can be kept. Absent for a test call. */
            speech?: string;
            /**
             * @description The key that the content announces, of a MARKETING call. When it is pressed, end the call at once, and post
             *     `opt-out`, then `call-end` with the result HEARD. Absent: no key has an effect.
             */
            optOutKey?: string;
        };
        /** @description The provider's answer to a message. */
        Outcome: components["schemas"]["Taken"] | components["schemas"]["Refused"] | components["schemas"]["Failed"];
        /** @description The provider has the message. */
        Taken: {
            /**
             * @description The outcome.
             * @constant
             */
            outcome: "taken";
            providerMessageId: components["schemas"]["ProviderMessageId"];
            /** @description The provider's ids of the parts of a text, if its receipts name those: see `part-receipt`. */
            parts?: components["schemas"]["PartId"][];
        };
        /** @description The provider rejected the message or its recipient. The message ends FAILED, with the reason. */
        Refused: {
            /**
             * @description The outcome.
             * @constant
             */
            outcome: "refused";
            reason: components["schemas"]["Reason"];
            /** @description Whether the recipient has opted out at the provider. msgd then records an opt-out. */
            optOut?: boolean;
            detail?: components["schemas"]["Detail"];
        };
        /** @description The provider does not have the message because of its own fault, or of the account's. The message ends FAILED. */
        Failed: {
            /**
             * @description The outcome.
             * @constant
             */
            outcome: "failed";
            detail: components["schemas"]["Detail"];
        };
        /** @description The provider does not have the message, and may take it later. */
        Deferral: {
            /**
             * @description The outcome.
             * @constant
             */
            outcome: "deferred";
            detail: components["schemas"]["Detail"];
        };
        /** @description What the adapter knows of a message. */
        Finding: components["schemas"]["Taken"] | components["schemas"]["Absent"] | components["schemas"]["Unknown"];
        /**
         * @description The provider does not have the message, and no PUT so far will give it to the provider: the adapter has stored
         *     that, and passes on only a later `attempt`. msgd sends the message again, perhaps over another carrier. An adapter
         *     without a record of the message answers `unknown`.
         */
        Absent: {
            /**
             * @description The outcome.
             * @constant
             */
            outcome: "absent";
        };
        /** @description The adapter does not know. msgd asks again, less and less often. After 72 hours, the message ends UNKNOWN. */
        Unknown: {
            /**
             * @description The outcome.
             * @constant
             */
            outcome: "unknown";
        };
        /** @description Something that the adapter reports, by its type. */
        Event: components["schemas"]["Receipt"] | components["schemas"]["PartReceipt"] | components["schemas"]["CallProgress"] | components["schemas"]["CallEnd"] | components["schemas"]["Complaint"] | components["schemas"]["OptOut"] | components["schemas"]["Reply"] | components["schemas"]["Inbound"] | components["schemas"]["LateOutcome"];
        /** @description What became of a text or mail. */
        Receipt: {
            /**
             * @description The type.
             * @constant
             */
            type: "receipt";
            messageId: components["schemas"]["Id"];
            providerMessageId: components["schemas"]["ProviderMessageId"];
            status: components["schemas"]["Status"];
            reason?: components["schemas"]["Reason"];
            detail?: components["schemas"]["Detail"];
        };
        /** @description What became of a part of a text. The text is DELIVERED when all its parts are. */
        PartReceipt: {
            /**
             * @description The type.
             * @constant
             */
            type: "part-receipt";
            part: components["schemas"]["PartId"];
            status: components["schemas"]["Status"];
            reason?: components["schemas"]["Reason"];
            detail?: components["schemas"]["Detail"];
        };
        /** @description A call rings, was answered, or speaks. */
        CallProgress: {
            /**
             * @description The type.
             * @constant
             */
            type: "call-progress";
            messageId: components["schemas"]["Id"];
            providerMessageId: components["schemas"]["ProviderMessageId"];
            /**
             * @description The stage.
             * @enum {string}
             */
            stage: "RINGING" | "ANSWERED" | "PLAYING";
        };
        /** @description How a call ended. */
        CallEnd: {
            /**
             * @description The type.
             * @constant
             */
            type: "call-end";
            messageId: components["schemas"]["Id"];
            providerMessageId: components["schemas"]["ProviderMessageId"];
            /**
             * @description Answered: HEARD (to its end), VOICEMAIL, HANGUP (before its end), PLAYBACK_FAILED, FAX. Any other: not answered.
             * @enum {string}
             */
            result: "HEARD" | "VOICEMAIL" | "HANGUP" | "PLAYBACK_FAILED" | "FAX" | "BUSY" | "NO_ANSWER" | "UNREACHABLE" | "BLOCKED" | "UNKNOWN_HANDSET" | "CARRIER_FILTERED" | "CARRIER_UNKNOWN" | "UNREGISTERED_SENDER" | "INVALID_NUMBER";
            /** @description The time since the answer, by which the call is charged; 0 if nobody answered. */
            durationSeconds: number;
        };
        /** @description The recipient reported the message as spam, or unsubscribed at the provider. msgd records an opt-out. */
        Complaint: {
            /**
             * @description The type.
             * @constant
             */
            type: "complaint";
            messageId: components["schemas"]["Id"];
        };
        /** @description The recipient of a call pressed its `optOutKey`. msgd records an opt-out. */
        OptOut: {
            /**
             * @description The type.
             * @constant
             */
            type: "opt-out";
            messageId: components["schemas"]["Id"];
        };
        /** @description The recipient's answer to a text that had no `sender`. msgd obeys STOP, START and HELP, and answers them. */
        Reply: {
            /**
             * @description The type.
             * @constant
             */
            type: "reply";
            messageId: components["schemas"]["Id"];
            text: components["schemas"]["InboundText"];
        };
        /** @description A text from a phone to the sender of texts. msgd obeys STOP, START and HELP, and answers them. */
        Inbound: {
            /**
             * @description The type.
             * @constant
             */
            type: "inbound";
            /** @description The phone, in E.164. */
            from: string;
            /** @description The number that the text was sent to, as in `sender`. */
            to: string;
            text: components["schemas"]["InboundText"];
            /** @description Whether the provider itself answers STOP, START and HELP, so that msgd does not. */
            answered?: boolean;
        };
        /** @description The provider's answer to a PUT that the adapter could not answer in time. */
        LateOutcome: {
            /**
             * @description The type.
             * @constant
             */
            type: "late-outcome";
            messageId: components["schemas"]["Id"];
            /** @description The `attempt` of that PUT. */
            attempt: number;
            outcome: components["schemas"]["Outcome"];
        };
        /** @description The id of a message. */
        Id: string;
        /** @description The provider's id of the message. */
        ProviderMessageId: string;
        /** @description The provider's id of a part of a text. */
        PartId: string;
        /** @description The provider's explanation. msgd shows 500 characters of it with the message. */
        Detail: string;
        /** @description The text that was received. */
        InboundText: string;
        /**
         * @description SENT: the provider has it. DELIVERED, UNDELIVERED and EXPIRED (too late) are final.
         * @enum {string}
         */
        Status: "SENT" | "DELIVERED" | "UNDELIVERED" | "EXPIRED";
        /**
         * @description Why a message did not arrive, as `deliveryReason` of msgd's contract has it. CARRIER_UNKNOWN if the provider gave no reason.
         * @enum {string}
         */
        Reason: "UNREACHABLE" | "BLOCKED" | "UNKNOWN_HANDSET" | "LANDLINE" | "CARRIER_FILTERED" | "CARRIER_UNKNOWN" | "UNREGISTERED_SENDER" | "TTL_EXPIRED" | "OPTED_OUT" | "BUSY" | "NO_ANSWER" | "VOICEMAIL" | "HANGUP" | "FAX" | "INVALID_NUMBER" | "TTS_FAILED";
    };
    responses: {
        /**
         * @description The signature is not valid. Like 403, 404 and 405, this proves that nothing was taken: all messages wait, and
         *     `msgd carriers list` shows the status.
         */
        NotSigned: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The adapter does not know. Like any status that is not listed, this proves nothing. */
        Doubt: {
            headers: {
                [name: string]: unknown;
            };
            content?: never;
        };
    };
    parameters: {
        /** @description The id of the message. */
        MessageId: string;
        /** @description The id of the message, `health`, or the id of the event. */
        WebhookId: string;
        /** @description When the request was signed, in seconds since 1970. */
        WebhookTimestamp: string;
    };
    requestBodies: never;
    headers: {
        /** @description Seconds until the next attempt. msgd waits for one second at least, and five minutes at most. */
        RetryAfter: number;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, `health`, or the id of the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the request was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path: {
                /** @description The id of the message. */
                id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the adapter knows. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Finding"];
                };
            };
            401: components["responses"]["NotSigned"];
            500: components["responses"]["Doubt"];
        };
    };
    putMessage: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, `health`, or the id of the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the request was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path: {
                /** @description The id of the message. */
                id: components["parameters"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Message"];
            };
        };
        responses: {
            /** @description The provider's answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Outcome"];
                };
            };
            401: components["responses"]["NotSigned"];
            /**
             * @description The provider takes no more messages for the moment, and does not have this one. msgd puts it again after
             *     `Retry-After`, or after a second with pauses that double, up to five minutes. Other messages are sent.
             */
            429: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deferral"];
                };
            };
            500: components["responses"]["Doubt"];
            /**
             * @description The provider cannot be reached, and does not have the message. All messages of the carrier wait, or go to the
             *     second carrier, while msgd tries one at a time. Without a `Deferral`, 503 may be a proxy's and proves nothing.
             */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deferral"];
                };
            };
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, `health`, or the id of the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the request was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The adapter can take messages. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["NotSigned"];
            /** @description The provider cannot be reached. */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    postEvent: {
        parameters: {
            query?: never;
            header: {
                /** @description The id of the message, `health`, or the id of the event. */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the request was signed, in seconds since 1970. */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Event"];
            };
        };
        responses: {
            /** @description The event is recorded, now or before. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event is not one of this document. */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The signature is not valid, its time is more than five minutes away, or the URL is that of another message. */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description No carrier has this URL, because it was removed. */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The event could not be recorded. Repeat it. */
            503: {
                headers: {
                    "Retry-After": components["headers"]["RetryAfter"];
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}

export type Schemas = components["schemas"];
