// Generated from packages/dashboard/openapi.yaml by npm run generate. Do not edit.

import type { Schemas } from "@msgctl/contract";

export interface paths {
    "/dashboard/api/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the session
         * @description Who is signed in, for which tenant, and what the server is like.
         */
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search messages
         * @description The newest first, a page at a time. A part of the search that is not understood is refused with its place, under `/query/q`.
         */
        get: operations["searchMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages/{messageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a message
         * @description Everything that is known of a message or call, as it is now.
         */
        get: operations["getMessage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/messages/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow messages
         * @description Server-sent events of what is found from now on: `open` once, from when on nothing is missed; `messages` with a `MessageChanges`, four times a second at most; `session` when the session has ended. A comment every 15 seconds keeps the connection open. After a new connection, ask for the page again.
         */
        get: operations["followMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/requests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List requests
         * @description The last requests of the tenant's programs that this instance answered, the newest first: 1,000 at most, of an hour at most. No body and no credential is kept.
         */
        get: operations["listRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/test-recipients": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List test recipients
         * @description Numbers and addresses that have the simulated carrier do something in particular with an SMS or an email, and what becomes of it then.
         */
        get: operations["listTestRecipients"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /**
         * @description Stable name of a problem. One code always has the same status and title.
         * @enum {string}
         */
        ProblemCode: Schemas["ProblemCode"];
        /** @description One fault of a request. */
        FieldProblem: Schemas["FieldProblem"];
        /**
         * @description A way to reach a recipient.
         * @enum {string}
         */
        Channel: Schemas["Channel"];
        /** @description Why a request was refused (RFC 9457). */
        Problem: Schemas["Problem"];
        /** @description Identifier of a message: `msg_` and a ULID. */
        MessageId: Schemas["MessageId"];
        /**
         * @description QUEUED: accepted. SENDING: being handed to a provider. SENT: a provider has it. DELIVERED and UNDELIVERED: the delivery receipt. FAILED: no provider took it, nothing is charged. EXPIRED: it came too late. CANCELED: withdrawn. UNKNOWN: no final word within 72 hours; a late receipt may still decide.
         * @enum {string}
         */
        MessageStatus: Schemas["MessageStatus"];
        /**
         * @description What a user may do. A viewer reads; an agent also replies, sends callbacks again and records consent.
         * @enum {string}
         */
        Role: "viewer" | "agent" | "admin";
        /**
         * @description How a request ended.
         * @enum {string}
         */
        RequestOutcome: "failed";
        /**
         * @description Whether a tenant is one to try things with.
         * @enum {string}
         */
        TenantMode: "live" | "test";
        /** @description A tenant, as its users see it. */
        TenantView: {
            /** @description Its id. */
            tenantId: string;
            /** @description What it is called. */
            name: string;
            /** @description Where its days and months begin: an IANA name. */
            timezone: string;
            mode: components["schemas"]["TenantMode"];
        };
        /** @description The session, and the server that it is with. */
        SessionView: {
            /** @description The user's address; null in development. */
            email: string | null;
            role: components["schemas"]["Role"];
            /** @description The only merchant that is shown; null for all of the tenant's. */
            merchantId: string | null;
            tenant: components["schemas"]["TenantView"];
            /** @description Those that may be chosen, the first 100; in development all, else the user's own. */
            tenants: components["schemas"]["TenantView"][];
            /** @description Whether this is a server for trying things out, with `/control`. */
            isDevelopment: boolean;
            /** @description Whether the server keeps an index of its messages. */
            canSearch: boolean;
            /**
             * Format: date-time
             * @description The server's time, which is moved in development.
             */
            now: string;
        };
        /** @description A message or call in a list. */
        MessageRow: {
            /** @description Its id. */
            messageId: string;
            channel: components["schemas"]["Channel"];
            /** @description What it is for: `OTP`, `REMINDER`, `MARKETING` or `TRANSACTIONAL`. */
            type: string;
            status: components["schemas"]["MessageStatus"];
            /** @description Why it was not delivered; null for others. */
            reason: string | null;
            /** @description Whose it is. */
            merchantId: string;
            /** @description The recipient: a phone number or an email address. */
            to: string;
            /** @description Of an email; null for others. */
            subject: string | null;
            /** @description The first 200 characters of its text. */
            excerpt: string;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
        };
        /** @description A message or call. */
        MessageView: {
            /** @description Its id. */
            messageId: string;
            channel: components["schemas"]["Channel"];
            /** @description What it is for: `OTP`, `REMINDER`, `MARKETING` or `TRANSACTIONAL`. */
            type: string;
            purpose: components["schemas"]["MessagePurpose"];
            status: components["schemas"]["MessageStatus"];
            /** @description Why it was not delivered; null for others. */
            reason: string | null;
            /** @description Whose it is. */
            merchantId: string;
            /** @description The recipient: a phone number or an email address. */
            to: string;
            /** @description Of an email; null for others. */
            subject: string | null;
            /** @description Its whole text: of an SMS, of an email, or what a call speaks. */
            content: string;
            /**
             * Format: int64
             * @description Units of quota: segments, emails or minutes.
             */
            units: number;
            /**
             * Format: int64
             * @description How many of them are paid by credits.
             */
            creditUnits: number;
            /**
             * Format: int32
             * @description How often it was given to the carrier.
             */
            attempts: number;
            /** @description The carrier; null before it has one. */
            provider: string | null;
            /** @description The carrier's own id; null before it has one. */
            providerMessageId: string | null;
            /**
             * Format: int64
             * @description What the carrier takes, in millionths of a dollar; null before it is known.
             */
            providerCostMicros: number | null;
            /**
             * Format: int64
             * @description What is added to that, in millionths of a dollar; null before it is known.
             */
            markupMicros: number | null;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When its state changed last.
             */
            updatedAt: string;
        };
        /**
         * @description Whether it was sent by request, or confirms a reply such as STOP.
         * @enum {string}
         */
        MessagePurpose: "SEND" | "CONFIRMATION";
        /** @description A page of what was found, the newest first. */
        MessagePage: {
            /** @description The messages as they are now. */
            messages: components["schemas"]["MessageRow"][];
            /** @description The cursor of the next page; null after the last. */
            next: string | null;
            /**
             * Format: date-time
             * @description Up to when it was looked, where the time that a search has was up before; null where it was enough.
             */
            lookedBackTo: string | null;
            /**
             * Format: date-time
             * @description Until when messages are in the index; null before the first.
             */
            followedUntil: string | null;
            /** @description Whether all older messages are in the index. */
            isComplete: boolean;
        };
        /** @description What has become of the messages that are found. */
        MessageChanges: {
            /** @description New ones, and those that have changed, as they are now; five at most. */
            messages: components["schemas"]["MessageRow"][];
            /** @description Ids of those that were found before and no longer are. */
            gone: string[];
            /**
             * Format: int32
             * @description How many more there were.
             */
            more: number;
        };
        /** @description A request, and how it was answered. */
        RequestView: {
            /** @description `X-Request-Id` of the reply. */
            requestId: string;
            /**
             * Format: date-time
             * @description When it was answered.
             */
            at: string;
            /** @description The operation; null for a path of none. */
            operationId: string | null;
            /** @description The method. */
            method: string;
            /** @description The path, without what a query may reveal. */
            path: string;
            /**
             * Format: int32
             * @description The status of the reply.
             */
            status: number;
            /** @description The problem's code; null for a success. */
            code: string | null;
            /** @description What the problem says; null for a success. */
            detail: string | null;
            /** @description The places that were at fault, the first ten. */
            faults: components["schemas"]["RequestFault"][];
            /**
             * Format: double
             * @description How long it took.
             */
            milliseconds: number;
            /** @description The merchant of the credential; null for a tenant's. */
            merchantId: string | null;
        };
        /** @description A place that was at fault. */
        RequestFault: {
            /** @description Where. */
            pointer: string;
            /** @description What kind of fault. */
            code: string;
            /** @description What was received and what is allowed. */
            detail: string;
        };
        /** @description A recipient of the simulated carrier, and what becomes of a message to it. */
        TestRecipient: {
            /** @description The phone number or email address. */
            to: string;
            channel: components["schemas"]["Channel"];
            /** @description The status that the message ends with. */
            status: string;
            /** @description The reason that it ends with; null for none. */
            reason: string | null;
            /** @description What the recipient answers; null for nothing. */
            reply: string | null;
            /** @description Whether it takes half a minute. */
            isSlow: boolean;
        };
    };
    responses: {
        /** @description A path or query value is not valid, or a query parameter is unknown. */
        InvalidInput: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The credential is missing, wrong or revoked. */
        Unauthenticated: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "WWW-Authenticate": components["headers"]["WWW-Authenticate"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description A merchant's credential was used outside its merchant. */
        ScopeDenied: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service failed. The details are in its log, under the requestId. */
        InternalError: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The service cannot take requests just now. */
        Unavailable: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description Too many requests. Nothing was done. */
        RateLimited: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                "Retry-After": components["headers"]["Retry-After"];
                RateLimit: components["headers"]["RateLimit"];
                "RateLimit-Policy": components["headers"]["RateLimit-Policy"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such message. */
        MessageNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
    };
    parameters: {
        /**
         * @description What to look for, in the language of searches: `to:+1202 status:failed -type:otp after:7d "exact words"`. Empty: everything.
         * @example to:+1202 status:failed
         */
        Search: string;
    };
    requestBodies: never;
    headers: {
        /**
         * @description Identifier of this request, on every reply; quote it when you report a fault.
         * @example req_k3Zp0vQ8mT2x00000a7
         */
        "X-Request-Id": string;
        /**
         * @description How to authenticate.
         * @example ApiKey realm="msgd"
         */
        "WWW-Authenticate": string;
        /**
         * @description Seconds to wait before the next attempt.
         * @example 1
         */
        "Retry-After": number;
        /**
         * @description What is left under the limit: `r` requests for the next `t` seconds (IETF RateLimit draft).
         * @example "default";r=597;t=42
         */
        RateLimit: string;
        /**
         * @description The limit itself: `q` requests in any `w` seconds (IETF RateLimit draft).
         * @example "default";q=600;w=60
         */
        "RateLimit-Policy": string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchMessages: {
        parameters: {
            query?: {
                /**
                 * @description What to look for, in the language of searches: `to:+1202 status:failed -type:otp after:7d "exact words"`. Empty: everything.
                 * @example to:+1202 status:failed
                 */
                q?: components["parameters"]["Search"];
                /** @description `next` of the page before. */
                cursor?: string;
                /** @description How many messages to return at most, 1 to 200. Omitted: 50. */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of messages. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessagePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMessage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The message's id. */
                messageId: components["schemas"]["MessageId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MessageView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MessageNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    followMessages: {
        parameters: {
            query?: {
                /**
                 * @description What to look for, in the language of searches: `to:+1202 status:failed -type:otp after:7d "exact words"`. Empty: everything.
                 * @example to:+1202 status:failed
                 */
                q?: components["parameters"]["Search"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The stream; `data` of a `messages` event has this form. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": components["schemas"]["MessageChanges"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Only those that were refused, or failed: statuses of 400 and above. */
                outcome?: components["schemas"]["RequestOutcome"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RequestView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
        };
    };
    listTestRecipients: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipients. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TestRecipient"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
        };
    };
}
