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
        /**
         * Sign in
         * @description Begins a session, and sets the cookie by which it is refreshed. The refusal is the same for an address that is nobody's, a password that is wrong and a user who was disabled. After too many failures for an account or from an address it is refused for a quarter of an hour; in a browser in which the user has signed in before, after its own.
         */
        post: operations["signIn"];
        /**
         * Sign out
         * @description Ends the session of the cookie, and removes the cookie. Without one there is nothing to end.
         */
        delete: operations["signOut"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/session/refresh": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Refresh the session
         * @description Gives another token for the cookie's session, and sets the cookie that follows it. For 30 s the one before gets the same one, as where a reply was lost; one that comes later was stolen from somebody, and ends the session.
         */
        post: operations["refreshSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/permissions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what may be called
         * @description Each operation of the contract with the role that it takes, and whether the session has it.
         */
        get: operations["listPermissions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set a password
         * @description By the link of `msgd users create` or `msgd users reset`, once. All sessions of the user end; sign in with the new password.
         */
        post: operations["setPassword"];
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
    "/dashboard/api/messages/{messageId}/frame": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show where a mail is framed
         * @description The address of an email's document, for a sandboxed frame: good for a minute, without a credential. Nothing in it runs, and nothing of other hosts is loaded but the pictures that are asked for.
         */
        get: operations["getMailFrame"];
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
    "/dashboard/api/id-lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Look up an id
         * @description What has the text as its id, and what was asked for with it as its Idempotency-Key, which is kept for a week or as long as the server is told; of a tenant whose merchants have credentials of their own among the keys of the first 1,000 that used one. Messages by their ids, and by recipients, are found by `searchMessages`. It shows ids alone.
         */
        get: operations["lookUpId"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/activity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count what became of messages
         * @description How many messages and calls of each hour were delivered, have failed or are under way. Hours without any are left out.
         */
        get: operations["getActivity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/costs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show what this month cost so far
         * @description Of the tenant, or of the merchant of who sees one alone. A merchant's messages are counted at today's prices, a tenant's at those of their day. Calls that are not over are counted with their estimate.
         */
        get: operations["getMonthCosts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a recipient
         * @description What somebody has decided, for each merchant and channel, and how it came about. The messages to them are found by `searchMessages`. Of somebody of whom nothing is known it shows nothing.
         */
        get: operations["getRecipient"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}/messages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List messages to a recipient whole
         * @description What was written to them, the newest first, 5 at a time, for whoever asks what is kept of them. A page may have fewer: the last one has no `next`. While older messages are not in the index yet, `isComplete` is false, and they are missing.
         */
        get: operations["listRecipientMessages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/recipients/{contact}/erasures": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Erase a recipient
         * @description Takes who they are and what was written to them out of all that is kept; what has not ended is erased when it has. What was sent when and what it cost stays, and what they opted out of, by a keyed digest: sends to them are refused as before. It cannot be undone.
         */
        post: operations["eraseRecipient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description The labels under which a server in development accepted messages and calls of the tenant (`X-Project`), the one that was used last first: 50 at most.
         */
        get: operations["listProjects"];
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
    "/dashboard/api/callbacks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List callbacks
         * @description The tenant's callbacks, posted or to be posted, the newest first, a page of 100 at a time. Those that are over are kept for 7 days. For one merchant the last 1,000 are looked through each time: a page may have few or none, and a `next`.
         */
        get: operations["listCallbacks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/callbacks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a callback
         * @description A callback with its body as it is posted, and whether it can be sent again.
         */
        get: operations["getCallback"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/callbacks/{webhookId}/resends": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a callback again
         * @description Queues one that is over as if it were new, with the same `webhook-id`: it is posted once those of its call before it are, and its receiver does not rest, and tried as often. Refused while it is pending, where its receiver has answered 410, and where whom it tells of was erased.
         */
        post: operations["resendCallback"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show the health
         * @description Whether the server is ready, and what of the tenant's is under way. Counts end at 10,000. For admins of the whole tenant. A server in development also tells of all tenants together.
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
    "/dashboard/api/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit
         * @description What users of the tenant asked for that shows recipients or secrets, or changes something; the last ones first, a page of 100 at a time. For admins of the whole tenant. A server in development has no users, and lists nothing.
         */
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List users
         * @description Who may sign in for the tenant, or for the merchant of an admin who sees one alone; by address, those who are disabled last, 1,000 at most. A server in development has no users.
         */
        get: operations["listUsers"];
        put?: never;
        /**
         * Create a user
         * @description Answers the link by which they set a password, this once. An address that is anybody's in the installation cannot be used again: the refusal is the same, whoever's it is.
         */
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/{userId}/reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reset a user
         * @description Ends their password and sessions, and answers a new link, this once; it enables one who is disabled. Not for oneself: the session that is shown the link would end.
         */
        post: operations["resetUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/{userId}/disable": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Disable a user
         * @description Ends their sessions and their link within a second, and lets them in no more until they are reset. Not for oneself.
         */
        post: operations["disableUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/users/{userId}/role": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Give a user a role
         * @description Their sessions have it within a second. Not for oneself.
         */
        post: operations["setUserRole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List keys
         * @description The keys of the tenant, or of the merchant of an admin who sees one alone; the newest first, those that are revoked last, 1,000 at most. Nothing of a secret is in it.
         */
        get: operations["listKeys"];
        put?: never;
        /**
         * Create a key
         * @description Of the tenant or of one of its merchants, live or test as the tenant is. Answers the secret, this once.
         */
        post: operations["createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{apiKey}/rotate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Rotate a key
         * @description Gives it a new secret, answered this once. The one before works until the overlap ends, any older one ends now.
         */
        post: operations["rotateKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/dashboard/api/keys/{apiKey}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a key
         * @description Ends it with all its secrets, for good, within a second on every instance.
         */
        post: operations["revokeKey"];
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
        /** @description Identifier you choose for a merchant, unique within the tenant: 1 to 64 letters, digits, `.`, `_`, `-` or `:`. */
        MerchantId: Schemas["MerchantId"];
        /**
         * @description QUEUED: accepted, or put off by a provider. SENDING: being handed to a provider, or handed over and unanswered. SENT: a provider has it. DELIVERED and UNDELIVERED: the delivery receipt. FAILED: no provider took it, nothing is charged. EXPIRED: it came too late. CANCELED: withdrawn. UNKNOWN: no final word within 72 hours; a late receipt may still decide.
         * @enum {string}
         */
        MessageStatus: Schemas["MessageStatus"];
        /**
         * @description Whether the recipient agreed or refused.
         * @enum {string}
         */
        ConsentStatus: Schemas["ConsentStatus"];
        /**
         * Format: email
         * @description One plain email address of at most 254 characters. Upper and lower case are the same; a `+tag` is kept.
         */
        EmailAddress: Schemas["EmailAddress"];
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
        /** @description Who signs in. */
        SignIn: {
            /** @description The user's address. */
            email: string;
            /** @description The user's password. */
            password: string;
        };
        /** @description What a session's requests are made with. */
        SessionToken: {
            /** @description A JWT, to be sent as `Authorization: Bearer`. */
            token: string;
            /**
             * Format: date-time
             * @description Until when it is good; refresh the session before.
             */
            expiresAt: string;
        };
        /** @description A password, and the link that sets it. */
        NewPassword: {
            /** @description What follows `#` in the link. */
            link: string;
            /** @description 12 to 128 characters, of any kind. */
            password: string;
        };
        /** @description Whose password was set. */
        PasswordOwner: {
            /** @description The user's address. */
            email: string;
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
        /** @description What calling an operation of the contract takes. */
        PermissionView: {
            /** @description As the contract names it. */
            operationId: string;
            role: components["schemas"]["Role"];
            /** @description Whether the session has that role. */
            isAllowed: boolean;
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
            /** @description The label that it was accepted under; null without one. */
            project: string | null;
        };
        /** @description A message or call with all of its text. */
        WholeMessage: {
            /** @description Its id. */
            messageId: string;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
            /** @description Whose it is. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            /** @description What it is for: `OTP`, `REMINDER`, `MARKETING` or `TRANSACTIONAL`. */
            type: string;
            status: components["schemas"]["MessageStatus"];
            /** @description Why it was not delivered; null for others. */
            reason: string | null;
            /** @description The recipient: a phone number or an email address. */
            to: string;
            /** @description The label that it was accepted under; null without one. */
            project: string | null;
            /** @description Of an email; null for others. */
            subject: string | null;
            /** @description Its text, or an email's document. */
            content: string;
        };
        /** @description Messages to one recipient. */
        WholeMessagePage: {
            /** @description The messages as they are now. */
            messages: components["schemas"]["WholeMessage"][];
            /** @description The cursor of the next page; null after the last. */
            next: string | null;
            /** @description Whether all older messages are in the index. */
            isComplete: boolean;
        };
        /** @description A label of messages. */
        ProjectView: {
            /** @description The label. */
            project: string;
        };
        /**
         * @description Which pictures of a mail are shown beside those that are in it.
         * @default none
         * @enum {string}
         */
        MailPictures: "none" | "all";
        /** @description Where an email's document is. */
        MailFrame: {
            /** @description Its address on this server, good until `expiresAt`. */
            path: string;
            /**
             * Format: date-time
             * @description Until when it can be opened.
             */
            expiresAt: string;
        };
        /**
         * @description Whether a message's units are only held, taken for good, or given back.
         * @enum {string}
         */
        ChargeState: "RESERVED" | "SETTLED" | "RELEASED";
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
            /** @description The recipient: a phone number or an email address; `erased` after an erasure. */
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
            charge: components["schemas"]["ChargeState"];
            /** @description The first day of the month whose quota it takes; empty for a call that was not dialled. */
            period: string;
            /**
             * Format: date-time
             * @description When it was accepted.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When a carrier took it; null before.
             */
            takenAt: string | null;
            /**
             * Format: date-time
             * @description When its state changed last.
             */
            updatedAt: string;
            /** @description What the recipient had decided when it was accepted; null where nothing is known. */
            consent: components["schemas"]["ConsentChange"] | null;
            /** @description The label that it was accepted under; null without one. */
            project: string | null;
            /** @description What a carrier last said of it that did not take it at once, or did not deliver it; null if nothing. */
            carrierWords: string | null;
            /**
             * Format: date-time
             * @description When it said so; null if it did not.
             */
            carrierSaidAt: string | null;
            /** @description The carrier that it waits for, where that cannot be reached; null otherwise. */
            carrierDown: components["schemas"]["DownCarrier"] | null;
        };
        /** @description A carrier that cannot be reached. */
        DownCarrier: {
            /** @description Its name, as `msgd carriers list` has it. */
            name: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /** @description What a server was told when it tried last. */
            words: string;
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
            /** @description The numbers of the search that were not written as messages have them. */
            readAs: components["schemas"]["ReadNumber"][];
            /** @description The cursor of the next page; null after the last. */
            next: string | null;
            /**
             * Format: date-time
             * @description Up to when it was looked, where the time that a search has was up before; null where it was enough.
             */
            lookedBackTo: string | null;
            /** @description Whether all older messages are in the index. */
            isComplete: boolean;
        };
        /** @description A number of a search, in the notation of whoever wrote it. */
        ReadNumber: {
            /** @description The part of the search, such as `(202) 555-0150`. */
            written: string;
            /** @description What it was read as, such as `+12025550150`. */
            number: string;
        };
        /**
         * @description What an id is of.
         * @enum {string}
         */
        IdLookupKind: "message" | "batch" | "call" | "callback" | "merchant" | "request";
        /** @description What a text names. */
        IdLookupMatch: {
            /** @description What it is; null for what was asked for with the key, where nothing of it has an id. */
            kind: components["schemas"]["IdLookupKind"] | null;
            /** @description Its id; null where it has none. */
            id: string | null;
            /** @description The operation that the text is the Idempotency-Key of; null where it is the id itself. */
            keyOf: string | null;
            /** @description Whether it is still kept: false for a request id that is not among the last requests. */
            isKept: boolean;
        };
        /** @description What has become of the messages that are found. */
        MessageChanges: {
            /** @description New ones, and those that have changed, as they are now; five at most. */
            messages: components["schemas"]["MessageRow"][];
            /** @description Ids of those that were found before and no longer are. */
            gone: string[];
            /**
             * Format: int32
             * @description How many more are found that were not.
             */
            more: number;
            /**
             * Format: int32
             * @description How many more have changed that are found as before.
             */
            changed: number;
        };
        /** @description What a month cost so far. */
        MonthCosts: {
            /**
             * Format: date
             * @description Its first day.
             */
            from: string;
            /**
             * Format: date
             * @description Today, in the tenant's time zone.
             */
            to: string;
            /**
             * Format: int64
             * @description Segments that were charged.
             */
            smsSegments: number;
            /**
             * Format: int64
             * @description What they cost, in millionths of a dollar.
             */
            smsMicros: number;
            /**
             * Format: int64
             * @description Emails that were charged.
             */
            emails: number;
            /**
             * Format: int64
             * @description What they cost, in millionths of a dollar.
             */
            emailMicros: number;
            /**
             * Format: int64
             * @description Calls that were accepted, over or not.
             */
            calls: number;
            /**
             * Format: int64
             * @description What they and their speech cost, in millionths of a dollar.
             */
            callMicros: number;
            /**
             * Format: int64
             * @description The part of it that is an estimate yet.
             */
            callEstimateMicros: number;
            /** @description Whether there are more calls, whose costs are left out: only the newest 10,000 batches are counted. */
            hasMoreCalls: boolean;
        };
        /** @description What became of messages, by the hour in which they were accepted. */
        ActivityView: {
            /** @description Hours with messages, the first one first. */
            hours: components["schemas"]["ActivityHour"][];
            /**
             * Format: date-time
             * @description Until when messages are counted.
             */
            countedUntil: string;
            /** @description Whether all older messages are counted. */
            isComplete: boolean;
        };
        /** @description An hour's messages and calls. */
        ActivityHour: {
            /**
             * Format: date-time
             * @description When the hour begins.
             */
            at: string;
            /** @description Those that were delivered. */
            delivered: number;
            /** @description Those that were not. */
            failed: number;
            /** @description Those of which nobody can tell. */
            unknown: number;
            /** @description Those that have not ended. */
            underWay: number;
        };
        /** @description What somebody has decided, and how it came about. */
        RecipientView: {
            /** @description The number or address, as messages have it. */
            contact: string;
            /** @description What holds now, by merchant and channel. */
            consents: components["schemas"]["HeldConsent"][];
            /** @description How it came about, the last change first; 1,000 at most. */
            changes: components["schemas"]["ConsentChange"][];
            /** @description Whether there were more changes, longer ago. */
            hasMore: boolean;
            /** @description The STOPs that they texted to numbers of the asker, the last one first. Each blocks what texts from that number, however old, until they text START to it. */
            stops: components["schemas"]["StopView"][];
            /** @description What they had opted out of when they were erased, by merchant and channel. */
            keptOptOuts: components["schemas"]["KeptOptOut"][];
            /** @description When they were erased, the last time first. */
            erasures: components["schemas"]["ErasureView"][];
        };
        /** @description A STOP that somebody texted to a number. */
        StopView: {
            /** @description The number that it was said to. */
            number: string;
            /** @description The word: STOP, or one like it. */
            word: string;
            /**
             * Format: date-time
             * @description When it came.
             */
            saidAt: string;
            /** @description The OPT_INs that merchants recorded after it, each of which lifts it for its merchant and channel alone. */
            overrides: components["schemas"]["HeldConsent"][];
        };
        /** @description What somebody had opted out of when they were erased. It holds until they decide anew. */
        KeptOptOut: {
            /** @description The merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            /**
             * Format: date-time
             * @description When that was recorded.
             */
            optedOutAt: string;
        };
        /** @description An erasure of somebody. */
        ErasureView: {
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            askedAt: string;
            /**
             * Format: date-time
             * @description When the last of their messages was erased; null before.
             */
            endedAt: string | null;
            /** @description The only merchant whose messages were erased; null for all. */
            merchantId: string | null;
            /** @description Messages and calls erased so far. */
            erased: number;
        };
        /** @description What somebody decided last, for a merchant and a channel. */
        HeldConsent: {
            /** @description The merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            status: components["schemas"]["ConsentStatus"];
            /** @description Where it was captured; `SMS_REPLY:<WORD>` for a reply; null where it was not said. */
            source: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            updatedAt: string;
        };
        /** @description A decision, when it was recorded and by whom. */
        ConsentChange: {
            /** @description The merchant. */
            merchantId: string;
            channel: components["schemas"]["Channel"];
            status: components["schemas"]["ConsentStatus"];
            /** @description Where it was captured; null where it was not said. */
            source: string | null;
            /** @description An API key, `user` and the user's number, or `provider:` and a carrier. */
            changedBy: string;
            /**
             * Format: date-time
             * @description When it was recorded.
             */
            changedAt: string;
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
            /** @description What the problem says. Null for a success, and outside of development, as it may quote the body. */
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
            /** @description Its label, of `X-Project`; null without one. */
            project: string | null;
        };
        /** @description A place that was at fault. */
        RequestFault: {
            /** @description Where. */
            pointer: string;
            /** @description What kind of fault. */
            code: string;
            /** @description What was received and what is allowed; null outside of development. */
            detail: string | null;
        };
        /** @description `webhook-id` of a callback: the same at every attempt. */
        WebhookId: string;
        /**
         * @description What became of a callback.
         * @enum {string}
         */
        CallbackStatus: "PENDING" | "DELIVERED" | "FAILED";
        /** @description A page of callbacks. */
        CallbackPage: {
            /** @description The newest first. */
            callbacks: components["schemas"]["CallbackRow"][];
            /** @description Where the next page begins; null after the last. */
            next: string | null;
        };
        /** @description A callback in a list. */
        CallbackRow: {
            /** @description Its `webhook-id`. */
            webhookId: string;
            /** @description What it tells, such as `voice.tts_call.updated`. */
            type: string;
            /** @description Where it is posted. */
            url: string;
            status: components["schemas"]["CallbackStatus"];
            /**
             * Format: int32
             * @description Attempts with an outcome, since it was last queued.
             */
            attempts: number;
            /** @description Of the last attempt, in a few words: `200`, `timeout`; null before its end. */
            lastOutcome: string | null;
            /**
             * Format: date-time
             * @description From when it may be posted; null once it is over.
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description The call that it tells of; null where that is not known.
             */
            requestId: number | null;
            /** @description The message that the call is shown as; null where that is not known. */
            messageId: string | null;
            /** @description Whose call it is; null where that is not known. */
            merchantId: string | null;
            /**
             * Format: date-time
             * @description When what it tells happened.
             */
            at: string;
            /**
             * Format: date-time
             * @description When its state changed last.
             */
            updatedAt: string;
        };
        /** @description A callback with what is posted. */
        CallbackView: {
            /** @description Its `webhook-id`. */
            webhookId: string;
            /** @description What it tells, such as `voice.tts_call.updated`. */
            type: string;
            /** @description Where it is posted. */
            url: string;
            status: components["schemas"]["CallbackStatus"];
            /**
             * Format: int32
             * @description Attempts with an outcome, since it was last queued.
             */
            attempts: number;
            /** @description Of the last attempt, in a few words: `200`, `timeout`; null before its end. */
            lastOutcome: string | null;
            /**
             * Format: date-time
             * @description From when it may be posted; null once it is over.
             */
            nextAttemptAt: string | null;
            /**
             * Format: int64
             * @description The call that it tells of; null where that is not known.
             */
            requestId: number | null;
            /** @description The message that the call is shown as; null where that is not known. */
            messageId: string | null;
            /** @description Whose call it is; null where that is not known. */
            merchantId: string | null;
            /**
             * Format: date-time
             * @description When what it tells happened.
             */
            at: string;
            /**
             * Format: date-time
             * @description When its state changed last.
             */
            updatedAt: string;
            /** @description The JSON that is posted, byte for byte. */
            body: string;
            /**
             * Format: date-time
             * @description Until when nothing is posted to its receiver, which keeps silent; null where it waits for no such thing.
             */
            restsUntil: string | null;
            /** @description Why it cannot be sent again now; null if it can. */
            obstacle: string | null;
        };
        /** @description How many there are, counted to 10,000. */
        BoundedCount: {
            /**
             * Format: int32
             * @description How many were counted.
             */
            count: number;
            /** @description Whether counting ended at the bound. */
            isMore: boolean;
        };
        /**
         * @description The engine that the database is on.
         * @enum {string}
         */
        DatabaseEngine: "SQLite" | "PostgreSQL";
        /** @description How the server is, and what of the tenant's is under way. */
        HealthView: {
            /** @description Whether it should receive requests: what `/readyz` answers. */
            isReady: boolean;
            /** @description Why it should not; null if it should. */
            obstacle: string | null;
            /** @description What else is to be known of it, such as that its database was put back; null if nothing. */
            note: string | null;
            /** @description The version of msgd; null where it is not known. */
            version: string | null;
            engine: components["schemas"]["DatabaseEngine"];
            /** @description Whether `msgd backup` is for this database: not for one on a server, or in memory. */
            canBackUp: boolean;
            /**
             * Format: date-time
             * @description Of which moment its last backup by `msgd backup` is; null before the first, and where msgd makes none.
             */
            backedUpAt: string | null;
            /** @description The tenant's messages that no carrier has yet: those in a carrier's queue, and those that wait for another attempt, too. */
            queued: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the first of them was accepted; null without one.
             */
            queuedSince: string | null;
            /** @description What of these waits because nobody carries its channel, and calls that wait for speech; channels of which nothing does are left out. */
            uncarried: components["schemas"]["UncarriedChannel"][];
            /** @description The carriers that the tenant's messages are given to. Empty for a test tenant, whose messages are simulated. */
            carriers: components["schemas"]["CarrierHealth"][];
            /** @description The tenant's messages that a carrier has and has not ended. */
            dispatched: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the first of them was accepted; null without one.
             */
            dispatchedSince: string | null;
            /** @description Those among them that a carrier may or may not have taken. */
            inDoubt: components["schemas"]["BoundedCount"];
            /** @description The tenant's messages that ended UNKNOWN. */
            unknown: components["schemas"]["BoundedCount"];
            /** @description The tenant's callbacks that no receiver has taken yet. */
            callbacksPending: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the first of them is tried; null without one.
             */
            callbacksSince: string | null;
            /** @description The tenant's payments that wait for the operator: none of a test tenant's, which are simulated. */
            payments: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the first of them waits; null without one.
             */
            paymentsSince: string | null;
            /** @description The tenant's brands, campaigns and numbers that wait for the operator's decision: none of a test tenant's. */
            registrations: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description Since when the first of them waits; null without one.
             */
            registrationsSince: string | null;
            /** @description The tenant's receivers that keep silent and are left alone for a while; 20 at most. */
            restingReceivers: components["schemas"]["RestingReceiver"][];
            /** @description Whether there are more of these. */
            hasMoreResting: boolean;
            /** @description Of all tenants together; null except in development. */
            installation: components["schemas"]["InstallationHealth"] | null;
        };
        /** @description A carrier of the tenant's messages, as `msgd carriers list` has it. */
        CarrierHealth: {
            /** @description Its name. */
            name: string;
            channel: components["schemas"]["Channel"];
            /** @description How it is reached: `smtp`, `smpp`, `freeswitch` or `simulated`. */
            kind: string;
            /** @description Whether it is for when the first cannot be reached. */
            isSecond: boolean;
            /** @description Whether it is that of all tenants without one of their own. */
            isCommon: boolean;
            /**
             * Format: date-time
             * @description Since when it cannot be reached; null if it can.
             */
            downSince: string | null;
            /** @description What a server was told when it tried last; null if it can be reached. */
            downWords: string | null;
            /** @description What of the tenant's waits for it. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the first of it was accepted; null without one.
             */
            waitingSince: string | null;
        };
        /** @description A channel that nobody carries, or whose calls nobody can speak in. */
        UncarriedChannel: {
            channel: components["schemas"]["Channel"];
            /** @description What waits. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the first of it was accepted.
             */
            since: string | null;
        };
        /** @description A receiver that keeps silent. */
        RestingReceiver: {
            /** @description Its host name. */
            receiver: string;
            /**
             * Format: int32
             * @description How often it was left alone since its last answer.
             */
            rests: number;
            /**
             * Format: date-time
             * @description When the next callback is tried.
             */
            triedAt: string;
        };
        /** @description What is under way of all tenants together. */
        InstallationHealth: {
            /** @description Messages that are due to be given to a carrier or asked about, those in carriers' queues too. */
            waiting: components["schemas"]["BoundedCount"];
            /**
             * Format: date-time
             * @description When the first of them fell due, or if it is in such a queue, was accepted; null without one.
             */
            waitingSince: string | null;
            /** @description Messages that a carrier may or may not have taken. */
            inDoubt: components["schemas"]["BoundedCount"];
            /** @description Messages that ended UNKNOWN. */
            unknown: components["schemas"]["BoundedCount"];
            /** @description Jobs that are due. */
            jobsDue: components["schemas"]["BoundedCount"];
            /** @description Callbacks that no receiver has taken yet. */
            callbacksPending: components["schemas"]["BoundedCount"];
        };
        /** @description A page of the audit. */
        AuditPage: {
            /** @description The last ones first. */
            entries: components["schemas"]["AuditEntry"][];
            /**
             * Format: int64
             * @description Where the next page begins; null after the last.
             */
            next: number | null;
        };
        /** @description What a user asked for, or the operator decided. */
        AuditEntry: {
            /**
             * Format: int64
             * @description Its number.
             */
            entryId: number;
            /**
             * Format: date-time
             * @description When it was asked for.
             */
            askedAt: string;
            /** @description The user's address, as it was; of the operator the name that they gave. */
            email: string;
            /** @description The operation, of the dashboard or the contract; of the operator a command of `msgd`. */
            operation: string;
            /** @description What it was about, with recipients masked; null if about nothing in particular. */
            target: string | null;
            /** @description `X-Request-Id` of the reply; null for a command. */
            requestId: string | null;
        };
        /**
         * @description Whether a user can sign in, or has to set a password before.
         * @enum {string}
         */
        UserState: "INVITED" | "LINK_EXPIRED" | "ACTIVE" | "DISABLED";
        /** @description Somebody who may sign in. */
        UserView: {
            /**
             * Format: int64
             * @description Their number.
             */
            userId: number;
            /** @description Their address, in lower case. */
            email: string;
            role: components["schemas"]["Role"];
            /** @description The only merchant that they see; null for all of the tenant's. */
            merchantId: string | null;
            state: components["schemas"]["UserState"];
            /**
             * Format: date-time
             * @description When they were added.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When they signed in last; null for never.
             */
            signedInAt: string | null;
        };
        /** @description Users of the tenant. */
        UserList: {
            /** @description By address, those who are disabled last; 1,000 at most. */
            users: components["schemas"]["UserView"][];
            /** @description Whether there are more. */
            hasMore: boolean;
        };
        /** @description Who is to be a user. */
        NewUser: {
            email: components["schemas"]["EmailAddress"];
            role: components["schemas"]["Role"];
            /** @description The only merchant that they are to see. Omitted: all of the tenant's. */
            merchantId?: components["schemas"]["MerchantId"] | undefined;
        };
        /** @description What a user is to be. */
        NewRole: {
            role: components["schemas"]["Role"];
        };
        /** @description A user, and the link by which they set a password. */
        LinkedUser: {
            user: components["schemas"]["UserView"];
            /** @description The link, which is good once; without the server's address where no --public-url names it. */
            link: string;
            /**
             * Format: date-time
             * @description Until when it is good.
             */
            linkExpiresAt: string;
        };
        /**
         * @description Whether a key works, with two secrets while it is rotating.
         * @enum {string}
         */
        KeyState: "ACTIVE" | "ROTATING" | "REVOKED";
        /** @description A key, without its secrets. */
        KeyView: {
            /** @description The API key, which is sent with a secret. */
            apiKey: string;
            /** @description What it is called; null for one without a name. */
            name: string | null;
            /** @description The only merchant that it may act for; null for all of the tenant's. */
            merchantId: string | null;
            state: components["schemas"]["KeyState"];
            /**
             * Format: date-time
             * @description When it was made.
             */
            createdAt: string;
            /**
             * Format: date-time
             * @description When it was used last, to a minute; null for never.
             */
            lastUsedAt: string | null;
            /**
             * Format: date-time
             * @description Until when its secret before works; null where one works.
             */
            overlapEndsAt: string | null;
            /**
             * Format: date-time
             * @description When it was revoked; null if it was not.
             */
            revokedAt: string | null;
        };
        /** @description Keys of the tenant. */
        KeyList: {
            /** @description The newest first, those that are revoked last; 1,000 at most. */
            keys: components["schemas"]["KeyView"][];
            /** @description Whether there are more. */
            hasMore: boolean;
        };
        /** @description Whose key it is to be. */
        NewKey: {
            /** @description What it is to be called. On a server in development, the project of what is sent with it. */
            name?: string | undefined;
            /** @description The only merchant that it is to act for. Omitted: all of the tenant's. */
            merchantId?: components["schemas"]["MerchantId"] | undefined;
        };
        /** @description How a key gets a new secret. */
        Rotation: {
            /**
             * Format: int32
             * @description How long the secret before works, in seconds: 0 to 30 days.
             */
            overlapSeconds: number;
        };
        /** @description A key with a secret that is shown this once. */
        IssuedKey: {
            key: components["schemas"]["KeyView"];
            /** @description The secret, of which a hash is kept. */
            apiSecret: string;
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
        /** @description The body is larger than 2 MiB. */
        PayloadTooLarge: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The body is not declared as application/json. */
        UnsupportedMediaType: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
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
        /** @description This tenant has no such merchant. */
        MerchantNotFound: {
            headers: {
                "X-Request-Id": components["headers"]["X-Request-Id"];
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The tenant has no such callback, or no more. */
        CallbackNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The callback cannot be sent again now. */
        CallbackRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such user whom the caller manages. */
        UserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description It would be of oneself, or the tenant has as many users as it may. */
        UserRefused: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description There is no such key that the caller manages. */
        KeyNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        /** @description The key is revoked, or the tenant has as many as it may. */
        KeyRefused: {
            headers: {
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
        /** @description The callback's `webhook-id`. */
        WebhookIdInPath: components["schemas"]["WebhookId"];
        /** @description The user's number. */
        UserIdInPath: number | bigint;
        /** @description The API key, without its secret. */
        ApiKeyInPath: string;
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
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            /** @description The token of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no session. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidInput"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    refreshSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The next token of the session. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SessionToken"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listPermissions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The operations, in the order of the contract. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PermissionView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
        };
    };
    setPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPassword"];
            };
        };
        responses: {
            /** @description Whose password it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordOwner"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["RateLimited"];
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
                q?: components["parameters"]["Search"] | undefined;
                /** @description `next` of the page before. */
                cursor?: string | undefined;
                /** @description How many messages to return at most, 1 to 200. Omitted: 50. */
                limit?: number | undefined;
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
                messageId: string;
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
    getMailFrame: {
        parameters: {
            query?: {
                /** @description Whether pictures of other hosts are shown: they tell those that the mail is read. */
                pictures?: components["schemas"]["MailPictures"] | undefined;
            };
            header?: never;
            path: {
                /** @description The email. */
                messageId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The frame. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailFrame"];
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
                q?: components["parameters"]["Search"] | undefined;
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
    lookUpId: {
        parameters: {
            query: {
                /** @description The whole id or key. */
                text: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What it names; 15 at most. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdLookupMatch"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getActivity: {
        parameters: {
            query?: {
                /** @description How far back to count. */
                hours?: number | undefined;
                /** @description Only those of a merchant. */
                merchantId?: components["schemas"]["MerchantId"] | undefined;
                /** @description Only those by a channel. */
                channel?: components["schemas"]["Channel"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The counts. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ActivityView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMonthCosts: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The costs. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MonthCosts"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRecipientMessages: {
        parameters: {
            query?: {
                /** @description `next` of the page before. */
                cursor?: string | undefined;
            };
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
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
                    "application/json": components["schemas"]["WholeMessagePage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    eraseRecipient: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The phone number or email address. */
                contact: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The recipient, as far as they are still known. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecipientView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listProjects: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The labels. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ProjectView"][];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRequests: {
        parameters: {
            query?: {
                /** @description Only those that were refused, or failed: statuses of 400 and above. */
                outcome?: components["schemas"]["RequestOutcome"] | undefined;
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
    listCallbacks: {
        parameters: {
            query?: {
                /** @description Only those in this state. */
                status?: components["schemas"]["CallbackStatus"] | undefined;
                /** @description `next` of the page before. */
                before?: components["schemas"]["WebhookId"] | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of callbacks. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The callback's `webhook-id`. */
                webhookId: components["parameters"]["WebhookIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["CallbackNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resendCallback: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The callback's `webhook-id`. */
                webhookId: components["parameters"]["WebhookIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The callback, pending. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallbackView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["CallbackNotFound"];
            409: components["responses"]["CallbackRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The health. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                /** @description Only what is about this phone number or email address. */
                about?: string | undefined;
                /** @description `next` of the page before. */
                before?: number | bigint | undefined;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of entries. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditPage"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The users. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewUser"];
            };
        };
        responses: {
            /** @description The user, and their link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedUser"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            409: components["responses"]["UserRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    resetUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's number. */
                userId: components["parameters"]["UserIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user, and their link. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LinkedUser"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    disableUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's number. */
                userId: components["parameters"]["UserIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserRefused"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    setUserRole: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The user's number. */
                userId: components["parameters"]["UserIdInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewRole"];
            };
        };
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["UserRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    listKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The keys. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyList"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    createKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewKey"];
            };
        };
        responses: {
            /** @description The key, and its secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["MerchantNotFound"];
            409: components["responses"]["KeyRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    rotateKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The API key, without its secret. */
                apiKey: components["parameters"]["ApiKeyInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Rotation"];
            };
        };
        responses: {
            /** @description The key, and its new secret. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IssuedKey"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["KeyNotFound"];
            409: components["responses"]["KeyRefused"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The API key, without its secret. */
                apiKey: components["parameters"]["ApiKeyInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KeyView"];
                };
            };
            400: components["responses"]["InvalidInput"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["ScopeDenied"];
            404: components["responses"]["KeyNotFound"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
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
